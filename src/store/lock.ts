// One tick at a time: saves work, and correctness does not rest on it. Broken only if its holder is dead on this boot.

import * as fileSystem from 'node:fs';
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import lockfile from 'proper-lockfile';
import { failed, ok, type Result } from '../core/result.ts';
import { makePrivateFolder, type StoreFailure, storeFailure } from './files.ts';
import { randomHex } from './random-hex.ts';

export interface LockHolder {
  readonly pid: number;
  readonly boot_id: string | null;
  readonly start: string | null;
  /** ISO instant of its last sign of progress. */
  readonly at: string;
}

export type LockFailure =
  | StoreFailure
  /** `isStuck`: its living holder has made no progress for more than ten minutes. */
  | { readonly kind: 'held'; readonly isStuck: boolean; readonly message: string };

export interface Lock {
  /** Says that the holder still gets on. */
  readonly touch: (now: number) => void;
  readonly release: () => Promise<void>;
}

export interface LockRequest {
  readonly folder: string;
  readonly holder: Omit<LockHolder, 'at'>;
  readonly now: number;
  /** Whether the recorded holder is surely dead: no such process on this boot. */
  readonly isDead: (holder: LockHolder) => boolean;
}

const STUCK_MS = 600_000;
/** The library breaks a lock by age alone; ours is never that old, so only the holder's death breaks it. */
const NEVER_MS = 0x7fffffff;

/** Takes the lock of a state folder, once; a dead holder's lock is broken first. */
export async function takeLock(request: LockRequest): Promise<Result<Lock, LockFailure>> {
  const made = makePrivateFolder(request.folder);
  if (!made.ok) return made;
  for (const isLastTry of [false, true]) {
    const taken = await tryLock(request);
    if (taken.ok || taken.failure.kind !== 'held') return taken;
    if (isLastTry || !breakIfDead(request)) return taken;
  }
  return failed({ kind: 'held', isStuck: false, message: 'another tick is running' });
}

const lockPath = (folder: string): string => join(folder, '.lock');
const holderPath = (folder: string): string => join(lockPath(folder), 'holder.json');

async function tryLock(request: LockRequest): Promise<Result<Lock, LockFailure>> {
  const { folder, now } = request;
  const sign = (at: number) =>
    `${JSON.stringify({ ...request.holder, at: new Date(at).toISOString() } satisfies LockHolder)}\n`;
  try {
    const release = await lockfile.lock(folder, {
      lockfilePath: lockPath(folder),
      realpath: false,
      stale: NEVER_MS,
      update: 5000,
      fs: withHolder(sign(now)),
      // Somebody removed the folder by hand: the claims still hold.
      onCompromised: () => undefined,
    });
    return ok({
      touch: (at) => {
        try {
          const fresh = `${holderPath(folder)}.new`;
          writeFileSync(fresh, sign(at), { mode: 0o600 });
          renameSync(fresh, holderPath(folder));
        } catch {
          // A lock that was taken away is no reason to stop half-way: the claims still hold.
        }
      },
      release: () => release().catch(() => undefined),
    });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== 'ELOCKED') {
      return failed(storeFailure('unwritable', lockPath(folder), `cannot be locked (${code})`));
    }
    return failed(heldBy(request));
  }
}

/** A file system in which making the lock folder makes it with its holder's name inside, at once. */
function withHolder(text: string): typeof fileSystem {
  const mkdir = (path: string, callback: (error: NodeJS.ErrnoException | null) => void) => {
    const temporary = `${path}.${randomHex(6)}`;
    try {
      fileSystem.mkdirSync(temporary, { mode: 0o700 });
      writeFileSync(join(temporary, 'holder.json'), text, { mode: 0o600, flush: true });
      renameSync(temporary, path);
    } catch (error) {
      rmSync(temporary, { recursive: true, force: true });
      const fault = error as NodeJS.ErrnoException;
      if (fault.code === 'ENOTEMPTY') fault.code = 'EEXIST';
      return callback(fault);
    }
    return callback(null);
  };
  const rmdir = (path: string, callback: (error: NodeJS.ErrnoException | null) => void) =>
    fileSystem.rm(path, { recursive: true }, callback);
  const rmdirSync = (path: string) => rmSync(path, { recursive: true });
  return { ...fileSystem, mkdir, rmdir, rmdirSync } as unknown as typeof fileSystem;
}

function readHolder(folder: string): LockHolder | null {
  try {
    const value: unknown = JSON.parse(readFileSync(holderPath(folder), 'utf8'));
    const holder = value as LockHolder;
    return typeof holder.pid === 'number' && typeof holder.at === 'string' ? holder : null;
  } catch {
    return null;
  }
}

function heldBy({ folder, now }: LockRequest): LockFailure {
  const holder = readHolder(folder);
  const since = holder === null ? changedAt(lockPath(folder)) : Date.parse(holder.at);
  const isStuck = since !== null && now - since > STUCK_MS;
  const who = holder === null ? 'somebody unknown' : `process ${holder.pid}`;
  const message = isStuck
    ? `the lock is held by ${who}, which has not got on for over ten minutes (${lockPath(folder)})`
    : `another tick is running (${who})`;
  return { kind: 'held', isStuck, message };
}

function changedAt(path: string): number | null {
  try {
    return statSync(path).mtimeMs;
  } catch {
    return null;
  }
}

function breakIfDead(request: LockRequest): boolean {
  const holder = readHolder(request.folder);
  // A holder that cannot be read is given the time of a stuck one: a crash of the machine can leave its file empty.
  const changed = changedAt(lockPath(request.folder));
  const isOver = changed !== null && Math.abs(request.now - changed) > STUCK_MS;
  if (holder === null ? !isOver : !request.isDead(holder)) return false;
  const trash = `${lockPath(request.folder)}.dead.${randomHex(6)}`;
  try {
    renameSync(lockPath(request.folder), trash);
    rmSync(trash, { recursive: true, force: true });
  } catch {
    // Somebody else has broken it in the same moment.
  }
  return true;
}

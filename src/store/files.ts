// Files that must not be lost: whole or not at all, 0600 in folders of 0700, flushed before they count.

import {
  chmodSync,
  closeSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { failed, ok, type Result } from '../core/result.ts';
import { randomHex } from './random-hex.ts';

export interface StoreFailure {
  readonly kind: 'unreadable' | 'unwritable' | 'broken';
  readonly path: string;
  readonly message: string;
}

export const storeFailure = (
  kind: StoreFailure['kind'],
  path: string,
  why: string,
): StoreFailure => ({
  kind,
  path,
  message: `${path}: ${why}`,
});

const codeOf = (error: unknown): string =>
  (error as NodeJS.ErrnoException).code ?? (error as Error).message;

/** Makes a folder, 0700 whatever the umask; one that is a symbolic link or no folder is refused. */
export function makePrivateFolder(path: string): Result<null, StoreFailure> {
  try {
    makeFolder(path);
    const found = lstatSync(path);
    if (!found.isDirectory())
      return failed(storeFailure('unwritable', path, 'is not a directory of its own'));
    if ((found.mode & 0o077) !== 0) chmodSync(path, 0o700);
    return ok(null);
  } catch (error) {
    return failed(storeFailure('unwritable', path, `cannot be made (${codeOf(error)})`));
  }
}

/** The runtime's own way of making parents never ends where the system refuses them oddly, as `/proc` does. */
function makeFolder(path: string): void {
  const make = (): string | null => {
    try {
      mkdirSync(path, { mode: 0o700 });
      return null;
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return null;
      if (codeOf(error) === 'ENOENT') return dirname(path);
      throw error;
    }
  };
  const parent = make();
  if (parent === null) return;
  makeFolder(parent);
  if (make() !== null) throw Object.assign(new Error('no folder'), { code: 'ENOENT' });
}

/** The text of a state file; null when there is none. */
export function readStateFile(path: string): Result<string | null, StoreFailure> {
  try {
    return ok(readFileSync(path, 'utf8'));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return ok(null);
    return failed(storeFailure('unreadable', path, `cannot be read (${codeOf(error)})`));
  }
}

/** Replaces a file by rename, flushed; on a failure the old one is still there. */
export function replaceFile(path: string, content: string | Buffer): Result<null, StoreFailure> {
  return viaTemporary(path, content, (temporary) => {
    renameSync(temporary, path);
    return true;
  }) as Result<null, StoreFailure>;
}

/** Makes a file that must not exist yet, whole and flushed. Value false: somebody else has made it. */
export function createFile(path: string, text: string): Result<boolean, StoreFailure> {
  return viaTemporary(path, text, (temporary) => {
    try {
      linkSync(temporary, path);
      return true;
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return false;
      throw error;
    } finally {
      unlinkSync(temporary);
    }
  });
}

function viaTemporary(
  path: string,
  content: string | Buffer,
  place: (temporary: string) => boolean,
): Result<boolean, StoreFailure> {
  const temporary = join(dirname(path), `.${basename(path)}.${process.pid}.${randomHex(4)}`);
  try {
    writeFlushed(temporary, content);
    const placed = place(temporary);
    flushFolder(dirname(path));
    return ok(placed);
  } catch (error) {
    removeQuietly(temporary);
    return failed(storeFailure('unwritable', path, `cannot be written (${codeOf(error)})`));
  }
}

function writeFlushed(path: string, content: string | Buffer): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : content;
    let written = 0;
    while (written < bytes.length) written += writeSync(file, bytes, written);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function flushFolder(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** Removes a file that nothing depends on any more; one that is gone, or stays, changes nothing. */
export function removeQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // A leaving that cannot be removed is looked at again by the next tick.
  }
}

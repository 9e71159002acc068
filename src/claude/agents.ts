// Finds the client and asks it for its listing, bounded in time; what it prints is checked before it is believed.
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import { isRecord } from '../core/record.ts';
import { failed, ok, type Result } from '../core/result.ts';
import type { ListingRow } from '../core/session.ts';
import { type ClaudeHome, userHome } from './home.ts';
import type { ClientAnswer, RunClient, RunOptions } from './run-client.ts';

export interface ClientFailure {
  readonly kind: 'client-not-found' | 'listing-unreadable';
  readonly message: string;
}

/** Longest that the listing may take: a client that hangs must not hang the tick. */
export const LISTING_BOUND_MS = 60_000;

/**
 * The client's absolute path: `named` (flag, variable or config), else PATH, `~/.local/bin`, `/usr/local/bin`,
 * `/opt/homebrew/bin`. The failure says where it was looked for.
 */
export function findClient(
  named: string | undefined,
  env: NodeJS.ProcessEnv,
): Result<string, ClientFailure> {
  if (named !== undefined && named !== '' && named.includes('/')) {
    const path = isAbsolute(named) ? named : resolve(named);
    if (isProgram(path)) return ok(path);
    return failed({ kind: 'client-not-found', message: `${path} is no program (--claude-bin)` });
  }
  const name = named === undefined || named === '' ? 'claude' : named;
  const folders = [
    ...(env['PATH'] ?? '').split(delimiter).filter((folder) => isAbsolute(folder)),
    join(userHome(env), '.local', 'bin'),
    '/usr/local/bin',
    '/opt/homebrew/bin',
  ];
  const found = folders.map((folder) => join(folder, name)).find(isProgram);
  if (found !== undefined) return ok(found);
  const looked = [...new Set(folders)].join(', ');
  return failed({
    kind: 'client-not-found',
    message: `no ${name} found (looked in ${looked}): name it with --claude-bin or CLAUDE_BIN`,
  });
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** A client that was found, for one home. */
export interface Client {
  readonly path: string;
  readonly home: ClaudeHome;
  readonly env: NodeJS.ProcessEnv;
  /** The PATH for what the client starts, as recorded at install; null: the caller's own. */
  readonly recordedPath: string | null;
  readonly listingBoundMs?: number;
  readonly launchBoundMs?: number;
  readonly run?: RunClient;
}

/** Runs the client; the library for that is loaded only now, since a healthy tick needs no child process. */
export async function run(
  client: Client,
  args: readonly string[],
  options: RunOptions,
): Promise<ClientAnswer> {
  const start = client.run ?? (await import('./run-client.ts')).runClient;
  return start(client, args, options);
}

/** `claude agents --json`: the active sessions, and the dead ones that are blocked. */
export async function listAgents(client: Client): Promise<Result<ListingRow[], ClientFailure>> {
  const boundMs = client.listingBoundMs ?? LISTING_BOUND_MS;
  const answer = await run(client, ['agents', '--json'], { boundMs });
  const fault = (why: string) =>
    failed<ClientFailure>({ kind: 'listing-unreadable', message: `claude agents --json ${why}` });
  if (answer.kind === 'not-started') return fault(`could not be started: ${answer.message}`);
  if (answer.kind === 'timed-out') return fault(`gave no answer within ${boundMs / 1000} s`);
  if (answer.exitCode !== 0)
    return fault(`ended with ${answer.exitCode ?? answer.signal ?? 'a signal'}`);
  return parseListing(answer.stdout) ?? fault('printed no JSON array of sessions');
}

/** The printed listing → rows; null when it is no array of objects. */
export function parseListing(text: string): Result<ListingRow[], ClientFailure> | null {
  let rows: unknown;
  try {
    rows = JSON.parse(text);
  } catch {
    return null;
  }
  if (!Array.isArray(rows) || !rows.every(isRecord)) return null;
  const string = (value: unknown) => (typeof value === 'string' ? value : null);
  // Of another shape it still says that the session waits.
  const foreign = (value: unknown) =>
    value === undefined || value === null ? null : (string(value) ?? JSON.stringify(value));
  return ok(
    rows.map((row) => ({
      id: string(row['id']),
      kind: string(row['kind']) ?? 'unknown',
      state: string(row['state']),
      status: string(row['status']),
      waitingFor: foreign(row['waitingFor']),
      pid: pidOf(row['pid']),
      sessionId: string(row['sessionId']),
      name: string(row['name']),
      cwd: string(row['cwd']),
    })),
  );
}

/** A pid of a foreign type is −1: a process is named, and which one cannot be told. */
function pidOf(value: unknown): number | null {
  if (value === undefined || value === null) return null;
  return typeof value === 'number' ? value : -1;
}

/** `claude --version` → `2.1.332`; null when it does not say. */
export async function readVersion(client: Client): Promise<string | null> {
  const answer = await run(client, ['--version'], { boundMs: 20_000 });
  if (answer.kind !== 'ended' || answer.exitCode !== 0) return null;
  return /\b(\d+\.\d+\.\d+)\b/.exec(answer.stdout)?.[1] ?? null;
}

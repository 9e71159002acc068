// Where a Claude home is and what lies in it; every path below it is made here, from checked ids only.
import { lstatSync, readdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { failed, ok, type Result } from '../core/result.ts';

export interface ClaudeHome {
  /** Absolute. */
  readonly path: string;
  /** It is `$HOME/.claude`: then the client must not be told of it (client.md §5). */
  readonly isDefault: boolean;
}

export interface HomeFailure {
  readonly kind: 'no-home' | 'home-unreadable';
  readonly message: string;
}

/** A name that may become part of a path: no separator, no dot first, no control character. */
const SAFE_NAME = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$/;

/** The account's home directory: `HOME`, else what the system's account database says (cron may set none). */
export function userHome(env: NodeJS.ProcessEnv): string {
  return env['HOME'] !== undefined && env['HOME'] !== '' ? env['HOME'] : homedir();
}

/** `flag`, else `CLAUDE_HOME`, else `CLAUDE_CONFIG_DIR`, else `~/.claude`. It need not exist yet. */
export function locateHome(flag: string | undefined, env: NodeJS.ProcessEnv): ClaudeHome {
  const standard = join(userHome(env), '.claude');
  const named = [flag, env['CLAUDE_HOME'], env['CLAUDE_CONFIG_DIR']].find(
    (path) => path !== undefined && path !== '',
  );
  const path = resolve(expandTilde(named ?? standard, env));
  return { path, isDefault: path === resolve(standard) };
}

function expandTilde(path: string, env: NodeJS.ProcessEnv): string {
  return path === '~' || path.startsWith('~/') ? join(userHome(env), path.slice(1)) : path;
}

/** Whether the home is there and can be listed. */
export function checkHome(home: ClaudeHome): Result<null, HomeFailure> {
  try {
    if (!statSync(home.path).isDirectory()) {
      return failed({ kind: 'no-home', message: `${home.path} is not a directory` });
    }
    return ok(null);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT') {
      const message = `there is no Claude home at ${home.path} (set --claude-home or CLAUDE_HOME)`;
      return failed({ kind: 'no-home', message });
    }
    return failed({ kind: 'home-unreadable', message: `cannot read ${home.path} (${code})` });
  }
}

/** Names of the folders under `jobs/`; an absent folder is an empty list, an unreadable one a failure. */
export const listJobIds = (home: ClaudeHome): Result<string[], HomeFailure> =>
  listJobs(home, (folder) =>
    readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name),
  );

/** The same in a third of the time, but not every name is a folder's: `isJobFolder` tells. */
export const listJobNames = (home: ClaudeHome): Result<string[], HomeFailure> =>
  listJobs(home, (folder) => readdirSync(folder));

function listJobs(
  home: ClaudeHome,
  list: (folder: string) => string[],
): Result<string[], HomeFailure> {
  const folder = join(home.path, 'jobs');
  try {
    return ok(list(folder).filter((name) => SAFE_NAME.test(name)));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT') return ok([]);
    return failed({ kind: 'home-unreadable', message: `cannot list ${folder} (${code})` });
  }
}

/** Whether a name under `jobs/` is a folder, and no link to one; where that cannot be told, reading it says why. */
export function isJobFolder(home: ClaudeHome, name: string): boolean {
  try {
    return (
      lstatSync(join(home.path, 'jobs', name), { throwIfNoEntry: false })?.isDirectory() === true
    );
  } catch {
    return true;
  }
}

export const jobPath = (home: ClaudeHome, id: string, file: string): string =>
  `${home.path}/jobs/${id}/${file}`;

export const statePath = (home: ClaudeHome): string => join(home.path, 'secondwind');

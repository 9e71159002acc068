// What the home and the machine say of themselves: a login, free disk, the host. No secret is ever opened.
import { readdirSync, readFileSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Fact, known, unknown } from '../core/fact.ts';
import { isRecord } from '../core/record.ts';
import type { ClaudeHome } from './home.ts';
import { readSmallFile } from './read-bounded.ts';

/** Variables by which a session can log in without a file. An API key alone does not reach background sessions. */
const LOGIN_VARIABLES = [
  'CLAUDE_CODE_OAUTH_TOKEN',
  'CLAUDE_CODE_USE_BEDROCK',
  'CLAUDE_CODE_USE_VERTEX',
  'CLAUDE_CODE_USE_FOUNDRY',
];

/** Whether this home has a login: the credentials file is there (never read), or a variable names another way. */
export function hasLogin(home: ClaudeHome, env: NodeJS.ProcessEnv): Fact<boolean> {
  if (LOGIN_VARIABLES.some((name) => env[name] !== undefined && env[name] !== ''))
    return known(true);
  // On macOS the login lies in the keychain, which cannot be asked without asking the person.
  if (process.platform === 'darwin') return known(true);
  try {
    if (statSync(join(home.path, '.credentials.json')).size > 2) return known(true);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== 'ENOENT') return unknown(`the login cannot be looked for (${code})`);
  }
  return known(hasKeyHelper(home));
}

function hasKeyHelper(home: ClaudeHome): boolean {
  const text = readSmallFile(join(home.path, 'settings.json'));
  if (!text.known || text.value === null) return false;
  try {
    const settings: unknown = JSON.parse(text.value);
    return isRecord(settings) && typeof settings['apiKeyHelper'] === 'string';
  } catch {
    return false;
  }
}

/** Free bytes, for this account, on the volume of the home. */
export function readFreeDisk(path: string): Fact<number> {
  try {
    const { bavail, bsize } = statfsSync(path);
    return known(bavail * bsize);
  } catch (error) {
    return unknown(`free disk space cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

/**
 * The machine id in the home's session files, where it is another one than this machine's: a home on a shared
 * disk whose processes run elsewhere. Null when it is ours or nothing says.
 */
export function foreignHost(home: ClaudeHome): string | null {
  const own = machineId();
  if (own === null) return null;
  let newest: { at: number; host: string } | null = null;
  for (const host of sessionHosts(home)) if (newest === null || host.at > newest.at) newest = host;
  return newest === null || newest.host === own ? null : newest.host;
}

function sessionHosts(home: ClaudeHome): { at: number; host: string }[] {
  const folder = join(home.path, 'sessions');
  let names: string[];
  try {
    names = readdirSync(folder).filter((name) => /^\d+\.json$/.test(name));
  } catch {
    return [];
  }
  return names.flatMap((name) => {
    const text = readSmallFile(join(folder, name));
    // `pidDomain` is `linux:<machine id>:pid:[<namespace>]` (client 2.1.332).
    const match = text.known
      ? /"pidDomain":\s*"linux:([0-9a-f]{32}):/.exec(text.value ?? '')
      : null;
    const at = text.known ? Number(/"startedAt":\s*(\d+)/.exec(text.value ?? '')?.[1] ?? 0) : 0;
    return match?.[1] === undefined ? [] : [{ at, host: match[1] }];
  });
}

function machineId(): string | null {
  try {
    const id = readFileSync('/etc/machine-id', 'utf8').trim();
    return /^[0-9a-f]{32}$/.test(id) ? id : null;
  } catch {
    return null;
  }
}

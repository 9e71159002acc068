// `npm start`: shows the main job on the user's own sessions without touching them, or else on a sample home in a
// temporary folder, which is removed again; its first line says which of the two it is.
import { spawnSync } from 'node:child_process';
import {
  accessSync,
  constants,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeSampleHome } from '../demo/sample-home.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PROGRAM = join(ROOT, 'bin', 'secondwind.js');
const STAND_IN = join(ROOT, 'demo', 'stand-in-client.mjs');
const SETTINGS = /^(CLAUDE|ANTHROPIC|WATCHDOG|SECONDWIND)/;

// A reader that went away, as in `npm start | head`.
process.stdout.on('error', () => process.exit(1));
process.exitCode = start();

/** @returns {number} the exit status */
function start() {
  const client = findClient();
  const home =
    process.env.CLAUDE_HOME || process.env.CLAUDE_CONFIG_DIR || join(homedir(), '.claude');
  if (client !== null && hasJobs(home)) return showOwnHome(client, home);
  const why =
    client === null ? 'no `claude` was found here' : `no background session is in ${home}`;
  return showSampleHome(why);
}

/**
 * @param {string} client
 * @param {string} home
 */
function showOwnHome(client, home) {
  say(
    `A dry tick over your own Claude home, ${home} (client: ${client}). Nothing is touched or launched.\n`,
  );
  return tick(['--dry-run', '--claude-home', home, '--claude-bin', client], process.env);
}

/** @param {string} why */
function showSampleHome(why) {
  say(
    `A tick over a sample home in a temporary folder, with a stand-in client: ${why}. Your files are not touched.\n`,
  );
  // macOS names its temporary folder by a link; a session's directory is compared by its real name.
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'secondwind-start-')));
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  process.on('exit', remove);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1));
  const { home } = makeSampleHome(folder, Date.now());
  const options = ['--claude-home', home, '--claude-bin', STAND_IN, '--stagger', '1s'];
  // Neither the caller's settings nor the session this may run in have a say in the sample.
  const entries = Object.entries(process.env).filter(([name]) => !SETTINGS.test(name));
  const environment = Object.fromEntries(entries);
  say('First tick (it looks twice, five seconds apart, before it launches anything):');
  const first = tick(options, environment);
  const launched = countLaunches(home);
  say('\nSecond tick:');
  const second = tick(options, environment);
  const again = countLaunches(home) - launched;
  say(
    `\nThe first tick launched ${launched} sessions, the second ${again}. The folder is removed.`,
  );
  if (first !== 0 || second !== 0) return first || second;
  return launched > 0 && again === 0 ? 0 : 1;
}

/**
 * @param {string[]} options
 * @param {NodeJS.ProcessEnv} environment
 */
function tick(options, environment) {
  const env = { ...environment, SECONDWIND_TABLE: '1' };
  const { status } = spawnSync(process.execPath, [PROGRAM, 'tick', ...options], {
    stdio: 'inherit',
    env,
  });
  return status ?? 1;
}

/** @param {string} home */
function countLaunches(home) {
  const path = join(home, 'stand-in-calls.jsonl');
  if (!existsSync(path)) return 0;
  const lines = readFileSync(path, 'utf8').trim().split('\n');
  return lines.filter((line) => JSON.parse(line).argv.includes('--bg')).length;
}

/** Looks where the program itself looks. */
function findClient() {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  folders.push(join(homedir(), '.local', 'bin'), '/usr/local/bin', '/opt/homebrew/bin');
  const name = process.env.CLAUDE_BIN || 'claude';
  const paths = name.includes('/') ? [name] : folders.map((folder) => join(folder, name));
  return paths.find(isProgram) ?? null;
}

/** @param {string} path */
function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** @param {string} home */
function hasJobs(home) {
  try {
    return readdirSync(join(home, 'jobs')).some((id) =>
      existsSync(join(home, 'jobs', id, 'state.json')),
    );
  } catch {
    return false;
  }
}

/** @param {string} line */
function say(line) {
  process.stdout.write(`${line}\n`);
}

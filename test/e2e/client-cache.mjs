// A client's program, or why it is not there: a version counts as fetched only when its binary says that version.
import { execFile, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const cacheFolder = () =>
  process.env['SECONDWIND_CLIENT_CACHE'] || join(homedir(), '.cache', 'secondwind', 'clients');

const binaryOf = (/** @type {string} */ version) =>
  join(
    cacheFolder(),
    version,
    'node_modules',
    '@anthropic-ai',
    `claude-code-${process.platform}-${process.arch}`,
    'claude',
  );

/**
 * The program of a version, fetched from the npm registry if it is not in the cache yet.
 * @param {string} version
 * @returns {Promise<{ binary: string } | { why: string }>}
 */
export async function findClient(version) {
  const binary = binaryOf(version);
  if ((await versionOf(binary)) === version) return { binary };
  const why = await install(version);
  if (why !== null) return { why };
  const found = await versionOf(binary);
  return found === version ? { binary } : { why: `${binary} answers ${found ?? 'nothing'}` };
}

/** What a binary says of itself; null when it does not run. An unfinished install leaves one that does not. */
function versionOf(/** @type {string} */ binary) {
  const env = { HOME: '/nonexistent', PATH: '/usr/bin:/bin' };
  return new Promise((/** @type {(version: string | null) => void} */ resolve) => {
    execFile(binary, ['--version'], { env, timeout: 30_000 }, (error, stdout) => {
      resolve(error ? null : (stdout.trim().split(' ')[0] ?? null));
    });
  });
}

/** Null when npm succeeded, else what it said. */
function install(/** @type {string} */ version) {
  const folder = join(cacheFolder(), version);
  mkdirSync(folder, { recursive: true });
  const words = ['install', '--prefix', folder, '--ignore-scripts', '--no-save', '--no-audit'];
  return new Promise((/** @type {(why: string | null) => void} */ resolve) => {
    const npm = spawn('npm', [...words, `@anthropic-ai/claude-code@${version}`], {
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: 600_000,
    });
    let said = '';
    npm.stderr.on('data', (chunk) => {
      said = `${said}${chunk}`.slice(0, 2000);
    });
    npm.on('error', (error) => resolve(`npm did not start: ${error.message}`));
    npm.on('close', (code) =>
      resolve(
        code === 0
          ? null
          : `npm install exited ${code}: ${said.trim().split('\n').slice(0, 2).join(' ')}`,
      ),
    );
  });
}

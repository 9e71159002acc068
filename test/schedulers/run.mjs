// Proves the schedules with the real schedulers: `npm run test:schedulers`. Needs Debian and root for all of it.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = fileURLToPath(new URL('.', import.meta.url));
const isRoot = process.getuid() === 0;
let isUpdated = false;

const has = (path) => {
  try {
    execFileSync('test', ['-x', path]);
    return true;
  } catch {
    return false;
  }
};

/** Null when all of it is there; else why not. */
function missing(tools) {
  for (const [path, debianPackage] of tools) {
    if (has(path)) continue;
    if (!isRoot) return `${path} is missing (Debian: ${debianPackage})`;
    try {
      if (!isUpdated) execFileSync('apt-get', ['update', '-qq'], { stdio: 'ignore' });
      isUpdated = true;
      const args = ['install', '-y', '-qq', '--no-install-recommends', debianPackage];
      execFileSync('apt-get', args, {
        stdio: 'ignore',
        env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      });
    } catch {
      return `${debianPackage} cannot be installed`;
    }
  }
  return null;
}

async function bundleDriver(folder) {
  const outfile = join(folder, 'drive.mjs');
  await build({
    entryPoints: [join(here, 'drive.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
    banner: { js: "import{createRequire as __c}from'node:module';const require=__c('file:///');" },
  });
  return outfile;
}

const run = (command, args, env) =>
  new Promise((done) => {
    const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk;
      });
    }
    child.on('close', (status) => done({ status, output }));
    child.on('error', (error) => done({ status: 1, output: error.message }));
  });

/** In a namespace of its own, with a home of its own. */
async function inNamespace(scheduler, driver) {
  const folder = mkdtempSync(join(tmpdir(), `secondwind-${scheduler}-`));
  const env = { PATH: process.env.PATH, HOME: folder };
  const script = join(here, `${scheduler}-part.mjs`);
  const args = [join(here, 'namespace.sh'), scheduler, process.execPath, script, folder, driver];
  const answer = await run('bash', args, env);
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  return answer;
}

/** To Apple's binary form and back, which nothing survives that is no plist. */
async function checkPlists() {
  const golden = join(here, '../schedule/golden');
  const plists = readdirSync(golden, { recursive: true }).filter((name) => name.endsWith('.plist'));
  let output = '';
  for (const name of plists) {
    const binary = join(folder, 'binary.plist');
    const there = await run('plistutil', ['-i', join(golden, name), '-o', binary], process.env);
    const back = await run('plistutil', ['-i', binary], process.env);
    const isWhole = /<key>AbandonProcessGroup<\/key>\s*<true\/>/.test(back.output);
    rmSync(binary, { force: true });
    if (!isWhole) return { status: 1, output: `${name}: ${there.output}${back.output}` };
    output += `    plistutil reads ${name}\n`;
  }
  return { status: plists.length === 3 ? 0 : 1, output };
}

const canUnshare = async () =>
  isRoot && (await run('unshare', ['-m', 'true'], process.env)).status === 0;

async function part(name, tools, needsRoot, prove) {
  const why =
    needsRoot && !(await canUnshare()) ? 'needs root and a mount namespace' : missing(tools);
  if (why !== null) return { text: `${name}: not run (${why})`, isFailed: false };
  const { status, output } = await prove();
  const isFailed = status !== 0;
  return { text: `${name}: ${isFailed ? 'FAILED' : 'ok'}\n${output.trimEnd()}`, isFailed };
}

const folder = mkdtempSync(join(tmpdir(), 'secondwind-schedulers-'));
try {
  const driver = await bundleDriver(folder);
  const parts = await Promise.all([
    part('plist', [['/usr/bin/plistutil', 'libplist-utils']], false, checkPlists),
    part(
      'cron',
      [
        ['/usr/sbin/cron', 'cron'],
        ['/usr/bin/crontab', 'cron'],
      ],
      true,
      () => inNamespace('cron', driver),
    ),
    part(
      'systemd',
      [
        ['/lib/systemd/systemd', 'systemd'],
        ['/usr/bin/dbus-daemon', 'dbus'],
      ],
      true,
      () => inNamespace('systemd', driver),
    ),
  ]);
  for (const { text } of parts) console.log(text);
  if (parts.some(({ isFailed }) => isFailed)) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

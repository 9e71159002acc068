// Measures the speed promises as whole processes, in turn with what they are compared to, and fails where one is missed.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeBenchHome } from './bench-home.mjs';

const RUNS = 41;
const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'secondwind-bench-'));
const program = join(root, 'bin/secondwind.js');
const standIn = join(root, 'demo/stand-in-client.mjs');

/** The real client where a run of the client tests has left one, else the stand-in. */
function clientPath() {
  const cache = process.env.SECONDWIND_CLIENT_CACHE ?? join(homedir(), '.cache/secondwind/clients');
  const name = `claude-code-${process.platform}-${process.arch}`;
  const path = join(cache, '2.1.332/node_modules/@anthropic-ai', name, 'claude');
  return existsSync(path) ? path : standIn;
}

const environment = (home) => ({
  HOME: join(home, '..'),
  PATH: process.env.PATH,
  LANG: 'C.UTF-8',
  TZ: 'UTC',
  DISABLE_AUTOUPDATER: '1',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  ANTHROPIC_BASE_URL: 'http://127.0.0.1:9',
});

/** One run as a whole process → wall ms, and what it printed. */
function run(command, args, home) {
  const startedAt = process.hrtime.bigint();
  const result = spawnSync(command, args, {
    env: environment(home),
    cwd: join(home, '..'),
    encoding: 'utf8',
  });
  const wallMs = Number(process.hrtime.bigint() - startedAt) / 1e6;
  if (result.status !== 0)
    throw new Error(`${command} ${args.join(' ')} → ${result.status}: ${result.stderr}`);
  return { wallMs, stdout: result.stdout };
}

/** Runs the commands in turn, so that a machine whose speed drifts slows all of them → wall ms of each run. */
function measure(commands, runs = RUNS) {
  const times = commands.map(() => []);
  for (let round = -1; round < runs; round += 1) {
    commands.forEach(([command, args, home], index) => {
      const { wallMs } = run(command, args, home);
      if (round >= 0) times[index].push(wallMs);
    });
  }
  return times;
}

/** The lower quartile: what a run takes when the machine does nothing else. */
const quartile = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 4)] ?? 0;
const ratio = (of, to) => quartile(of) / quartile(to);

let isMissed = false;
function report(title, value, limit, unit = '×') {
  const isMet = value <= limit;
  if (!isMet) isMissed = true;
  console.log(
    `${isMet ? 'ok    ' : 'MISSED'}  ${title}: ${value.toFixed(2)} ${unit} (promised ≤ ${limit} ${unit})`,
  );
}

const homeOf = (name, size) => {
  const home = join(folder, name, '.claude');
  makeBenchHome(home, size);
  return home;
};
const tickOf = (home, ...more) => [
  process.execPath,
  [program, 'tick', '--claude-home', home, ...more],
  home,
];
const nothing = (home) => [process.execPath, ['-e', '0'], home];

try {
  const thousand = homeOf('thousand', { jobs: 1000, resumable: 0 });
  const tenThousand = homeOf('ten-thousand', { jobs: 10_000, resumable: 0 });
  const few = homeOf('few', { jobs: 20, resumable: 5 });
  const withStandIn = ['--claude-bin', standIn];

  // A preload that forbids child processes: a healthy tick must end well under it.
  const guard = join(folder, 'no-children.cjs');
  writeFileSync(
    guard,
    "const c = require('node:child_process'); for (const k of ['spawn','spawnSync','exec','execFile','execSync','execFileSync','fork']) c[k] = () => { throw new Error('a child process'); };\n",
  );
  // The first tick notes what it sees; from then on the home is a healthy one.
  for (const home of [thousand, tenThousand]) run(...tickOf(home, ...withStandIn));
  run(
    process.execPath,
    ['--require', guard, program, 'tick', '--claude-home', thousand, ...withStandIn],
    thousand,
  );
  for (const home of [thousand, tenThousand]) {
    if (existsSync(join(home, 'stand-in-calls.jsonl'))) throw new Error('the client was called');
  }
  console.log('ok      a healthy tick starts no child process');

  const [healthy, floor] = measure([tickOf(thousand, ...withStandIn), nothing(thousand)]);
  console.log(
    `        node -e 0 ${quartile(floor).toFixed(0)} ms, healthy tick over 1,000 jobs ${quartile(healthy).toFixed(0)} ms`,
  );
  report('healthy tick over 1,000 jobs, to node -e 0', ratio(healthy, floor), 1.8);

  const [large, small, bare] = measure(
    [tickOf(tenThousand, ...withStandIn), tickOf(thousand, ...withStandIn), nothing(thousand)],
    15,
  );
  const perJob = (times, jobs) => (quartile(times) - quartile(bare)) / jobs;
  report(
    'time per job at 10,000 jobs, to that at 1,000',
    perJob(large, 10_000) / perJob(small, 1000),
    1.5,
  );
  const memory = join(folder, 'memory.cjs');
  writeFileSync(
    memory,
    `process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(join(folder, 'peak'))}, String(process.resourceUsage().maxRSS)));\n`,
  );
  run(
    process.execPath,
    ['--require', memory, program, 'tick', '--claude-home', tenThousand, ...withStandIn],
    tenThousand,
  );
  report(
    'peak memory over 10,000 jobs',
    Number(readFileSync(join(folder, 'peak'), 'utf8')) / 1024,
    120,
    'MB',
  );

  const client = clientPath();
  const [dry, listing, alone] = measure([
    tickOf(few, '--claude-bin', client, '--dry-run'),
    [client, ['agents', '--json'], few],
    nothing(few),
  ]);
  const name = client === standIn ? 'the stand-in client' : 'client 2.1.332';
  console.log(
    `        listing of ${name} ${quartile(listing).toFixed(0)} ms, dry tick with 5 resumable ${quartile(dry).toFixed(0)} ms`,
  );
  report(
    'dry tick with resumable sessions, to node -e 0 + the listing',
    ratio(
      dry,
      listing.map((value, round) => value + alone[round]),
    ),
    1.3,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = isMissed ? 1 : 0;

// The command line and the environment when they are wrong, odd or bare.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeHome, makeJob, readCalls, readLaunches, STAND_IN } from '../stand-in.ts';
import { useHome, useProgram } from '../use.ts';
import { cleanEnvironment, expectClear, expectRefusal, run, shownOf, tick } from './program.ts';

const HOUR = 3_600_000;
const past = { shownAt: Date.now() - 3 * HOUR, resetsAt: Date.now() - HOUR };
const program = useProgram();
const made = useHome();

test.each([
  [['tick', '--now', '2026-12-01T02:00:00Z'], '--now goes with --dry-run only'],
  [['tick', '--dry-run', '--now', 'yesterday'], '--now: "yesterday" is not an instant'],
  [['tick', '--dry-run', '--now', '2026-12-01T02:00:00'], 'is not an instant'],
  [['tick', '--bogus'], "unknown option '--bogus'"],
  [['tick', '--margin'], '--margin'],
  [['tick', '--margin', 'soon'], '--margin: "soon" is not a duration'],
  [['tick', '--margin', '-5s'], 'is not a duration'],
  [['tick', '--max-per-day', '3.5'], '--max-per-day: "3.5" is not a whole number'],
  [['tick', '--max-attempts', '0'], '--max-attempts: "0" is not a whole number, 1 or more'],
  [['tick', '--live', 'maybe'], '--live: "maybe" is not restart or wait'],
  [['tick', '--min-free-disk', 'much'], '--min-free-disk: "much" is not a size'],
  [['tick', '--prompt', ''], '--prompt'],
  [['tick', 'now'], 'too many arguments'],
  [['tock'], 'unknown command'],
] as const)('%s is wrong usage', async (words, message) => {
  makeJob(made.home, past);
  const more = { CLAUDE_HOME: made.home, CLAUDE_BIN: STAND_IN };
  const ran = await run(program, made.home, words, { more });
  expectRefusal(ran, 2, message);
  expect(ran.stdout).toBe('');
  expect(readCalls(made.home)).toEqual([]);
});

test.each([
  [{ WATCHDOG_MAX_PER_DAY: 'many' }, 'WATCHDOG_MAX_PER_DAY: "many" is not a whole number'],
  [{ WATCHDOG_MAX_ATTEMPTS: '-1' }, 'WATCHDOG_MAX_ATTEMPTS: "-1" is not'],
  [{ WATCHDOG_QUIET: 'maybe' }, 'WATCHDOG_QUIET: "maybe" is not true or false'],
])('%s in the environment is wrong usage', async (more, message) => {
  expectRefusal(await tick(program, made.home, [], { more }), 2, message);
});

test('no command shows the help, and is wrong usage', async () => {
  const ran = await run(program, made.home, []);
  expectClear(ran);
  expect(ran.stdout + ran.stderr).toContain('Usage: secondwind');
  expect(ran.status).toBe(2);
});

test('a prompt that starts with a dash arrives as one word, wherever it is given', async () => {
  const ways: readonly (readonly [string, readonly string[], Record<string, string>])[] = [
    ['-p --dangerously-skip-permissions', ['--prompt', '-p --dangerously-skip-permissions'], {}],
    ['--help', ['--prompt=--help'], {}],
    ['--bg --resume x', [], { WATCHDOG_PROMPT: '--bg --resume x' }],
  ];
  const rans = await Promise.all(
    ways.map(async ([prompt, words, more]) => {
      const own = makeHome();
      try {
        makeJob(own.home, past);
        const ran = await tick(program, own.home, words, { more });
        return { prompt, ran, argv: readLaunches(own.home)[0]?.argv ?? [] };
      } finally {
        own.remove();
      }
    }),
  );
  for (const { prompt, ran, argv } of rans) {
    expectClear(ran);
    expect([ran.status, ran.stderr]).toEqual([0, '']);
    expect(argv.slice(0, 2)).toEqual(['--bg', '--resume']);
    expect(argv.slice(3)).toEqual(['--', expect.stringMatching(/^\[secondwind [0-9a-f]{16}\] -/)]);
    expect(argv[4]?.endsWith(prompt)).toBe(true);
  }
});

test('a bare environment is enough', async () => {
  const job = makeJob(made.home, past);
  const env = { HOME: made.root, PATH: '/usr/bin:/bin', CLAUDE_BIN: STAND_IN };
  const dry = await run(program, made.home, ['tick', '--dry-run', '--json'], { env });
  expect(shownOf(dry)[job.id]).toMatch(/^resume/);
  const words = ['tick', '--claude-home', made.home, '--claude-bin', STAND_IN, '--dry-run'];
  for (const less of [{ PATH: '/usr/bin:/bin' }, { HOME: made.root }, {}]) {
    const ran = await run(program, made.home, words, { env: less });
    expectClear(ran);
    expect(ran.stdout + ran.stderr).toMatch(/would resume 1|ended with 127|could not be started/);
  }
});

test('a session comes back without HOME, told of its home by name', async () => {
  const job = makeJob(made.home, past);
  const env = { PATH: `${join(process.execPath, '..')}:/usr/bin:/bin` };
  const ran = await tick(program, made.home, [], { env });
  expectClear(ran);
  expect(ran.status).toBe(0);
  expect(ran.stdout).toMatch(new RegExp(`${job.id} .*woken`));
  expect(readLaunches(made.home)[0]?.env).toMatchObject({ CLAUDE_CONFIG_DIR: made.home });
});

test('a working directory that is gone is no reason to fail', async () => {
  const job = makeJob(made.home, past);
  const gone = mkdtempSync(join(tmpdir(), 'secondwind-gone-'));
  const through = ['sh', '-c', `cd '${gone}' && rmdir '${gone}' && exec "$@"`, 'sh'];
  const ran = await tick(program, made.home, ['--dry-run', '--json'], { through });
  rmSync(gone, { recursive: true, force: true });
  expectClear(ran);
  expect([ran.status, shownOf(ran)[job.id]?.slice(0, 6)]).toEqual([0, 'resume']);
});

test('a reader that goes away gets no stack trace', async () => {
  for (let index = 0; index < 300; index += 1) makeJob(made.home, { ...past, state: 'done' });
  const words = ['tick', '--json', '--claude-home', made.home, '--claude-bin', STAND_IN];
  const child = spawn(process.execPath, [program.script, ...words], {
    env: cleanEnvironment(made.home),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.destroy();
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk;
  });
  await new Promise((done) => child.on('close', done));
  expectClear({ status: 0, stdout: '', stderr, wallMs: 0 });
});

test('an output that takes no more is said, without a stack trace', async () => {
  makeJob(made.home, past);
  const through = ['sh', '-c', 'exec "$@" > /dev/full', 'sh'];
  const ran = await tick(program, made.home, ['--dry-run'], { through });
  expectClear(ran);
  expect(ran.status).not.toBe(0);
});

test('a large answer reaches a pipe whole', async () => {
  for (let index = 0; index < 400; index += 1) makeJob(made.home, { ...past, state: 'done' });
  const ran = await tick(program, made.home, ['--json']);
  expect(ran.stdout.length).toBeGreaterThan(100_000);
  expect(Object.keys(shownOf(ran))).toHaveLength(400);
});

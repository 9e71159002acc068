// A client that is missing, answers nonsense, fails or hangs: said with 69, in bounded time, and nothing is launched.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tick as tickHere } from '../../src/watchdog/tick.ts';
import { decisionsOf, ledgerOf, requestFor, runTick } from '../run-tick.ts';
import { makeJob, readCalls, readLaunches, writeWeather } from '../stand-in.ts';
import { useHome, useProgram } from '../use.ts';
import { expectClear, expectRefusal, run, tick, writeClient } from './program.ts';

const HOUR = 3_600_000;
const past = { shownAt: Date.now() - 3 * HOUR, resetsAt: Date.now() - HOUR };
const program = useProgram();
const made = useHome();

test('says where it looked for a client that is nowhere, even when there is nothing to do', async () => {
  const words = ['tick', '--claude-home', made.home];
  const more = { CLAUDE_BIN: 'claude-that-is-nowhere', PATH: '/usr/bin:/somewhere/else' };
  const ran = await run(program, made.home, words, { more });
  expectRefusal(ran, 69, /no claude-that-is-nowhere found \(looked in .*\)/);
  const local = join(made.root, '.local', 'bin');
  for (const place of ['/somewhere/else', local, '/usr/local/bin', '/opt/homebrew/bin']) {
    expect(ran.stderr).toContain(place);
  }
});

test('names the path that is no program', async () => {
  const text = join(made.root, 'text');
  writeFileSync(text, 'no program');
  for (const path of [join(made.root, 'nowhere'), text, made.root]) {
    const ran = await run(program, made.home, [
      'tick',
      '--claude-home',
      made.home,
      '--claude-bin',
      path,
    ]);
    expectRefusal(ran, 69, `${path} is no program`);
  }
});

test('finds a client in ~/.local/bin that PATH does not name', async () => {
  const bin = join(made.root, '.local', 'bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'claude-of-a-test'), '#!/bin/sh\necho "[]"\n', { mode: 0o755 });
  const more = { CLAUDE_BIN: 'claude-of-a-test', PATH: '/usr/bin:/bin' };
  const ran = await run(program, made.home, ['tick', '--claude-home', made.home], { more });
  expect([ran.status, ran.stderr]).toEqual([0, '']);
});

test.each([
  ['prints an object', `echo '{"agents": []}'`, 'printed no JSON array'],
  ['prints HTML', 'echo "<html>520</html>"', 'printed no JSON array'],
  ['prints nothing', ':', 'printed no JSON array'],
  ['prints a cut array', `printf '[{"id": "aaaaaaaa", '`, 'printed no JSON array'],
  ['prints an array of texts', `echo '["aaaaaaaa"]'`, 'printed no JSON array'],
  ['prints controls', `printf '\\033]0;x\\007\\033[2J[]'`, 'printed no JSON array'],
  ['ends with 3', 'echo "[]"; exit 3', 'ended with 3'],
  ['does not know --json', 'echo "error: unknown option \'--json\'" >&2; exit 1', 'ended with 1'],
  ['is killed', 'kill -KILL $$', 'ended with SIGKILL'],
])('says 69 when the listing %s', async (_title, body, message) => {
  makeJob(made.home, past);
  const client = writeClient(made.root, body);
  for (const words of [['--dry-run'], []]) {
    const ran = await tick(program, made.home, [...words, '--claude-bin', client]);
    expectRefusal(ran, 69, `claude agents --json ${message}`);
    expect(ran.stdout).toBe('');
  }
  expect(ledgerOf(made.home).launches).toEqual([]);
});

test('says 69 when the client cannot be started', async () => {
  makeJob(made.home, past);
  const client = join(made.root, 'client');
  writeFileSync(client, '#!/nowhere/at/all\n', { mode: 0o755 });
  const ran = await tick(program, made.home, ['--claude-bin', client]);
  expectRefusal(ran, 69, /claude agents --json could not be started: ENOENT/);
});

test('asks nothing of a broken client while nothing can be resumed', async () => {
  makeJob(made.home, { resetsAt: Date.now() + HOUR });
  const client = writeClient(made.root, 'exit 3');
  const ran = await tick(program, made.home, ['--claude-bin', client]);
  expect([ran.status, ran.stderr]).toEqual([0, '']);
});

test.each(['hangs', 'hangs and ignores signals'] as const)(
  'does not wait for a listing that %s',
  async (how) => {
    makeJob(made.home, past);
    writeWeather(made.home, { listing: { hang: how === 'hangs' ? true : 'stubborn' } });
    const startedAt = Date.now();
    const result = await tickHere(requestFor(made.home, { client: { listingBoundMs: 1500 } }));
    expect(result).toMatchObject({
      ok: false,
      failure: {
        kind: 'listing-unreadable',
        message: 'claude agents --json gave no answer within 1.5 s',
      },
    });
    expect(Date.now() - startedAt).toBeLessThan(10_000);
    expect(readCalls(made.home)).toHaveLength(1);
    expect(readLaunches(made.home)).toEqual([]);
  },
);

test('says unconfirmed of a launch that hangs, and does not launch beside it', async () => {
  const job = makeJob(made.home, past);
  writeWeather(made.home, { resume: { hang: true } });
  const first = await runTick(made.home, { client: { launchBoundMs: 1500 } });
  expect(decisionsOf(first)).toEqual({ [job.id]: 'resume - usage_cap unconfirmed' });
  expect(first.sessions[0]?.outcome?.message).toMatch(/no answer within 1\.5 s/);
  writeWeather(made.home, {});
  await runTick(made.home);
  expect(readLaunches(made.home)).toHaveLength(1);
});

test('a listing with rows of unknown kinds and foreign fields hides no session', async () => {
  const job = makeJob(made.home, past);
  writeWeather(made.home, {
    listing: {
      extra: [
        {},
        { id: 7, kind: [], state: {}, pid: 'x', sessionId: null },
        { id: 'ffffffff', kind: 'teleported', state: 'asleep', pid: -5 },
        { kind: 'interactive', sessionId: 'x', pid: 2 ** 53, status: 'busy', cwd: '/' },
      ],
    },
  });
  const ran = await tick(program, made.home, ['--dry-run']);
  expectClear(ran);
  expect(ran.stdout).toMatch(new RegExp(`${job.id} .*resume`));
});

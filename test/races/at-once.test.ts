// Many ticks at once, with the lock and without it: each stopped session is launched once.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { folderOf, ledgerOf, openClaims } from '../run-tick.ts';
import {
  type Home,
  makeHome,
  makeJob,
  readLaunches,
  readState,
  writeWeather,
} from '../stand-in.ts';
import { makeTickProgram, startTick } from './processes.ts';

const HOUR = 3_600_000;
let program: { path: string; remove: () => void };
let made: Home;
beforeAll(async () => {
  program = await makeTickProgram();
});
afterAll(() => program.remove());
beforeEach(() => {
  made = makeHome();
});
afterEach(() => made.remove());

function makeJobs(count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const shownAt = Date.now() - 3 * HOUR - index * 1000;
    return makeJob(made.home, { name: `job ${index}`, shownAt, resetsAt: Date.now() - HOUR }).id;
  });
}

function launchesBySession(): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { argv } of readLaunches(made.home)) {
    const id = argv[argv.indexOf('--resume') + 1] ?? '';
    counts[id.slice(0, 8)] = (counts[id.slice(0, 8)] ?? 0) + 1;
  }
  return counts;
}

/** Runs ticks at once; resolves with how many of them did not stand back for another one. */
async function race(ticks: number): Promise<number> {
  const running = Array.from({ length: ticks }, () => startTick(program.path, made.home));
  const ended = await Promise.all(running.map((one) => one.ended));
  // A lock that is taken away in the very moment of its making is a fault that is said, and nothing else.
  const faults = ended.filter(
    ({ code, stderr }) => code !== 0 && !stderr.includes('cannot be locked (ENOENT)'),
  );
  expect(faults).toEqual([]);
  return ended.filter(({ code, stdout }) => code === 0 && JSON.parse(stdout).looked).length;
}

test.each(['in_place', 'copy'] as const)(
  '20 ticks at once launch each session once (%s)',
  async (mode) => {
    writeWeather(made.home, { mode, version: mode === 'copy' ? '2.1.170' : '2.1.332' });
    const ids = makeJobs(3);
    await race(20);
    await race(1);
    expect(launchesBySession()).toEqual(Object.fromEntries(ids.map((id) => [id, 1])));
    expect(openClaims(made.home)).toEqual([]);
  },
);

test.each(['in_place', 'copy'] as const)(
  '20 ticks without a lock launch each session once (%s)',
  async (mode) => {
    writeWeather(made.home, {
      mode,
      version: mode === 'copy' ? '2.1.170' : '2.1.332',
      resume: { delayMs: 50 },
    });
    const ids = makeJobs(3);
    // Whoever takes the lock loses it at once.
    const thief = setInterval(() => {
      try {
        rmSync(join(folderOf(made.home), '.lock'), { recursive: true, force: true });
      } catch {
        // Its holder was just writing: the next round takes it.
      }
    }, 5);
    try {
      expect(await race(20)).toBeGreaterThan(3);
    } finally {
      clearInterval(thief);
    }
    await race(1);
    await race(1);
    expect(launchesBySession()).toEqual(Object.fromEntries(ids.map((id) => [id, 1])));
    const { conversations } = ledgerOf(made.home);
    const attempts = Object.values(conversations).flatMap(({ episodes }) =>
      episodes.map((one) => one.attempts.length),
    );
    expect(attempts).toEqual([1, 1, 1]);
    expect(ids.map((id) => readState(made.home, id).state)).not.toContain('blocked');
  },
);

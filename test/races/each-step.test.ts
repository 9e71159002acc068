// A tick killed right before any of the steps by which it changes disk or processes, its client living on or not: the
// next ticks continue the session exactly once. Where killed.test.ts samples moments, this one goes through all steps.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { folderOf, ledgerOf, openClaims, runTick } from '../run-tick.ts';
import {
  type Home,
  isAlive,
  makeHome,
  makeJob,
  readCalls,
  readLaunches,
  readRoster,
  readState,
  readTranscript,
  type Weather,
  writeWeather,
} from '../stand-in.ts';
import { makeTickProgram } from './processes.ts';

const HOUR = 3_600_000;
const PRELOAD = fileURLToPath(new URL('./kill-at-step.mjs', import.meta.url));
/** Sessions live on as processes, so that two agents on one conversation would be seen. */
const runFor = 20_000;
const AT_ONCE = 3;

interface Scene {
  readonly process: 'gone' | 'alive';
  readonly weather: Partial<Weather>;
}
const SCENES: Record<string, Scene> = {
  'dead session, woken in place': { process: 'gone', weather: { resume: { runFor } } },
  'dead session, copied': {
    process: 'gone',
    weather: { mode: 'copy', version: '2.1.170', resume: { runFor } },
  },
  'living session, stopped first': { process: 'alive', weather: { resume: { runFor } } },
};

let program: { path: string; remove: () => void };
beforeAll(async () => {
  program = await makeTickProgram();
});
afterAll(() => program.remove());

function makeStopped({ process, weather }: Scene): Home & { id: string } {
  const made = makeHome();
  writeWeather(made.home, weather);
  const { id } = makeJob(made.home, {
    process,
    shownAt: Date.now() - 3 * HOUR,
    resetsAt: Date.now() - HOUR,
  });
  return { ...made, id };
}

/** Runs one tick that is killed before step `at` (0: never); resolves when it and its client are gone. */
async function runUntil(home: string, at: number, killsKids: boolean): Promise<number> {
  const notes = join(home, '..', 'notes');
  const env = {
    ...process.env,
    KILL_AT: String(at),
    KILL_KIDS: killsKids ? '1' : '0',
    KILL_NOTES: notes,
  };
  const child = spawn(process.execPath, ['--import', PRELOAD, program.path, home], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await new Promise((done) => child.on('close', done));
  const noted = readIfThere(notes);
  for (const [, pid] of noted.matchAll(/^pid (\d+)$/gm)) {
    while (isAlive(Number(pid))) await sleep(10);
  }
  return Number(/^steps (\d+)$/m.exec(noted)?.[1] ?? 0);
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** Prompts of ours that took a turn, over all jobs of the home: a copy keeps the uuids of what it copied. */
function turnsIn(home: string): number {
  const uuids = readdirSync(join(home, 'jobs')).flatMap((id) =>
    readTranscript({ transcriptPath: String(readState(home, id)['linkScanPath']) })
      .filter(
        ({ type, message }) => type === 'user' && JSON.stringify(message).includes('[secondwind '),
      )
      .map(({ uuid }) => uuid),
  );
  return new Set(uuids).size;
}

const livingIn = (home: string): number =>
  Object.values(readRoster(home).workers).filter(({ replPid, replProcStart }) =>
    isAlive(replPid, replProcStart),
  ).length;

/** Open claims and answers; a file that was not renamed into place yet is neither, a closed claim is only a marker. */
const claimsIn = (home: string): string[] => [
  ...openClaims(home),
  ...readdirSync(join(folderOf(home), 'claims')).filter((name) =>
    /^[^.].*\.(?:out|err)$/.test(name),
  ),
];

/** What the next ticks make of it, in a word; anything but `once` says what is wrong. */
async function outcomeOf(scene: Scene, at: number, killsKids: boolean): Promise<string> {
  const made = makeStopped(scene);
  const { home } = made;
  try {
    await runUntil(home, at, killsKids);
    // The client has ended, so a claim need not be given the time that it may take.
    for (let round = 0; round < 2; round += 1) await runTick(home, { bounds: { claimMs: 0 } });
    const calls = readCalls(home).length;
    const launches = readLaunches(home).length;
    await runTick(home, { bounds: { claimMs: 0 } });
    const { episodes } = Object.values(ledgerOf(home).conversations)[0] ?? { episodes: [] };
    const found = {
      turns: turnsIn(home),
      living: livingIn(home),
      claims: claimsIn(home).length,
      outcomes: episodes.flatMap(({ attempts }) => attempts.map(({ outcome }) => outcome)),
      callsAfter: readCalls(home).length - calls,
    };
    const expected = {
      turns: 1,
      living: 1,
      claims: 0,
      outcomes: [scene.weather.mode === 'copy' ? 'copied' : 'woken'],
      callsAfter: 0,
    };
    const isRight = JSON.stringify(found) === JSON.stringify(expected) && launches <= 2;
    return isRight ? 'once' : `${JSON.stringify(found)}, launches ${launches}`;
  } finally {
    made.remove();
  }
}

test.each(Object.keys(SCENES))(
  'continues exactly once, whichever step is the last: %s',
  async (title) => {
    const scene = SCENES[title] as Scene;
    const whole = makeStopped(scene);
    const steps = await runUntil(whole.home, 0, false);
    expect(turnsIn(whole.home)).toBe(1);
    whole.remove();
    expect(steps).toBeGreaterThan(15);
    // Each step once; whether the client dies too takes turns, so that neighbours of each step see both.
    const queue = Array.from({ length: steps }, (_, index) => index + 1);
    const found: Record<string, string[]> = {};
    const work = async () => {
      for (let at = queue.shift(); at !== undefined; at = queue.shift()) {
        const killsKids = at % 2 === 0;
        const result = await outcomeOf(scene, at, killsKids);
        found[result] = [...(found[result] ?? []), `${at}${killsKids ? ' with its client' : ''}`];
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    expect(found).toEqual({ once: expect.any(Array) });
    console.log(`${title}: ${steps} steps`);
  },
  180_000,
);

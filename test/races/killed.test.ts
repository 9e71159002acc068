// A tick killed at any moment leaves a state from which the next ticks continue each session exactly once.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readClaims } from '../../src/store/claims.ts';
import type { TickOptions } from '../run-tick.ts';
import { folderOf, ledgerOf, runTick } from '../run-tick.ts';
import {
  type Home,
  type MadeJob,
  makeHome,
  makeJob,
  readState,
  readTranscript,
  type Weather,
  writeWeather,
} from '../stand-in.ts';
import { makeTickProgram, startTick } from './processes.ts';

const HOUR = 3_600_000;
/** Longer than the stand-in client ever works, so that a claim older than this has no client at work. */
const CLAIM_MS = 700;
const AFTER: TickOptions = { bounds: { claimMs: CLAIM_MS } };

let program: { path: string; remove: () => void };
beforeAll(async () => {
  program = await makeTickProgram();
});
afterAll(() => program.remove());

interface Scene {
  readonly title: string;
  readonly process: 'gone' | 'alive';
  readonly weather: Partial<Weather>;
  /** Kills in ms after the start; null: the client itself kills its tick. */
  readonly delays: readonly (number | null)[];
}

const sweep = (to: number, step: number): number[] =>
  Array.from({ length: Math.ceil(to / step) }, (_, index) => index * step);
const copying = { mode: 'copy', version: '2.1.170' } as const;

const SCENES: readonly Scene[] = [
  { title: 'dead session, woken in place', process: 'gone', weather: {}, delays: sweep(1200, 150) },
  { title: 'dead session, copied', process: 'gone', weather: copying, delays: sweep(1500, 190) },
  {
    title: 'living session, stopped first',
    process: 'alive',
    weather: {},
    delays: sweep(1500, 190),
  },
  {
    title: 'killed by its client before the turn',
    process: 'gone',
    weather: { resume: { killParent: 'before' } },
    delays: [null],
  },
  {
    title: 'killed by its client after the turn',
    process: 'gone',
    weather: { resume: { killParent: 'after' } },
    delays: [null],
  },
  {
    title: 'killed by its client after the copy',
    process: 'gone',
    weather: { ...copying, resume: { killParent: 'after' } },
    delays: [null],
  },
  {
    title: 'killed by its client at the stop',
    process: 'alive',
    weather: { stop: { killParent: 'after' } },
    delays: [null],
  },
];

/** Prompts of ours that took a turn, over all jobs of the home. */
function turnsOf(made: Home, job: MadeJob): number {
  const copies = readdirSync(join(made.home, 'jobs')).filter((id) => id !== job.id);
  const transcripts = [
    job.transcriptPath,
    ...copies.map((id) => String(readState(made.home, id)['linkScanPath'])),
  ];
  const uuids = new Set<string>();
  for (const transcriptPath of transcripts) {
    for (const record of readTranscript({ transcriptPath })) {
      if (record.type === 'user' && JSON.stringify(record['message']).includes('[secondwind ')) {
        uuids.add(record['uuid']);
      }
    }
  }
  return uuids.size;
}

const isAnyLeft = (claims: ReturnType<typeof readClaims>): boolean =>
  !claims.ok || claims.value.some(({ phase }) => phase !== 'closed');

async function killAt(scene: Scene, delay: number | null): Promise<string> {
  const made = makeHome();
  try {
    writeWeather(made.home, scene.weather);
    const shownAt = Date.now() - 3 * HOUR;
    const job = makeJob(made.home, {
      process: scene.process,
      shownAt,
      resetsAt: Date.now() - HOUR,
    });
    const { child, ended } = startTick(program.path, made.home);
    if (delay !== null) {
      await sleep(delay);
      child.kill('SIGKILL');
    }
    await ended;
    // From here on the client is in a good mood.
    const { mode, version } = scene.weather;
    writeWeather(made.home, { ...(mode && { mode }), ...(version && { version }) });
    // A claim is settled once it is old, and goes at the tick after that; a busy machine may need a tick more.
    let claims = readClaims(folderOf(made.home));
    for (let round = 0; round < 6 && (round < 3 || isAnyLeft(claims)); round += 1) {
      await sleep(CLAIM_MS + 50);
      await runTick(made.home, AFTER);
      claims = readClaims(folderOf(made.home));
    }
    ledgerOf(made.home);
    const phases = claims.ok
      ? claims.value.map(({ phase }) => phase).filter((phase) => phase !== 'closed')
      : [claims.failure.message];
    return `turns ${turnsOf(made, job)}, claims ${phases.join(' ') || 'none'}`;
  } finally {
    made.remove();
  }
}

test.each(SCENES.map((scene) => [scene.title, scene] as const))(
  'continues exactly once whenever its tick is killed: %s',
  async (_title, scene) => {
    const found: Record<string, number[]> = {};
    const queue = [...scene.delays];
    const work = async () => {
      for (let delay = queue.shift(); delay !== undefined; delay = queue.shift()) {
        const result = await killAt(scene, delay);
        found[result] = [...(found[result] ?? []), delay ?? -1];
      }
    };
    await Promise.all([work(), work(), work(), work(), work()]);
    expect(found).toEqual({ 'turns 1, claims none': expect.any(Array) });
    console.log(`${scene.title}: ${scene.delays.length} points`);
  },
  120_000,
);

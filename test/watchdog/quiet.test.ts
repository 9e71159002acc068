// A tick that only counts, for a log, passes over jobs that it remembers as quiet. It must never count other than a
// tick that reads every file, and never overlook one that has changed.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { summaryOf } from '../../src/cli/summary.ts';
import { decisionsOf, folderOf, runTick, type TickOptions } from '../run-tick.ts';
import { type MadeJob, makeJob, readCalls, readLaunches } from '../stand-in.ts';
import { useHome } from '../use.ts';

const HOUR = 3_600_000;
const made = useHome();

/** Later than the grain of file times: what was written just now counts as settled. */
const now = (): number => Date.now() + 10_000;
const brief = (options: TickOptions = {}) =>
  runTick(made.home, { now, namesAll: false, ...options });
const full = () => runTick(made.home, { now, isDryRun: true });

function change(job: Pick<MadeJob, 'id'>, over: Record<string, unknown>): void {
  const path = join(made.home, 'jobs', job.id, 'state.json');
  const state = JSON.parse(readFileSync(path, 'utf8'));
  writeFileSync(path, JSON.stringify({ ...state, ...over }));
}

function makeQuietJob(state = 'done'): MadeJob {
  const job = makeJob(made.home, { process: 'none' });
  change(job, { state, detail: 'All is done.', needs: undefined });
  return job;
}

const makeWaitingJob = (resetsAt = Date.now() + HOUR): MadeJob =>
  makeJob(made.home, { shownAt: Date.now() - HOUR, resetsAt });

/** Ticks until everything quiet is remembered: the first one notes what it sees. */
async function settle(): Promise<void> {
  await brief();
  await brief();
}

test('quiet jobs are remembered, passed over and counted', async () => {
  const states = ['done', 'stopped', 'working', 'failed'];
  for (let index = 0; index < 20; index += 1) makeQuietJob(states[index % states.length]);
  makeWaitingJob();
  const first = await brief();
  expect(first.unnamed).toEqual({ skipped: 0, waiting: 0, nextAt: null });
  await brief();
  const later = await brief();
  expect(later.sessions).toEqual([]);
  expect(later.unnamed).toMatchObject({ skipped: 20, waiting: 1 });
  expect(summaryOf(later)).toEqual(summaryOf(first));
  expect(summaryOf(later)).toEqual(summaryOf(await full()));
  expect(readCalls(made.home)).toEqual([]);
});

test('a few quiet jobs are not worth a file', async () => {
  for (let index = 0; index < 5; index += 1) makeQuietJob();
  await settle();
  expect(existsSync(join(folderOf(made.home), 'quiet-jobs.bin'))).toBe(false);
});

test('a dry tick remembers nothing', async () => {
  for (let index = 0; index < 20; index += 1) makeQuietJob();
  await brief({ isDryRun: true });
  expect(existsSync(folderOf(made.home))).toBe(false);
});

test('a file that was written this very moment is not remembered', async () => {
  for (let index = 0; index < 20; index += 1) makeQuietJob();
  await brief({ now: () => Date.now() });
  expect(existsSync(join(folderOf(made.home), 'quiet-jobs.bin'))).toBe(false);
});

test('a remembered job that a limit stopped since is continued', async () => {
  const jobs = Array.from({ length: 20 }, () => makeQuietJob());
  await settle();
  expect((await brief()).sessions).toEqual([]);
  const stopped = makeJob(made.home, {
    shownAt: Date.now() - 3 * HOUR,
    resetsAt: Date.now() - HOUR,
  });
  const [old] = jobs;
  if (old === undefined) throw new Error('no job');
  // The same stop, in a job that was remembered as done.
  const path = (id: string) => join(made.home, 'jobs', id, 'state.json');
  const text = readFileSync(path(stopped.id), 'utf8');
  rmSync(join(made.home, 'jobs', stopped.id), { recursive: true });
  writeFileSync(path(old.id), text.replace(`"${stopped.id}"`, `"${old.id}"`));
  await brief();
  expect(readLaunches(made.home)).toHaveLength(1);
});

test('a remembered wait is read again once its instant has come', async () => {
  const resetsAt = Date.now() + HOUR;
  const job = makeWaitingJob(resetsAt);
  await settle();
  expect((await brief()).unnamed.waiting).toBe(1);
  expect(readCalls(made.home)).toEqual([]);
  const report = await brief({ now: () => resetsAt + 100_000 });
  expect(decisionsOf(report)).toEqual({ [job.id]: 'resume - usage_cap woken' });
});

test('a remembered wait is read again when the margin is another, or somebody holds a session', async () => {
  const job = makeWaitingJob();
  await settle();
  const wider = await brief({ policy: { marginMs: HOUR } });
  expect(decisionsOf(wider)).toEqual({ [job.id]: 'wait reset usage_cap' });
  const until = wider.sessions[0]?.decision.until ?? 0;
  expect(until).toBeGreaterThan(Date.now() + 1.9 * HOUR);
  await settle();
  writeFileSync(
    join(folderOf(made.home), 'holds.json'),
    JSON.stringify({
      version: 1,
      conversations: { [job.sessionId]: { until: null, reason: 'mine' } },
    }),
  );
  expect(Object.values(decisionsOf(await brief()))).toEqual([expect.stringContaining('skip hold')]);
});

test('another job of a remembered conversation brings the remembered ones back into view', async () => {
  const jobs = Array.from({ length: 20 }, () => makeQuietJob());
  await settle();
  const [old] = jobs;
  const copy = makeWaitingJob();
  change(copy, { sessionId: old?.sessionId, resumeSessionId: old?.sessionId });
  const report = await brief();
  expect(report.unnamed.skipped).toBe(19);
  expect(summaryOf(report)).toEqual(summaryOf(await full()));
  await brief();
  // Two jobs of one conversation, one of them waiting: never remembered, always read.
  expect(summaryOf(await brief())).toEqual(summaryOf(await full()));
});

test('whatever changes between ticks, a counting one counts as a reading one', async () => {
  const jobs: MadeJob[] = Array.from({ length: 24 }, () => makeQuietJob());
  let seed = 7;
  const below = (limit: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 0x7fffffff;
    return seed % limit;
  };
  const steps: (() => void)[] = [
    () => jobs.push(makeQuietJob(['done', 'working', 'stopped', 'crashed'][below(4)])),
    () => jobs.push(makeWaitingJob(Date.now() + HOUR + below(HOUR))),
    () => {
      const [job] = jobs.splice(below(jobs.length), 1);
      rmSync(join(made.home, 'jobs', job?.id ?? 'none'), { recursive: true });
    },
    () => change(jobs[below(jobs.length)] as MadeJob, { state: 'working' }),
    () => change(jobs[below(jobs.length)] as MadeJob, { state: 'done' }),
    () => {
      const job = jobs[below(jobs.length)] as MadeJob;
      writeFileSync(join(made.home, 'jobs', job.id, 'state.json'), '{"state": "done"');
      jobs.splice(jobs.indexOf(job), 1);
    },
    () => {
      const session = (jobs[below(jobs.length)] as MadeJob).sessionId;
      change(jobs[below(jobs.length)] as MadeJob, { resumeSessionId: session });
    },
  ];
  for (let round = 0; round < 60; round += 1) {
    for (let count = below(3); count >= 0; count -= 1) steps[below(steps.length)]?.();
    const counted = summaryOf(await brief());
    expect({ round, ...counted }).toEqual({ round, ...summaryOf(await full()) });
  }
  expect(readLaunches(made.home)).toEqual([]);
});

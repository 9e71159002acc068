// The history of a home: its ledger, with what has become of each stop by now.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Episode } from '../../src/core/ledger.ts';
import { recordSighting } from '../../src/core/ledger-transitions.ts';
import { changeLedger } from '../../src/store/ledger-file.ts';
import { type HistoryReport, readHistory } from '../../src/watchdog/history.ts';
import { attempt, episode, HOUR, iso } from '../core/situation.ts';
import { folderOf, requestFor, runTick } from '../run-tick.ts';
import { goOn, makeJob, userRecord, writeWeather } from '../stand-in.ts';
import { useHome } from '../use.ts';

const made = useHome();

const past = () => ({ shownAt: Date.now() - 3 * HOUR, resetsAt: Date.now() - HOUR });
const future = () => ({ shownAt: Date.now() - HOUR, resetsAt: Date.now() + HOUR });

async function history(since: number | null = null): Promise<HistoryReport> {
  const report = await readHistory(requestFor(made.home), since);
  if (!report.ok) throw new Error(report.failure.message);
  return report.value;
}

const record = (conversation: string, over: Partial<Episode>) =>
  changeLedger(folderOf(made.home), (ledger) =>
    recordSighting(ledger, conversation, episode(over)),
  );

const fates = ({ stops }: HistoryReport) => stops.map(({ fate }) => fate);

test('a home without a ledger has none', async () => {
  const report = await history(Date.now() - HOUR);
  expect(report.stops).toEqual([]);
  expect(report.summary).toMatchObject({ stopped: 0, firstAt: null, lastAt: null });
});

test('tells of a night: woken, waiting, and went on by itself, the newest last', async () => {
  const woken = makeJob(made.home, { name: 'woken', ...past() });
  const waiting = makeJob(made.home, { name: 'waiting', ...future() });
  const alone = makeJob(made.home, { name: 'alone', ...future(), shownAt: Date.now() - 2 * HOUR });
  await runTick(made.home);
  const { sessionId, cwd } = alone;
  goOn(alone, [userRecord({ sessionId, cwd, version: '2.1.332' }, Date.now(), 'go on')]);
  const report = await history(Date.now() - 12 * HOUR);
  expect(report.stops.map(({ name, jobId, fate }) => [name, jobId, fate])).toEqual([
    ['woken', woken.id, 'woken'],
    ['alone', alone.id, 'by_itself'],
    ['waiting', waiting.id, 'waiting'],
  ]);
  const { summary } = report;
  expect(summary).toMatchObject({ stopped: 3, withoutProgress: 0, firstAt: woken.shownAt });
  expect(summary.fates).toMatchObject({ woken: 1, copied: 0, by_itself: 1, waiting: 1, failed: 0 });
  expect(summary.lastAt).toBeGreaterThan(waiting.shownAt);
});

test('a copy, with the job that holds the conversation now', async () => {
  writeWeather(made.home, { mode: 'copy', version: '2.1.170' });
  makeJob(made.home, past());
  const tick = await runTick(made.home);
  const report = await history();
  expect(fates(report)).toEqual(['copied']);
  expect(report.stops[0]?.jobId).toBe(tick.sessions[0]?.outcome?.id);
});

test('a refusal: stopped twice, the first without progress, the second waits', async () => {
  makeJob(made.home, past());
  writeWeather(made.home, { resume: { refuse: { resetsAt: Date.now() + 5 * HOUR } } });
  await runTick(made.home);
  await runTick(made.home);
  const report = await history();
  expect(fates(report)).toEqual(['woken', 'waiting']);
  expect(report.summary).toMatchObject({ stopped: 2, withoutProgress: 1 });
});

test('a hold keeps it waiting, not left', async () => {
  const job = makeJob(made.home, past());
  record(job.sessionId, { id: 'x', record_uuid: null, shown_at: iso(job.shownAt) });
  const held = await readHistory(requestFor(made.home, { policy: { on: HELD } }), null);
  expect(held.ok && fates(held.value)).toEqual(['waiting']);
});
const HELD = {
  five_hour: 'hold',
  weekly: 'hold',
  model: 'hold',
  untyped: 'hold',
  transient: 'hold',
} as const;

test.each([
  ['launching', 'unconfirmed'],
  ['unconfirmed', 'unconfirmed'],
  ['failed', 'failed'],
  ['came_back', 'by_itself'],
  ['kept', 'waiting'],
] as const)('an attempt that ended %s counts as %s', async (outcome, fate) => {
  const job = makeJob(made.home, past());
  record(job.sessionId, { shown_at: iso(job.shownAt), attempts: [attempt({ outcome })] });
  const report = await history();
  expect(fates(report)).toEqual([fate]);
  expect(report.summary.fates[fate]).toBe(1);
});

test('stops whose job is gone, left or stopped again', async () => {
  const done = makeJob(made.home, { state: 'stopped', detail: 'x', needs: '', ...past() });
  record(done.sessionId, { id: 'a', shown_at: iso(Date.now() - 9 * HOUR) });
  record(done.sessionId, { id: 'b', record_uuid: 'b', shown_at: iso(Date.now() - 8 * HOUR) });
  record('gone', { id: 'c', shown_at: iso(Date.now() - 7 * HOUR), message: 'the secret door' });
  const report = await history();
  expect(fates(report)).toEqual(['stopped_again', 'left', 'gone']);
  expect(report.stops[2]).toMatchObject({ jobId: null, name: null, why: 'limit (session)' });
});

test('since: what happened before it is not told, what still went on in it is', async () => {
  const now = Date.now();
  record('old', { id: 'a', shown_at: iso(now - 30 * HOUR) });
  record('tried', {
    id: 'b',
    shown_at: iso(now - 30 * HOUR),
    attempts: [attempt({ at: iso(now - HOUR) })],
  });
  record('kept', { id: 'c', shown_at: iso(now - 29 * HOUR), waited_until: iso(now - 2 * HOUR) });
  const report = await history(now - 12 * HOUR);
  expect(report.stops.map(({ conversation }) => conversation)).toEqual(['tried', 'kept']);
  expect(report.summary).toMatchObject({ stopped: 0, firstAt: now - 2 * HOUR, lastAt: now - HOUR });
});

test('a broken ledger is a failure', async () => {
  mkdirSync(folderOf(made.home), { recursive: true });
  writeFileSync(join(folderOf(made.home), 'ledger.json'), '{');
  expect(await readHistory(requestFor(made.home), null)).toMatchObject({
    ok: false,
    failure: { kind: 'broken' },
  });
});

// The status of sample homes: the decisions of a dry tick, with what stopped each and what happens next.
import { expect, test } from 'vitest';
import { nextText } from '../../src/cli/status-text.ts';
import { recordSighting } from '../../src/core/ledger-transitions.ts';
import { changeLedger } from '../../src/store/ledger-file.ts';
import { readStatus, type StatusReport } from '../../src/watchdog/status.ts';
import { attempt, episode, HOUR, iso } from '../core/situation.ts';
import { folderOf, requestFor, runTick, type TickOptions } from '../run-tick.ts';
import { makeJob, readCalls } from '../stand-in.ts';
import { useHome } from '../use.ts';

const made = useHome();

const past = () => ({ shownAt: Date.now() - 3 * HOUR, resetsAt: Date.now() - HOUR });
const future = () => ({ shownAt: Date.now() - HOUR, resetsAt: Date.now() + HOUR });

async function statusOfHome(options: TickOptions = {}): Promise<StatusReport> {
  const report = await readStatus(requestFor(made.home, options));
  if (!report.ok) throw new Error(report.failure.message);
  return report.value;
}

const nextOf = (report: StatusReport) =>
  Object.fromEntries(
    report.sessions.map((one) => [one.decision.jobId, nextText(one, (at) => iso(at))]),
  );

test('an empty home has nothing to say, and asks the client nothing', async () => {
  const report = await statusOfHome();
  expect(report.sessions).toEqual([]);
  expect(readCalls(made.home)).toEqual([]);
});

test('says of each what is next: resume now, resume later, left and why', async () => {
  const due = makeJob(made.home, { name: 'due', ...past() });
  const later = makeJob(made.home, { name: 'later', ...future() });
  const done = makeJob(made.home, { state: 'done', detail: 'All done', needs: '', ...past() });
  const report = await statusOfHome();
  const opensAt = Math.floor((later.resetsAt ?? 0) / 1000) * 1000 + 90_000;
  expect(nextOf(report)).toEqual({
    [due.id]: 'resume at the next tick',
    [later.id]: `resume at ${iso(opensAt)}`,
    [done.id]: 'left: finished',
  });
  const one = report.sessions.find(({ decision }) => decision.jobId === later.id);
  expect(one).toMatchObject({
    state: 'blocked',
    stopped: { at: later.shownAt, why: expect.stringContaining('limit') },
    liftsAt: opensAt - 90_000,
  });
});

test('files alone do where nobody is a candidate', async () => {
  makeJob(made.home, future());
  await statusOfHome();
  expect(readCalls(made.home)).toEqual([]);
});

test('decides as a dry tick does, the bound of a tick included', async () => {
  makeJob(made.home, past());
  makeJob(made.home, { shownAt: Date.now() - 4 * HOUR, resetsAt: Date.now() - HOUR });
  makeJob(made.home, future());
  makeJob(made.home, { process: 'alive', ...past() });
  const now = Date.now();
  const options = { policy: { maxPerRun: 1 }, now: () => now };
  const dry = await runTick(made.home, { ...options, isDryRun: true });
  const report = await statusOfHome(options);
  expect(report.sessions.map(({ decision }) => decision)).toEqual(
    dry.sessions.map(({ decision }) => decision),
  );
  const resumed = report.sessions.filter(({ next }) => next.kind === 'resume' && next.at === null);
  expect(resumed).toHaveLength(1);
});

test('a wait with an end, and one without', async () => {
  const job = makeJob(made.home, { process: 'alive', ...past() });
  const graced = await statusOfHome({ policy: { liveGraceMs: 2 * HOUR } });
  expect(nextOf(graced)[job.id]).toMatch(/^waits until \d{4}-/);
  const waits = await statusOfHome({ policy: { live: 'wait' } });
  expect(nextOf(waits)[job.id]).toBe('waits: its process lives (--live wait)');
});

test('shows the attempts at the present stop, one that was cut off among them', async () => {
  const job = makeJob(made.home, past());
  const tried = episode({
    id: 'x',
    record_uuid: null,
    shown_at: iso(job.shownAt),
    given_back: 1,
    attempts: [attempt({ outcome: 'launching', job_id: job.id })],
  });
  changeLedger(folderOf(made.home), (ledger) => recordSighting(ledger, job.sessionId, tried));
  const [one] = (await statusOfHome()).sessions;
  expect(one?.attempts).toMatchObject({ spent: 1, givenBack: 1, last: { outcome: 'launching' } });
  expect(one?.next.kind).toBe('left');
});

test('a prompt that stands where the message should is not shown', async () => {
  const secret = 'please repair the secret door';
  makeJob(made.home, {
    detail: secret,
    needs: '',
    intent: secret,
    error: null,
    fields: { queuedPrompt: secret },
    ...past(),
  });
  expect(JSON.stringify(await statusOfHome())).not.toContain('secret');
});

test('a listing that cannot be read is a failure, where it is needed', async () => {
  makeJob(made.home, past());
  const report = await readStatus(
    requestFor(made.home, { client: { path: '/nonexistent/claude' } }),
  );
  expect(report).toMatchObject({ ok: false });
});

test('decides as of another instant', async () => {
  const job = makeJob(made.home, future());
  const report = await statusOfHome({ replayAt: Date.now() + 3 * HOUR });
  expect(nextOf(report)[job.id]).toBe('resume at the next tick');
});

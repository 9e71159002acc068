// What an attacker, a crash or a person in between can arrange: nobody's stop is undone, nothing is launched twice, and
// what should come back is not kept away for ever.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readClaims, takeClaim } from '../../src/store/claims.ts';
import { decisionsOf, folderOf, ledgerOf, runTick } from '../run-tick.ts';
import {
  appendTranscript,
  assistantRecord,
  makeJob,
  readLaunches,
  readState,
  readTranscript,
  startSleeper,
  userRecord,
  writeWeather,
} from '../stand-in.ts';
import { useHome } from '../use.ts';

const HOUR = 3_600_000;
const made = useHome();
const past = { shownAt: Date.now() - 3 * HOUR, resetsAt: Date.now() - HOUR };

function rewrite(id: string, fields: object): void {
  const path = join(made.home, 'jobs', id, 'state.json');
  writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), ...fields }));
}

test('leaves a session that its owner stopped after a stop of ours had failed', async () => {
  const job = makeJob(made.home, { process: 'alive', ...past });
  writeWeather(made.home, { stop: { exit: 1 } });
  await runTick(made.home, { bounds: { stopMs: 50 } });
  expect(readState(made.home, job.id).state).toBe('blocked');
  const at = new Date().toISOString();
  rewrite(job.id, {
    state: 'stopped',
    detail: 'stopped',
    needs: null,
    updatedAt: at,
    lastTerminalAt: at,
  });
  writeWeather(made.home, {});
  expect(decisionsOf(await runTick(made.home))).toEqual({ [job.id]: 'skip state operator' });
  expect(readLaunches(made.home)).toEqual([]);
});

test('goes on with a session that we stopped, where the tick died before the launch', async () => {
  const job = makeJob(made.home, past);
  const stoppedAt = Date.now() - 600_000;
  const at = new Date(stoppedAt).toISOString();
  await runTick(made.home, { bounds: { claimMs: 0 }, policy: { maxPerRun: 1, maxPerDay: 0 } });
  const episode = ledgerOf(made.home).conversations[job.sessionId]?.episodes[0];
  if (episode === undefined) throw new Error('no episode was noted');
  rewrite(job.id, {
    state: 'stopped',
    detail: 'stopped',
    needs: null,
    updatedAt: at,
    lastTerminalAt: at,
  });
  const taken = takeClaim(folderOf(made.home), {
    version: 1,
    nonce: '0123456789abcdef',
    conversation: job.sessionId,
    episode,
    job_id: job.id,
    session_id: job.sessionId,
    phase: 'stopping',
    at: new Date(stoppedAt - 1000).toISOString(),
    holder: { pid: 4_200_000, boot_id: null, start: '1' },
    child: null,
    stops: true,
    in_place_only: false,
    transcript: null,
    answer: null,
    settled: null,
  });
  expect(taken.ok && taken.value !== null).toBe(true);
  expect(decisionsOf(await runTick(made.home))).toEqual({ [job.id]: 'resume - usage_cap woken' });
});

test('takes a process with the recorded start for alive, though the record seems older than this boot', async () => {
  const job = makeJob(made.home, { process: 'alive', ...past });
  const path = join(made.home, 'daemon', 'roster.json');
  const roster = JSON.parse(readFileSync(path, 'utf8'));
  roster.workers[job.id].startedAt = Date.parse('2001-01-01T00:00:00Z');
  writeFileSync(path, JSON.stringify(roster));
  const report = await runTick(made.home, { policy: { live: 'wait' } });
  expect(decisionsOf(report)).toEqual({ [job.id]: 'wait alive usage_cap' });
});

test('waits while a living supervisor is about to restart a dead session', async () => {
  const job = makeJob(made.home, past);
  const path = join(made.home, 'daemon', 'roster.json');
  const roster = JSON.parse(readFileSync(path, 'utf8'));
  writeFileSync(path, JSON.stringify({ ...roster, supervisorPid: process.pid }));
  expect(decisionsOf(await runTick(made.home))).toEqual({ [job.id]: 'wait alive usage_cap' });
  expect(readLaunches(made.home)).toEqual([]);
});

test('leaves a conversation that somebody else has copied since its stop', async () => {
  const job = makeJob(made.home, past);
  const copy = makeJob(made.home, {
    cwd: job.cwd,
    state: 'done',
    detail: 'x',
    needs: null,
    ...past,
  });
  rewrite(copy.id, { createdAt: new Date(Date.now() - HOUR).toISOString() });
  writeFileSync(copy.transcriptPath, readFileSync(job.transcriptPath, 'utf8'));
  const decisions = decisionsOf(await runTick(made.home));
  expect(decisions[job.id]).toBe('skip succeeded operator');
});

test('leaves a session beside which another one of the same session lives, unreadable as it is', async () => {
  const job = makeJob(made.home, past);
  const other = makeJob(made.home, { cwd: job.cwd, ...past });
  rewrite(other.id, { sessionId: job.sessionId, resumeSessionId: job.sessionId });
  const sleeper = startSleeper(made.home, other);
  const text = readFileSync(join(made.home, 'jobs', other.id, 'state.json'), 'utf8');
  const rows = [
    { id: job.id, kind: 'background', state: 'blocked', sessionId: job.sessionId, cwd: job.cwd },
    {
      id: other.id,
      kind: 'background',
      state: 'working',
      sessionId: job.sessionId,
      cwd: job.cwd,
      pid: sleeper.pids[0],
    },
  ];
  writeFileSync(join(made.home, 'jobs', other.id, 'state.json'), text.slice(0, 40));
  writeWeather(made.home, { listing: { stdout: JSON.stringify(rows) } });
  const decisions = decisionsOf(await runTick(made.home));
  sleeper.stop();
  expect(decisions[job.id]).toBe('skip succeeded operator');
  expect(readLaunches(made.home)).toEqual([]);
});

test('settles a claim from a clock that was a year ahead', async () => {
  const job = makeJob(made.home, past);
  writeWeather(made.home, { resume: { noTurn: true } });
  await runTick(made.home);
  const folder = join(folderOf(made.home), 'claims');
  const [claim] = (
    readClaims(folderOf(made.home)) as { value: { conversation: string; number: number }[] }
  ).value;
  const path = join(folder, `${claim?.conversation}.${claim?.number}.json`);
  const ahead = {
    ...JSON.parse(readFileSync(path, 'utf8')),
    at: new Date(Date.now() + 365 * 24 * HOUR).toISOString(),
  };
  writeFileSync(path, JSON.stringify(ahead));
  writeWeather(made.home, {});
  expect(decisionsOf(await runTick(made.home))).toEqual({ [job.id]: 'resume - usage_cap woken' });
});

test('breaks a lock whose holder cannot be read once it is old, and says so before', async () => {
  const job = makeJob(made.home, past);
  mkdirSync(join(folderOf(made.home), '.lock'), { recursive: true });
  writeFileSync(join(folderOf(made.home), '.lock', 'holder.json'), '');
  expect((await runTick(made.home)).notices[0]).toMatch(/another tick is running/);
  const later = await runTick(made.home, { now: () => Date.now() + 700_000 });
  expect(decisionsOf(later)).toEqual({ [job.id]: 'resume - usage_cap woken' });
});

test('a session that is left because it bypasses permissions takes no other one its place', async () => {
  writeWeather(made.home, { mode: 'copy', version: '2.1.170' });
  const bypass = makeJob(made.home, {
    respawnFlags: ['--dangerously-skip-permissions'],
    ...past,
    shownAt: past.shownAt - HOUR,
  });
  const other = makeJob(made.home, past);
  const report = await runTick(made.home, { policy: { maxPerRun: 1 } });
  expect(readLaunches(made.home).map(({ argv }) => argv[2])).toEqual([other.sessionId]);
  expect(report.notices.join()).toContain(`${bypass.id}: left alone, it bypasses permissions`);
});

test('a message about a limit does not resume a session whose transcript holds no stop', async () => {
  const job = makeJob(made.home, { transcript: [], timeline: 'none', ...past });
  const session = { sessionId: job.sessionId, cwd: job.cwd, version: '2.1.332' };
  expect(decisionsOf(await runTick(made.home))[job.id]).toBe('skip cause unknown');
  appendTranscript(job.transcriptPath, [
    userRecord(session, past.shownAt, 'describe the limit page'),
  ]);
  appendTranscript(job.transcriptPath, [assistantRecord(session, past.shownAt + 1, job.detail)]);
  expect(readTranscript(job)).toHaveLength(2);
  expect(decisionsOf(await runTick(made.home))[job.id]).toBe('skip cause unknown');
});

test('keeps the first reading of a reset when the state file is written again later', async () => {
  const shownAt = Date.now() - HOUR;
  const text = "You've hit your weekly limit · resets 11:59pm (UTC)";
  const job = makeJob(made.home, {
    shownAt,
    detail: text,
    timeline: 'none',
    transcript: 'none',
    process: 'none',
  });
  const first = await runTick(made.home, { now: () => shownAt + 60_000 });
  rewrite(job.id, { updatedAt: new Date(shownAt + 26 * HOUR).toISOString() });
  const later = await runTick(made.home, { now: () => shownAt + 120_000 });
  const resetOf = (report: typeof first) => report.sessions[0]?.decision.reason.resumes_at;
  expect(resetOf(first)).toMatch(/T23:59:00/);
  expect(resetOf(later)).toBe(resetOf(first));
});

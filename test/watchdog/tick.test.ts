// Ticks over sample homes with the stand-in client: who comes back, who is left alone, and what stays true afterwards.
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { decisionsOf, folderOf, ledgerOf, openClaims, runTick } from '../run-tick.ts';
import {
  goOn,
  makeJob,
  readCalls,
  readLaunches,
  readState,
  startSleeper,
  userRecord,
  writeWeather,
} from '../stand-in.ts';
import { useHome } from '../use.ts';

const HOUR = 3_600_000;
const made = useHome();

const past = { shownAt: Date.now() - 3 * HOUR, resetsAt: Date.now() - HOUR };

test('brings a session back in place after its reset, once', async () => {
  const job = makeJob(made.home, { name: 'job one', ...past });
  const report = await runTick(made.home);
  expect(decisionsOf(report)).toEqual({ [job.id]: 'resume - usage_cap woken' });
  expect(readLaunches(made.home)).toHaveLength(1);
  const launch = readLaunches(made.home)[0];
  expect(launch?.cwd).toBe(job.cwd);
  expect(launch?.argv.slice(0, 4)).toEqual(['--bg', '--resume', job.sessionId, '--']);
  expect(launch?.argv[4]).toMatch(/^\[secondwind [0-9a-f]{16}\] This is an automatic continuation/);
  expect(readState(made.home, job.id).state).not.toBe('blocked');
  const again = await runTick(made.home);
  expect(again.sessions.map((one) => one.outcome)).toEqual([null]);
  expect(readLaunches(made.home)).toHaveLength(1);
  expect(openClaims(made.home)).toEqual([]);
});

test('waits for a reset that has not come, and asks the client nothing', async () => {
  const job = makeJob(made.home, { shownAt: Date.now() - HOUR, resetsAt: Date.now() + HOUR });
  const report = await runTick(made.home);
  expect(decisionsOf(report)).toEqual({ [job.id]: 'wait reset usage_cap' });
  expect(readCalls(made.home)).toEqual([]);
});

test('copies on a client that cannot wake in place, with name and mode, and stops the husk', async () => {
  writeWeather(made.home, { mode: 'copy', version: '2.1.170' });
  const job = makeJob(made.home, {
    name: 'job one',
    respawnFlags: [
      '--name',
      'job one',
      '--permission-mode',
      'acceptEdits',
      '--dangerously-skip-nothing',
    ],
    ...past,
  });
  const report = await runTick(made.home);
  expect(decisionsOf(report)).toEqual({ [job.id]: 'resume - usage_cap copied' });
  expect(readLaunches(made.home)[0]?.argv).toEqual(
    expect.arrayContaining(['--permission-mode', 'acceptEdits', '--name', 'job one']),
  );
  expect(readState(made.home, job.id).state).toBe('stopped');
  const attempt = ledgerOf(made.home).conversations[job.sessionId]?.episodes[0]?.attempts[0];
  expect(attempt).toMatchObject({
    outcome: 'copied',
    successor: { job_id: report.sessions[0]?.outcome?.id },
  });
  await runTick(made.home);
  expect(readLaunches(made.home)).toHaveLength(1);
});

test('leaves alone what waits for a person, was stopped, is done, works, or moved on', async () => {
  const jobs = {
    permission: makeJob(made.home, {
      state: 'working',
      needs: 'approve Bash: rm -rf build',
      detail: 'x',
      ...past,
    }),
    stopped: makeJob(made.home, { state: 'stopped', detail: 'stopped', needs: '', ...past }),
    done: makeJob(made.home, { state: 'done', detail: 'All done', needs: '', ...past }),
    working: makeJob(made.home, {
      state: 'working',
      detail: 'at it',
      needs: '',
      process: 'none',
      ...past,
    }),
    movedOn: makeJob(made.home, { ...past }),
  };
  goOn(jobs.movedOn, [
    userRecord(
      { sessionId: jobs.movedOn.sessionId, cwd: jobs.movedOn.cwd, version: '2.1.332' },
      Date.now() - HOUR / 2,
      'go on',
    ),
  ]);
  const decisions = decisionsOf(await runTick(made.home));
  expect(decisions).toEqual({
    [jobs.permission.id]: 'skip human approval',
    [jobs.stopped.id]: 'skip state operator',
    [jobs.done.id]: 'skip state idle',
    [jobs.working.id]: 'skip state idle',
    [jobs.movedOn.id]: 'skip moved_on idle',
  });
  expect(readCalls(made.home)).toEqual([]);
});

test('restarts a living idle session past the grace, and leaves it within', async () => {
  const job = makeJob(made.home, { process: 'alive', ...past });
  const early = await runTick(made.home, { policy: { liveGraceMs: 2 * HOUR } });
  expect(decisionsOf(early)).toEqual({ [job.id]: 'wait alive usage_cap' });
  const left = await runTick(made.home, { policy: { live: 'wait' } });
  expect(decisionsOf(left)).toEqual({ [job.id]: 'wait alive usage_cap' });
  const late = await runTick(made.home);
  expect(decisionsOf(late)).toEqual({ [job.id]: 'resume - usage_cap woken' });
  expect(readCalls(made.home).filter((call) => call.argv[0] === 'stop')).toHaveLength(1);
  expect(readLaunches(made.home)).toHaveLength(1);
});

test('undoes a copy when the session had come back by itself', async () => {
  const job = makeJob(made.home, past);
  // Between the last listing and the launch the supervisor revives it.
  let stop = () => {};
  let looks = 0;
  const report = await runTick(made.home, {
    sleep: async () => {
      looks += 1;
    },
    client: {
      run: async (client, args, options) => {
        const { runClient } = await import('../../src/claude/run-client.ts');
        if (args.includes('--resume')) stop = startSleeper(made.home, job).stop;
        return runClient(client, args, options);
      },
    },
  });
  stop();
  expect(looks).toBeGreaterThan(0);
  expect(decisionsOf(report)).toEqual({ [job.id]: 'resume - usage_cap came_back' });
  const copies = readdirSync(join(made.home, 'jobs')).filter((id) => id !== job.id);
  expect(copies.map((id) => readState(made.home, id).state)).toEqual(['stopped']);
});

test('says unconfirmed when no turn is seen, and gives the attempt back later, three times at most', async () => {
  const job = makeJob(made.home, past);
  writeWeather(made.home, { resume: { noTurn: true } });
  const report = await runTick(made.home);
  expect(decisionsOf(report)).toEqual({ [job.id]: 'resume - usage_cap unconfirmed' });
  expect(readLaunches(made.home)).toHaveLength(1);
  for (const launches of [2, 3, 4, 4, 4]) {
    await runTick(made.home, { bounds: { claimMs: 0, lostMs: 0 } });
    expect(readLaunches(made.home)).toHaveLength(launches);
  }
  const episode = ledgerOf(made.home).conversations[job.sessionId]?.episodes[0];
  expect(episode).toMatchObject({ given_back: 3 });
  expect(episode?.attempts).toHaveLength(1);
});

test('keeps a refusal with a new reset as a new episode that waits', async () => {
  const job = makeJob(made.home, past);
  const resetsAt = Date.now() + 5 * HOUR;
  writeWeather(made.home, { resume: { refuse: { resetsAt } } });
  await runTick(made.home);
  writeWeather(made.home, {});
  const report = await runTick(made.home);
  expect(decisionsOf(report)).toEqual({ [job.id]: 'wait reset usage_cap' });
  expect(report.sessions[0]?.decision.until).toBe(Math.floor(resetsAt / 1000) * 1000 + 90_000);
  expect(readLaunches(made.home)).toHaveLength(1);
});

test('holds a conversation after three continuations without progress', async () => {
  const job = makeJob(made.home, past);
  for (let round = 1; round <= 3; round += 1) {
    writeWeather(made.home, { resume: { refuse: { resetsAt: Date.now() - HOUR } } });
    await runTick(made.home);
    expect(readLaunches(made.home)).toHaveLength(round);
  }
  const report = await runTick(made.home);
  expect(decisionsOf(report)).toEqual({ [job.id]: 'skip attempts step_limit' });
  expect(readLaunches(made.home)).toHaveLength(3);
});

test('gives a session another chance when its attempt is removed from the ledger', async () => {
  const job = makeJob(made.home, past);
  writeWeather(made.home, { resume: { exit: 1, stderr: 'Workspace not trusted' } });
  for (let round = 0; round < 5; round += 1) await runTick(made.home);
  const { conversations } = ledgerOf(made.home);
  expect(conversations[job.sessionId]?.episodes[0]?.attempts).toHaveLength(1);
  rmSync(join(folderOf(made.home), 'ledger.json'));
  writeWeather(made.home, {});
  const report = await runTick(made.home);
  expect(decisionsOf(report)).toEqual({ [job.id]: 'resume - usage_cap woken' });
});

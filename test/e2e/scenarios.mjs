// What is shown with the real client, one function for each scenario; each starts from a fresh home and API.
import { setTimeout as sleep } from 'node:timers/promises';
import { check, isAlive, liveRows, readClaims, readJobs, stable, waitFor } from './evidence.mjs';
import {
  expectContinued,
  expectSecondTickLaunchesNothing,
  expectUntouched,
  expectWaits,
} from './promises.mjs';
import {
  attachTerminal,
  crashSession,
  isAttached,
  startSession,
  stopRecord,
  untilBlocked,
  untilStatus,
} from './session.mjs';
import { decisionOf, runTick, startTick } from './tick.mjs';
import { asksPermission, fine, overloaded, usageLimit } from './weather.mjs';

/** @typedef {import('./client-home.mjs').ClientHome} ClientHome */
/** @typedef {import('./session.mjs').Session} Session */

/**
 * What a scenario gets: a home whose folders are its `places`, an API, and what the client can.
 * @typedef {{ home: ClientHome, api: import('./mock-api.mjs').MockApi, client: ClientKind }} Scene
 * @typedef {{ version: string, mode: 'woken' | 'copied', saysSeconds: boolean }} ClientKind
 * @typedef {{ name: string, places: string[], inPlaceOnly?: boolean, play: (scene: Scene) => Promise<void> }} Scenario
 */

/** @type {Scenario[]} */
export const scenarios = [
  { name: '5-hour limit, process gone', places: ['late'], play: fiveHourLimit },
  {
    name: 'weekly limit, process alive, beside a permission prompt',
    places: ['long', 'asking'],
    play: weeklyLimitBesidePermission,
  },
  { name: '529, process gone', places: ['busy'], play: overload },
  { name: 'the supervisor is about to restart it', places: ['crashed'], play: aboutToRestart },
  {
    name: 'woken by a person before the tick',
    places: ['own'],
    inPlaceOnly: true,
    play: wokenBefore,
  },
  {
    name: 'woken by a person within the tick',
    places: ['own'],
    inPlaceOnly: true,
    play: wokenWithin,
  },
  { name: 'alive and idle, restarted', places: ['idle'], inPlaceOnly: true, play: aliveRestarted },
  { name: 'alive and idle, --live wait', places: ['idle'], inPlaceOnly: true, play: aliveLeft },
  {
    name: 'alive with a terminal attached',
    places: ['open'],
    inPlaceOnly: true,
    play: terminalAttached,
  },
  { name: 'four ticks at once', places: ['many'], inPlaceOnly: true, play: ticksAtOnce },
  {
    name: 'killed between stop and launch',
    places: ['cut'],
    inPlaceOnly: true,
    play: killedAfterStop,
  },
  { name: 'killed while the client launches', places: ['cut'], play: killedAtLaunch },
];

const MARGIN_MS = 1_000;
/** For the start of a session and a tick before its reset, on a slow machine. */
const SET_UP_MS = 30_000;
const RESTART = ['--live-grace', '0s'];

/** An instant ahead that the client can say: to the second, or where it says no more, to the minute. */
function resetAhead(/** @type {ClientKind} */ client) {
  const step = client.saysSeconds ? 1_000 : 60_000;
  return Math.ceil((Date.now() + SET_UP_MS) / step) * step;
}

const passReset = (/** @type {number} */ resetAt) =>
  sleep(Math.max(0, resetAt + MARGIN_MS + 300 - Date.now()));

/** A session of that folder that a limit stopped, alive and idle. */
async function limited(
  /** @type {Scene} */ { home, api, client },
  /** @type {string} */ marker,
  /** @type {{ claim?: 'five_hour' | 'seven_day', flags?: string[] }} */ given = {},
) {
  const resetAt = resetAhead(client);
  api.setWeather(marker, usageLimit({ claim: given.claim ?? 'five_hour', resetAt }));
  const session = await startSession(home, { marker, ...(given.flags && { flags: given.flags }) });
  const pid = await untilBlocked(home, session);
  stopRecord(home, session);
  return { session, resetAt, pid };
}

/** The tick brought the session back in the way this client does. */
function expectOutcome(
  /** @type {any} */ report,
  /** @type {Session} */ session,
  /** @type {string} */ result,
) {
  const decision = decisionOf(report, session);
  check(decision?.outcome?.result === result, `not ${result}: ${JSON.stringify(decision)}`);
  check(report.summary.resumed === 1, `resumed ${report.summary.resumed}, not 1`);
}

async function fiveHourLimit(/** @type {Scene} */ scene) {
  const { home, client } = scene;
  const flags = [
    '--permission-mode',
    'acceptEdits',
    '--model',
    'sonnet',
    '--allowedTools',
    'Read',
    'Glob',
  ];
  const { session, resetAt } = await limited(scene, 'late', { flags });
  await home.endProcesses();
  await expectWaits(scene, session, { resetAt, isDead: true });
  await passReset(resetAt);
  const report = await runTick(home);
  expectOutcome(report, session, client.mode);
  await expectContinued(scene, session, client);
  await expectSecondTickLaunchesNothing(scene, session, ...RESTART);
}

async function weeklyLimitBesidePermission(/** @type {Scene} */ scene) {
  const { home, api, client } = scene;
  api.setWeather('asking', asksPermission);
  const asking = await startSession(home, {
    marker: 'asking',
    flags: ['--permission-mode', 'default'],
  });
  const pid = await untilStatus(home, asking, 'waiting');
  const before = { pid, turns: api.turns('asking').length };
  const { session, resetAt } = await limited(scene, 'long', { claim: 'seven_day' });
  await expectWaits(scene, session, { resetAt, isDead: false, flags: RESTART });
  await passReset(resetAt);
  const report = await runTick(home, ...RESTART);
  expectOutcome(report, session, client.mode);
  const { action, reason } = decisionOf(report, asking);
  check(
    action === 'skip' && reason.code === 'approval',
    `the waiting one: ${action} ${reason.code}`,
  );
  await expectContinued(scene, session, client);
  await expectUntouched(scene, asking, before);
  await expectSecondTickLaunchesNothing(scene, session, ...RESTART);
  await expectUntouched(scene, asking, before);
}

async function overload(/** @type {Scene} */ scene) {
  const { home, api, client } = scene;
  api.setWeather('busy', overloaded);
  const session = await startSession(home, { marker: 'busy' });
  await untilBlocked(home, session);
  await home.endProcesses();
  api.setWeather('busy', fine);
  await stable(3_000);
  const report = await runTick(home);
  expectOutcome(report, session, client.mode);
  check(decisionOf(report, session).reason.code === 'transient', 'a 529 is not called transient');
  await expectContinued(scene, session, client);
  await expectSecondTickLaunchesNothing(scene, session, ...RESTART);
}

/**
 * The supervisor restarts a session whose process died some 10 s later (measured: 2.1.170 and 2.1.332), with a turn of
 * its own. A resume in those seconds makes a copy beside it.
 */
async function aboutToRestart(/** @type {Scene} */ scene) {
  const { home } = scene;
  const { session, resetAt } = await limited(scene, 'crashed');
  await passReset(resetAt);
  await crashSession(home, session);
  await sleep(1_500);
  await startTick(home, ...RESTART).ended;
  await waitFor(
    'the supervisor restarts it',
    async () => (await liveRows(home, session.place)).length > 0,
  );
  await stable(15_000);
  const rows = await liveRows(home, session.place);
  check(rows.length === 1, `${rows.length} live sessions hold the conversation, not one`);
  await expectSecondTickLaunchesNothing(scene, session, ...RESTART);
}

/** A person resumes a session by hand. */
async function wakeByHand(/** @type {ClientHome} */ home, /** @type {Session} */ session) {
  const said = await home.claude(
    ['--bg', '--resume', session.sessionId, 'I am back.'],
    session.place,
  );
  check(
    said.code === 0 && said.stdout.includes(session.id),
    `the hand's wake: ${JSON.stringify(said)}`,
  );
}

/** Only the person's prompt was taken, by the one live session. */
async function expectOnlyByHand(/** @type {Scene} */ scene, /** @type {Session} */ session) {
  await expectContinued(scene, session, { mode: 'woken' });
  check(
    scene.api.turns(session.marker, 'I am back.').length === 1,
    'the prompt was not the hand’s',
  );
  check(scene.api.turns(session.marker).length === 2, 'there was another turn');
}

async function wokenBefore(/** @type {Scene} */ scene) {
  const { session, resetAt } = await limited(scene, 'own');
  await scene.home.endProcesses();
  await passReset(resetAt);
  await stable(2_000);
  await wakeByHand(scene.home, session);
  const report = await runTick(scene.home, ...RESTART);
  check(report.summary.resumed === 0, 'the tick says it resumed something');
  await expectOnlyByHand(scene, session);
  await expectSecondTickLaunchesNothing(scene, session, ...RESTART);
}

async function wokenWithin(/** @type {Scene} */ scene) {
  const { session, resetAt } = await limited(scene, 'own');
  await scene.home.endProcesses();
  await passReset(resetAt);
  await stable(2_000);
  const tick = startTick(scene.home, ...RESTART);
  // Within the five seconds between its two looks.
  await sleep(2_500);
  await wakeByHand(scene.home, session);
  const { code, report } = await tick.ended;
  check(code === 0, `the tick exits ${code}`);
  check(report?.summary.resumed === 0, 'the tick says it resumed something');
  await expectOnlyByHand(scene, session);
  await expectSecondTickLaunchesNothing(scene, session, ...RESTART);
}

async function aliveRestarted(/** @type {Scene} */ scene) {
  const { home } = scene;
  const { session, resetAt, pid } = await limited(scene, 'idle');
  await expectWaits(scene, session, { resetAt, isDead: false, flags: RESTART });
  await passReset(resetAt);
  const report = await runTick(home, ...RESTART);
  expectOutcome(report, session, 'woken');
  check(!isAlive(pid), 'the process from before the reset still lives');
  await expectContinued(scene, session, { mode: 'woken' });
  await expectSecondTickLaunchesNothing(scene, session, ...RESTART);
}

async function aliveLeft(/** @type {Scene} */ scene) {
  const { home, api } = scene;
  const { session, resetAt, pid } = await limited(scene, 'idle');
  await passReset(resetAt);
  const report = await runTick(home, '--live', 'wait', ...RESTART);
  const { action, rule, outcome } = decisionOf(report, session);
  check(action === 'wait' && rule === 'alive', `not left for being alive: ${action} ${rule}`);
  check(outcome === null && report.summary.resumed === 0, 'the tick acted');
  check(isAlive(pid), 'its process is gone');
  check(readJobs(home).get(session.id)?.state === 'blocked', 'it is no longer blocked');
  check(api.turns('idle').length === 1, 'there was another turn');
}

/** A person looks at it: it is left, whatever the grace. */
async function terminalAttached(/** @type {Scene} */ scene) {
  const { home, api } = scene;
  const { session, resetAt, pid } = await limited(scene, 'open');
  const terminal = attachTerminal(home, session);
  await waitFor('a terminal is attached', () => home.processes().some(isAttached));
  await passReset(resetAt);
  const report = await runTick(home, ...RESTART);
  const { action, rule, outcome } = decisionOf(report, session);
  check(action === 'wait' && rule === 'alive', `not left for being alive: ${action} ${rule}`);
  check(outcome === null && report.summary.resumed === 0, 'the tick acted');
  check(home.processes().some(isAttached), 'the terminal was ended');
  check(isAlive(pid) && api.turns('open').length === 1, 'its process is gone, or took a turn');
  await terminal.end();
  await waitFor('the terminal is closed', () => !home.processes().some(isAttached));
  expectOutcome(await runTick(home, ...RESTART), session, 'woken');
  await expectContinued(scene, session, { mode: 'woken' });
}

async function ticksAtOnce(/** @type {Scene} */ scene) {
  const { home } = scene;
  const { session, resetAt } = await limited(scene, 'many');
  await home.endProcesses();
  await passReset(resetAt);
  const ticks = await Promise.all([1, 2, 3, 4].map(() => startTick(home, ...RESTART).ended));
  const codes = ticks.map((tick) => tick.code);
  check(
    codes.every((code) => code === 0),
    `they exit ${codes.join(', ')}`,
  );
  const resumed = ticks.reduce((sum, tick) => sum + (tick.report?.summary.resumed ?? 0), 0);
  check(resumed === 1, `together they say they resumed ${resumed}`);
  await expectContinued(scene, session, { mode: 'woken' });
  await expectSecondTickLaunchesNothing(scene, session, ...RESTART);
}

/** Ticks until one live session took the prompt; a dead tick's claim is in flight for a while. */
async function tickUntilContinued(/** @type {Scene} */ scene, /** @type {Session} */ session) {
  await waitFor(
    'a later tick launches it',
    async () => {
      if (scene.api.turns(session.marker).length > 1) return true;
      await startTick(scene.home, ...RESTART).ended;
      return scene.api.turns(session.marker).length > 1;
    },
    180_000,
    5_000,
  );
  // One more settles what a killed tick left open.
  await startTick(scene.home, ...RESTART).ended;
  await stable(5_000);
  await expectContinued(scene, session, scene.client);
  await expectSecondTickLaunchesNothing(scene, session, ...RESTART);
}

async function killedAfterStop(/** @type {Scene} */ scene) {
  const { home, api } = scene;
  const { session, resetAt } = await limited(scene, 'cut');
  await passReset(resetAt);
  const tick = startTick(home, ...RESTART);
  await waitFor(
    'the session is stopped under a claim',
    () =>
      readClaims(home).some((claim) => claim.phase === 'stopping') &&
      readJobs(home).get(session.id)?.state === 'stopped',
    60_000,
    20,
  );
  tick.child.kill('SIGKILL');
  const { signal } = await tick.ended;
  check(signal === 'SIGKILL', 'the tick was over before it could be killed');
  check(api.turns('cut').length === 1, 'it was launched before the kill');
  await tickUntilContinued(scene, session);
}

async function killedAtLaunch(/** @type {Scene} */ scene) {
  const { home } = scene;
  const { session, resetAt } = await limited(scene, 'cut');
  await home.endProcesses();
  await passReset(resetAt);
  await stable(2_000);
  const tick = startTick(home, ...RESTART);
  await waitFor(
    'the client is started under a claim',
    () => readClaims(home).some((claim) => claim.phase === 'launching' && claim.child !== null),
    60_000,
    5,
  );
  tick.child.kill('SIGKILL');
  const { signal } = await tick.ended;
  check(signal === 'SIGKILL', 'the tick was over before it could be killed');
  await tickUntilContinued(scene, session);
}

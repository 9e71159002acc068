// The promises that every scenario ends with: one live session, one turn, everything it had kept, no second launch.
import {
  check,
  isAlive,
  liveRows,
  readJobs,
  readRecords,
  stable,
  textOf,
  waitFor,
} from './evidence.mjs';
import { stopRecord } from './session.mjs';
import { decisionOf, runTick } from './tick.mjs';
import { fine } from './weather.mjs';

/** @typedef {import('./client-home.mjs').ClientHome} ClientHome */
/** @typedef {import('./mock-api.mjs').MockApi} MockApi */
/** @typedef {import('./session.mjs').Session} Session */

/**
 * After a resume: exactly one live session holds the conversation, it took the prompt as one turn after the stop, and
 * name, permission mode, model and tools are those it was started with. Returns its row.
 * @param {{ home: ClientHome, api: MockApi }} scene
 * @param {Session} session
 * @param {{ mode: 'woken' | 'copied' }} given
 */
export async function expectContinued({ home, api }, session, { mode }) {
  const rows = await waitFor(`${session.name} lives`, async () => {
    const live = await liveRows(home, session.place);
    return live.length > 0 ? live : null;
  });
  check(rows.length === 1, `${rows.length} live sessions hold the conversation, not one`);
  const [row] = rows;
  check(row.name === session.name, `the session is called ${row.name}, not ${session.name}`);
  if (mode === 'woken')
    check(row.id === session.id, `woken in place as ${session.id}, not ${row.id}`);
  else check(row.id !== session.id, 'this client makes a copy, yet the id is the old one');

  const records = await waitFor('an answer after the prompt', () => {
    const all = readRecords(home, row.sessionId);
    return answerOf(all) === undefined ? null : all;
  });
  expectOneTurn({ home, api }, session, records);
  expectOptionsKept(home, session, row);
  if (mode === 'copied') await expectNoHusk(home, session);
  await stable(2_000);
  const still = await liveRows(home, session.place);
  check(still.length === 1, `${still.length} live sessions hold the conversation, not one`);
  const turns = api.turns(session.marker).length;
  check(
    turns === 2,
    `the API was asked for ${turns} turns, not for the stopped and the continued one`,
  );
  return row;
}

const answerOf = (/** @type {any[]} */ records) =>
  records.find((one) => one.type === 'assistant' && textOf(one) === fine.text);

function expectOneTurn(
  /** @type {{ home: ClientHome, api: MockApi }} */ { home, api },
  /** @type {Session} */ session,
  /** @type {any[]} */ records,
) {
  const stop = stopRecord(home, session);
  const isShared = records.some((one) => one.uuid === stop.uuid);
  check(isShared, 'the transcript does not continue the one that was stopped');
  // By their instants: 2.1.170 was seen to write a limit record before the prompt that met it.
  const later = records
    .filter((one) => Date.parse(one.timestamp) > stop.at)
    .sort((a, b) => Date.parse(a.timestamp) - Date.parse(b.timestamp));
  const prompts = later.filter((one) => one.type === 'user' && !one.isMeta && textOf(one) !== '');
  check(prompts.length === 1, `${prompts.length} prompts follow the stop, not one`);
  check(
    later.indexOf(answerOf(later)) > later.indexOf(prompts[0]),
    'the answer does not follow the prompt',
  );
  const turns = api.turns(session.marker, textOf(prompts[0]));
  check(turns.length === 1, `the API saw ${turns.length} turns with the prompt, not one`);
  check(turns[0]?.answered === 'text', `the turn was answered ${turns[0]?.answered}`);
  check(
    turns[0]?.model === api.turns(session.marker)[0]?.model,
    `the turn ran on ${turns[0]?.model}, the session on another model`,
  );
}

/** Every flag that the session was started with is among the saved ones, with all its words. */
function expectOptionsKept(
  /** @type {ClientHome} */ home,
  /** @type {Session} */ session,
  /** @type {any} */ row,
) {
  /** @type {string[]} */
  const flags = readJobs(home).get(row.id)?.respawnFlags ?? [];
  // A value is a word of its own or follows its flag after a `=`, as it was passed.
  const saved = flags.flatMap((word) => /^(--[a-z-]+)=(.*)$/s.exec(word)?.slice(1) ?? [word]);
  for (const word of session.flags) {
    check(saved.includes(word), `${word} is not kept: ${flags.join(' ')}`);
  }
  const mode = session.flags[session.flags.indexOf('--permission-mode') + 1];
  const modes = readRecords(home, row.sessionId).filter((one) => one.type === 'permission-mode');
  check(modes.at(-1)?.permissionMode === mode, `runs with mode ${modes.at(-1)?.permissionMode}`);
}

async function expectNoHusk(/** @type {ClientHome} */ home, /** @type {Session} */ session) {
  const rows = await home.listing();
  const husk = rows.find((row) => row.id === session.id);
  check(husk === undefined || husk.state === 'stopped', `the husk is still ${husk?.state}`);
}

/**
 * Another tick launches nothing: same processes, same number of turns, no outcome.
 * @param {{ home: ClientHome, api: MockApi }} scene
 * @param {Session} session
 * @param {string[]} flags
 */
export async function expectSecondTickLaunchesNothing({ home, api }, session, ...flags) {
  const before = await liveRows(home, session.place);
  check(before.length === 1, `${before.length} live sessions hold the conversation, not one`);
  const turns = api.turns(session.marker).length;
  const report = await runTick(home, ...flags);
  check(report.summary.resumed === 0, 'the second tick says it resumed something');
  check(decisionOf(report, session)?.action !== 'resume', 'the second tick decides to resume');
  await stable(3_000);
  const after = await liveRows(home, session.place);
  const pids = (/** @type {any[]} */ rows) => rows.map((row) => row.pid).join(',');
  check(
    pids(before) === pids(after),
    `the second tick changed pids: ${pids(before)} → ${pids(after)}`,
  );
  check(api.turns(session.marker).length === turns, 'the second tick caused a turn');
}

/**
 * A tick before the reset waits for exactly that reset, and starts nothing.
 * @param {{ home: ClientHome, api: MockApi }} scene
 * @param {Session} session
 * @param {{ resetAt: number, isDead: boolean, flags?: string[] }} given
 */
export async function expectWaits({ home, api }, session, { resetAt, isDead, flags = [] }) {
  check(Date.now() < resetAt - 3_000, 'the set-up took too long: the reset is here already');
  const before = home.processes().length;
  const report = await runTick(home, ...flags);
  check(Date.now() < resetAt, 'the tick before the reset took until after it');
  const decision = decisionOf(report, session);
  check(decision !== null, 'the tick says nothing about the session');
  const { action, rule, reason, until } = decision;
  const said = JSON.stringify(decision);
  check(action === 'wait' && rule === 'reset', `not a wait for the reset: ${said}`);
  check(reason.code === 'usage_cap', `not a usage cap: ${said}`);
  check(Date.parse(reason.resumes_at) === resetAt, `another reset: ${said}`);
  check(Date.parse(until) >= resetAt, `waits for another instant: ${said}`);
  check(report.summary.resumed === 0 && decision.outcome === null, `it acted: ${said}`);
  if (isDead) check(home.processes().length === 0, 'the tick started a process of the client');
  else check(home.processes().length >= before, 'the tick ended a process');
  check(api.turns(session.marker).length === 1, 'a turn was asked for before the reset');
}

/** The very process still waits, and asked the API nothing more. */
export async function expectUntouched(
  /** @type {{ home: ClientHome, api: MockApi }} */ { home, api },
  /** @type {Session} */ session,
  /** @type {{ pid: number, turns: number }} */ { pid, turns },
) {
  check(isAlive(pid), `${session.name}: its process is gone`);
  const row = (await home.listing()).find((one) => one.id === session.id);
  check(row?.pid === pid, `${session.name} runs as ${row?.pid}, not ${pid}`);
  check(row?.status === 'waiting', `${session.name} is ${row?.status}, not waiting`);
  check(api.turns(session.marker).length === turns, `${session.name} asked for a turn`);
}

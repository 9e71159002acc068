// Real background sessions brought into the states that the scenarios start from.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { check, isAlive, readJobs, readJson, readRecords, readText, waitFor } from './evidence.mjs';
import { markerOf } from './mock-api.mjs';

/** @typedef {import('./client-home.mjs').ClientHome} ClientHome */

/**
 * A session that was started: `marker` names its weather and its folder, `place` is that folder.
 * @typedef {{ id: string, sessionId: string, marker: string, place: string, name: string, flags: string[],
 *   prompt: string }} Session
 */

/**
 * Starts a named session in the folder called `marker`, under the weather of that name.
 * @param {ClientHome} home
 * @param {{ marker: string, flags?: string[] }} given
 * @returns {Promise<Session>}
 */
export async function startSession(home, { marker, flags = ['--permission-mode', 'acceptEdits'] }) {
  const name = `the ${marker} shift`;
  const place = home.placeOf(marker);
  const prompt = `Do what is to be done. ${markerOf(marker)}`;
  const all = ['--name', name, ...flags];
  const said = await home.claude(['--bg', ...all, '--', prompt], place);
  const id = /^backgrounded · ([0-9a-f]{8})/.exec(said.stdout)?.[1];
  check(said.code === 0 && id !== undefined, `claude --bg failed: ${JSON.stringify(said)}`);
  const job = await waitFor(`a state of job ${id}`, () => readJobs(home).get(id));
  return { id, sessionId: job.sessionId, marker, place, name, flags: all, prompt };
}

/** Waits until the session's job is blocked and idle; returns its process's pid. */
export async function untilBlocked(/** @type {ClientHome} */ home, /** @type {Session} */ session) {
  await waitFor(
    `${session.name} is blocked`,
    () => readJobs(home).get(session.id)?.state === 'blocked',
  );
  return untilStatus(home, session, 'idle');
}

/** Waits until the session's process lives and has that status; returns its pid. */
export async function untilStatus(
  /** @type {ClientHome} */ home,
  /** @type {Session} */ session,
  /** @type {'idle' | 'waiting'} */ status,
) {
  const row = await waitFor(`${session.name} is ${status}`, async () => {
    const rows = await home.listing();
    return rows.find((one) => one.id === session.id && one.status === status && isAlive(one.pid));
  });
  return Number(row.pid);
}

/** Ends a session's own processes by pid, its terminal host included, and leaves the supervisor alone. */
export async function crashSession(/** @type {ClientHome} */ home, /** @type {Session} */ session) {
  const pid = await untilStatus(home, session, 'idle');
  const roster = readJson(join(home.claudeHome, 'daemon', 'roster.json'));
  const pids = [Number(roster?.workers?.[session.id]?.pid), pid].filter((one) => one > 0);
  for (const one of pids) process.kill(one, 'SIGKILL');
  await waitFor(`${session.name} is dead`, () => !pids.some(isAlive));
}

/** The session's first limit or error record. */
export function stopRecord(/** @type {ClientHome} */ home, /** @type {Session} */ session) {
  const records = readRecords(home, session.sessionId);
  const record = records.find((one) => one.isApiErrorMessage === true);
  check(record !== undefined, `the transcript of ${session.name} holds no error record`);
  return { uuid: String(record.uuid), at: Date.parse(record.timestamp) };
}

/** Opens the session in a terminal of its own, as a person does who looks at it. */
export function attachTerminal(/** @type {ClientHome} */ home, /** @type {Session} */ session) {
  const command = `'${home.binary}' attach ${session.id}`;
  const terminal = spawn('script', ['-qec', command, '/dev/null'], {
    cwd: session.place,
    env: home.env,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  return {
    end: async () => {
      for (const pid of home.processes().filter(isAttached)) process.kill(pid, 'SIGTERM');
      terminal.kill('SIGTERM');
    },
  };
}

export const isAttached = (/** @type {number} */ pid) => {
  const words = readText(`/proc/${pid}/cmdline`).split('\0');
  return words[0]?.endsWith('/claude') && words[1] === 'attach';
};

// `agents --json` and `daemon status`: rows made from the job folders and the roster, as the supervisor makes them.
import { join } from 'node:path';
import { jobFolder, listJobs, readJobState, readJson, writeJobState } from './job-files.mjs';
import { isAlive, livePids, readRoster, startWorker } from './roster.mjs';

const OVER = ['stopped', 'done', 'failed'];
// What a job file says on the way is `working` in the listing.
const ON_THE_WAY = ['starting', 'running', 'crashed'];
const REVIVED_FOR_MS = 60_000;

/**
 * @param {string} home
 * @param {import('./weather.mjs').ListingKnobs} knobs
 * @param {boolean} isAll whether those that are over are listed too
 */
export function list(home, knobs, isAll) {
  const { workers } = readRoster(home);
  const rows = listJobs(home)
    .map((job) => rowOf(home, job, workers[job.id]))
    .filter((row) => isAll || !OVER.includes(String(row.state)));
  const answer = [...rows, ...(knobs.extra ?? [])];
  process.stdout.write(
    `${JSON.stringify(knobs.notArray ? { agents: answer } : answer, null, 2)}\n`,
  );
  for (const id of knobs.revive ?? []) revive(home, id);
  return 0;
}

/**
 * @param {string} home
 * @param {{ id: string, state: import('./job-files.mjs').JobStateFile }} job
 * @param {import('./roster.mjs').Worker | undefined} worker
 */
function rowOf(home, { id, state }, worker) {
  const isRunning = livePids(worker).length > 0;
  const status = state.tempo === 'active' ? 'busy' : 'idle';
  return {
    ...(isRunning ? { pid: worker?.replPid ?? worker?.pid } : {}),
    id,
    cwd: state.cwd,
    kind: 'background',
    startedAt: isRunning ? worker?.startedAt : Date.parse(state.createdAt ?? ''),
    sessionId: state.sessionId,
    ...(state.name ? { name: state.name } : {}),
    ...(isRunning ? { status } : {}),
    state: ON_THE_WAY.includes(String(state.state)) ? 'working' : state.state,
    // What only the living client knows of a session, such as a menu that is open.
    ...readJson(join(jobFolder(home, id), 'stand-in.json')),
  };
}

/**
 * A supervisor's own restart of a session whose process died.
 * @param {string} home
 * @param {string} id
 */
function revive(home, id) {
  const state = readJobState(home, id);
  if (state === null || livePids(readRoster(home).workers[id]).length > 0) return;
  const { sessionId = '', cwd = '/' } = state;
  startWorker(home, { id, sessionId, cwd, runForMs: REVIVED_FOR_MS });
  const updatedAt = new Date().toISOString();
  writeJobState(home, id, { ...state, state: 'working', tempo: 'active', needs: null, updatedAt });
}

/**
 * @param {string} home
 * @param {string} version
 */
export function daemonStatus(home, version) {
  const { supervisorPid, workers } = readRoster(home);
  const isUp = supervisorPid !== null && isAlive(supervisorPid);
  const head = isUp ? `pid:     ${supervisorPid}\nversion: ${version}` : 'not running';
  const count = Object.keys(workers).length;
  process.stdout.write(`${head}\n\nbg sessions:\n  bg workers:   ${count} in roster.json\n`);
  return isUp ? 0 : 1;
}

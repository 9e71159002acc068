// `stop <8hex>`: the job reads stopped and its processes are gone; only the stand-in's own processes are ever killed.
import { spawn } from 'node:child_process';
import { readJobState, writeJobState } from './job-files.mjs';
import { editRoster, isAlive, livePids, readRoster } from './roster.mjs';

/**
 * @param {string} home
 * @param {import('./weather.mjs').StopKnobs} knobs
 * @param {string} id
 */
export function stop(home, knobs, id) {
  const state = /^[0-9a-f]{8}$/.test(id) ? readJobState(home, id) : null;
  if (state === null) {
    const hint = "Run 'claude agents' to list running sessions.";
    process.stderr.write(`No session matching '${id}'. ${hint}\n`);
    return 1;
  }
  if (!knobs.noStop) {
    endProcesses(home, id, knobs.hostLingersMs);
    writeStopped(home, id, state);
  }
  process.stdout.write(`stopped ${id}\n`);
  return 0;
}

/**
 * As measured: the timeline gets no line, and the limit is no longer named in the job.
 * @param {string} home
 * @param {string} id
 * @param {import('./job-files.mjs').JobStateFile} state
 */
function writeStopped(home, id, state) {
  const now = new Date().toISOString();
  writeJobState(home, id, {
    ...state,
    state: 'stopped',
    detail: 'stopped',
    tempo: 'idle',
    needs: null,
    updatedAt: now,
    firstTerminalAt: state.firstTerminalAt ?? now,
    lastTerminalAt: now,
  });
}

/**
 * @param {string} home
 * @param {string} id
 * @param {number | undefined} hostLingersMs
 */
function endProcesses(home, id, hostLingersMs) {
  const worker = readRoster(home).workers[id];
  if (worker === undefined) return;
  if (!worker.standIn) {
    if (livePids(worker).length > 0) return;
  } else if (hostLingersMs === undefined) {
    for (const pid of livePids(worker)) process.kill(pid, 'SIGKILL');
  } else {
    if (isAlive(worker.replPid, worker.replProcStart))
      process.kill(Number(worker.replPid), 'SIGKILL');
    const script = `sleep ${hostLingersMs / 1000}; kill -9 ${worker.pid}`;
    spawn('sh', ['-c', script], { detached: true, stdio: 'ignore', cwd: '/' }).unref();
    return;
  }
  editRoster(home, (roster) => {
    delete roster.workers[id];
  });
}

// Which processes belong to which job: `<home>/daemon/roster.json`, and whether the processes it names still live.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readJson, writeRenamed } from './job-files.mjs';

// Our own lock on the roster: one that is older than this was left by a killed call.
const LOCK_STALE_MS = 2000;

/** @type {typeof import('./roster.mjs').readRoster} */
export function readRoster(home) {
  const roster = readJson(join(home, 'daemon', 'roster.json'));
  return roster?.workers ? roster : { proto: 1, supervisorPid: null, updatedAt: 0, workers: {} };
}

/** @type {typeof import('./roster.mjs').editRoster} */
export function editRoster(home, edit) {
  const release = lock(join(home, 'daemon', 'stand-in.lock'));
  try {
    const roster = readRoster(home);
    edit(roster);
    const text = JSON.stringify({ ...roster, updatedAt: Date.now() }, null, 2);
    writeRenamed(join(home, 'daemon', 'roster.json'), text);
  } finally {
    release();
  }
}

/** @param {string} path */
function lock(path) {
  mkdirSync(join(path, '..'), { recursive: true });
  for (;;) {
    try {
      mkdirSync(path);
      return () => rmSync(path, { recursive: true, force: true });
    } catch {
      if (lockAgeMs(path) > LOCK_STALE_MS) rmSync(path, { recursive: true, force: true });
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}

/** @param {string} path */
function lockAgeMs(path) {
  try {
    return Date.now() - statSync(path).mtimeMs;
  } catch {
    return 0;
  }
}

/** @type {typeof import('./roster.mjs').readProcStart} */
export function readProcStart(pid) {
  return readStat(pid)?.[19];
}

/**
 * The fields of /proc/PID/stat from the third on (the second may hold spaces); the 22nd is the start time.
 * @param {number} pid
 */
function readStat(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

/** @type {typeof import('./roster.mjs').isAlive} */
export function isAlive(pid, procStart) {
  if (pid === undefined) return false;
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const stat = readStat(pid);
  if (stat === undefined) return true;
  return stat[0] !== 'Z' && (procStart === undefined || stat[19] === procStart);
}

/** @type {typeof import('./roster.mjs').livePids} */
export function livePids(worker) {
  if (worker === undefined) return [];
  const { pid, procStart, replPid, replProcStart } = worker;
  return [
    ...(isAlive(pid, procStart) ? [pid] : []),
    ...(replPid !== undefined && isAlive(replPid, replProcStart) ? [replPid] : []),
  ];
}

/** @type {typeof import('./roster.mjs').startWorker} */
export function startWorker(home, { id, sessionId, cwd, runForMs }) {
  const [host, repl] = [startSleep(runForMs), startSleep(runForMs)];
  editRoster(home, (roster) => {
    roster.workers[id] = {
      pid: host,
      procStart: readProcStart(host),
      sessionId,
      cliVersion: '2.1.332',
      startedAt: Date.now(),
      attempt: 1,
      cwd,
      replPid: repl,
      replProcStart: readProcStart(repl),
      standIn: true,
    };
  });
  return { pid: host, replPid: repl };
}

/** @param {number} ms */
function startSleep(ms) {
  const child = spawn('sleep', [String(ms / 1000)], { detached: true, stdio: 'ignore', cwd: '/' });
  child.unref();
  if (child.pid === undefined) throw new Error('`sleep` could not be started');
  return child.pid;
}

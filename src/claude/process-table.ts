// The processes that the client's own files record for each job, and whether they live.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Fact, known, unknown } from '../core/fact.ts';
import { isRecord } from '../core/record.ts';
import type { ProcessState } from '../core/session.ts';
import type { ClaudeHome } from './home.ts';
import { type RecordedProcess, readProcess, stateOf } from './process.ts';
import { readSmallFile } from './read-bounded.ts';

/** The processes that the client's files record. */
export interface ProcessTable {
  /** By job id. */
  readonly jobs: ReadonlyMap<string, readonly RecordedProcess[]>;
  /** Jobs that the supervisor counts as its own now. */
  readonly workers: ReadonlySet<string>;
  readonly isSupervisorAlive: boolean;
}

/**
 * All processes of a job together: one that lives outweighs one that cannot be told, that outweighs the dead. Dead
 * ones whose living supervisor still lists them are about to be restarted (measured: ten seconds after their death).
 */
export function jobProcessState(table: ProcessTable, id: string): Fact<ProcessState> {
  const processes = table.jobs.get(id) ?? [];
  if (processes.length === 0) return known('none');
  const states = processes.map(stateOf);
  if (states.some((state) => state.known && state.value === 'alive')) return known('alive');
  const untold = states.find((state) => !state.known);
  if (untold !== undefined) return untold;
  return known(table.isSupervisorAlive && table.workers.has(id) ? 'restarting' : 'gone');
}

/** `daemon/roster.json` (host and session of each worker) and `sessions/<pid>.json`, as one table. */
export function readProcessTable(home: ClaudeHome): Fact<ProcessTable> {
  const jobs = new Map<string, RecordedProcess[]>();
  const add = (id: string, recorded: RecordedProcess) =>
    jobs.set(id, [...(jobs.get(id) ?? []), recorded]);
  const roster = readJson(join(home.path, 'daemon', 'roster.json'));
  if (!roster.known) return unknown(`the supervisor's roster.json ${roster.why}`);
  const workers = roster.value === null ? {} : roster.value['workers'];
  if (!isRecord(workers)) return unknown("the supervisor's roster.json has no workers");
  for (const [id, worker] of Object.entries(workers)) {
    if (!isRecord(worker)) return unknown("the supervisor's roster.json has a foreign worker");
    const processes = workerProcesses(worker);
    if (processes === null) return unknown("the supervisor's roster.json has a foreign worker");
    for (const recorded of processes) add(id, recorded);
  }
  for (const [id, recorded] of sessionProcesses(home)) add(id, recorded);
  const isSupervisorAlive = roster.value !== null && supervisorLives(home, roster.value);
  return known({ jobs, workers: new Set(Object.keys(workers)), isSupervisorAlive });
}

/** Host and session of a worker, null when one is of a foreign type; clients before 2.1.300 or so name the host alone. */
function workerProcesses(worker: Record<string, unknown>): RecordedProcess[] | null {
  const recordedAt = numberOf(worker['startedAt']);
  const processes: RecordedProcess[] = [];
  for (const [pidKey, startKey] of [
    ['pid', 'procStart'],
    ['replPid', 'replProcStart'],
  ] as const) {
    const pid = numberOf(worker[pidKey]);
    if (pid === null && worker[pidKey] != null) return null;
    if (pid !== null) processes.push({ pid, start: startOf(worker[startKey]), recordedAt });
  }
  return processes;
}

/** Sessions by their own files, which stay behind after a crash. */
function sessionProcesses(home: ClaudeHome): [string, RecordedProcess][] {
  return namesIn(join(home.path, 'sessions')).flatMap((name) => {
    if (!/^\d+\.json$/.test(name)) return [];
    const session = readJson(join(home.path, 'sessions', name));
    // A session file that is just being replaced is no news about any job: the roster and the listing tell.
    if (!session.known || session.value === null) return [];
    const { pid, jobId, procStart, startedAt } = session.value;
    if (numberOf(pid) === null || typeof jobId !== 'string') return [];
    const start = startOf(procStart);
    return [[jobId, { pid: pid as number, start, recordedAt: numberOf(startedAt) }]];
  });
}

/** `daemon.lock` has the supervisor's start; without it, any process under its pid counts as the supervisor. */
function supervisorLives(home: ClaudeHome, roster: Record<string, unknown>): boolean {
  const pid = numberOf(roster['supervisorPid']);
  if (pid === null) return false;
  const lock = readJson(join(home.path, 'daemon.lock'));
  const own = lock.known && lock.value?.['pid'] === pid ? lock.value : null;
  const start = own === null ? null : startOf(own['procStart']);
  const recordedAt = numberOf(own?.['startedAt']) ?? numberOf(roster['updatedAt']);
  const running = readProcess(pid);
  if (running === null || running.isZombie) return false;
  if (start !== null && running.start !== null) return running.start === start;
  const state = stateOf({ pid, start, recordedAt });
  return !state.known || state.value === 'alive';
}

function readJson(path: string): Fact<Record<string, unknown> | null> {
  const text = readSmallFile(path);
  if (!text.known) return text;
  if (text.value === null) return known(null);
  try {
    const value: unknown = JSON.parse(text.value);
    return isRecord(value) ? known(value) : unknown('is no object');
  } catch {
    return unknown('is no JSON');
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

const numberOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;

const startOf = (value: unknown): string | null =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : null;

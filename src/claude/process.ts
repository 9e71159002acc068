// Whether a process is still the one that was recorded: it exists, is no zombie, started when the record says, on
// this boot. What does not match is unknown, never dead.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Fact, known, unknown } from '../core/fact.ts';
import type { ProcessState } from '../core/session.ts';
import type { ClaudeHome } from './home.ts';
import { isRecord } from './job-state.ts';
import { readSmallFile } from './read-bounded.ts';

/** A process as somebody recorded it. `start`: field 22 of /proc/PID/stat (Linux), else what ps calls lstart. */
export interface RecordedProcess {
  readonly pid: number;
  readonly start: string | null;
  /** When the record was written (epoch ms): before this boot means dead, whatever runs under that pid now. */
  readonly recordedAt: number | null;
}

/** The processes that the client's files record. */
export interface ProcessTable {
  /** By job id. */
  readonly jobs: ReadonlyMap<string, readonly RecordedProcess[]>;
  /** Jobs that the supervisor counts as its own now. */
  readonly workers: ReadonlySet<string>;
  readonly isSupervisorAlive: boolean;
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
    for (const recorded of workerProcesses(worker)) add(id, recorded);
  }
  for (const [id, recorded] of sessionProcesses(home)) add(id, recorded);
  const isSupervisorAlive = roster.value !== null && supervisorLives(home, roster.value);
  return known({ jobs, workers: new Set(Object.keys(workers)), isSupervisorAlive });
}

/** Host and session of a worker; clients before 2.1.300 or so name the host alone. */
function workerProcesses(worker: Record<string, unknown>): RecordedProcess[] {
  const recordedAt = numberOf(worker['startedAt']);
  const processes: RecordedProcess[] = [];
  for (const [pidKey, startKey] of [
    ['pid', 'procStart'],
    ['replPid', 'replProcStart'],
  ] as const) {
    const pid = numberOf(worker[pidKey]);
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

/** Whether this very process lives. */
export function stateOf(recorded: RecordedProcess): Fact<ProcessState> {
  const bootAt = bootInstant();
  if (recorded.recordedAt !== null && bootAt !== null && recorded.recordedAt < bootAt - 2000) {
    return known('gone');
  }
  const running = readProcess(recorded.pid);
  if (running === null || running.isZombie) return known('gone');
  if (recorded.start === null)
    return unknown(`process ${recorded.pid} exists, its start was not recorded`);
  if (running.start === null) return unknown(`the start of process ${recorded.pid} cannot be read`);
  if (running.start === recorded.start) return known('alive');
  return unknown(`process ${recorded.pid} is another one than recorded`);
}

/** The process under a pid now; null when there is none. */
export function readProcess(pid: number): { start: string | null; isZombie: boolean } | null {
  if (!Number.isInteger(pid) || pid <= 0) return null;
  return process.platform === 'linux' ? readLinuxProcess(pid) : readPsProcess(pid);
}

function readLinuxProcess(pid: number): { start: string | null; isZombie: boolean } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The second field is the command in parentheses and may hold spaces and parentheses itself: proc(5).
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { start: fields[19] ?? null, isZombie: fields[0] === 'Z' || fields[0] === 'X' };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    return code === 'ENOENT' || code === 'ESRCH' ? null : { start: null, isZombie: false };
  }
}

function readPsProcess(pid: number): { start: string | null; isZombie: boolean } | null {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return null;
  }
  try {
    const line = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      timeout: 5000,
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
    const [stat, ...start] = line.split(/\s+/);
    return { start: start.join(' ') || null, isZombie: stat?.startsWith('Z') === true };
  } catch {
    return { start: null, isZombie: false };
  }
}

/** An id of this boot; null where the system has none. */
export function bootId(): string | null {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return process.platform === 'darwin' ? macBootTime() : null;
  }
}

function macBootTime(): string | null {
  try {
    return execFileSync('/usr/sbin/sysctl', ['-n', 'kern.boottime'], {
      encoding: 'utf8',
      timeout: 5000,
    }).trim();
  } catch {
    return null;
  }
}

function bootInstant(): number | null {
  try {
    const match = /^btime (\d+)$/m.exec(readFileSync('/proc/stat', 'latin1'));
    return match === null ? null : Number(match[1]) * 1000;
  } catch {
    return null;
  }
}

/**
 * Whether a terminal client of this home runs: `claude attach …` or the agents view (`claude agents` without
 * `--json`). Where another process's environment cannot be read, each such client of the machine counts.
 */
export function hasTerminalClient(home: ClaudeHome): Fact<boolean> {
  if (process.platform !== 'linux') return psTerminalClient();
  for (const name of namesIn('/proc')) {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) continue;
    const args = argumentsOf(name);
    if (args === null || !isTerminalClient(args)) continue;
    if (belongsTo(name, home)) return known(true);
  }
  return known(false);
}

/** The words of `claude attach ID` and of `claude agents`, which draws the agents view unless asked for JSON. */
export function isTerminalClient(args: readonly string[]): boolean {
  const [program = '', ...words] = args;
  const isClaude = /(?:^|\/)claude(?:\.exe)?$/.test(program.split(' ')[0] ?? '');
  const viaRuntime = words.findIndex((word) => /claude(?:-code)?\/cli\.m?js$|\/claude$/.test(word));
  if (!isClaude && viaRuntime !== 0) return false;
  const rest = isClaude ? words : words.slice(1);
  return rest.includes('attach') || (rest.includes('agents') && !rest.includes('--json'));
}

function argumentsOf(pid: string): string[] | null {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      .split('\0')
      .filter((word) => word !== '');
  } catch {
    return null;
  }
}

function belongsTo(pid: string, home: ClaudeHome): boolean {
  try {
    const values = new Map<string, string>();
    for (const entry of readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')) {
      if (entry.startsWith('HOME=')) values.set('HOME', entry.slice(5));
      if (entry.startsWith('CLAUDE_CONFIG_DIR=')) values.set('DIR', entry.slice(18));
    }
    const named = values.get('DIR');
    if (named !== undefined && named !== '') return named.replace(/\/+$/, '') === home.path;
    return join(values.get('HOME') ?? '/', '.claude') === home.path;
  } catch {
    return true;
  }
}

function psTerminalClient(): Fact<boolean> {
  try {
    const list = execFileSync('ps', ['-axo', 'args='], {
      encoding: 'utf8',
      timeout: 5000,
      maxBuffer: 16e6,
    });
    return known(list.split('\n').some((line) => isTerminalClient(line.trim().split(/\s+/))));
  } catch {
    return unknown('the machine’s processes cannot be listed');
  }
}

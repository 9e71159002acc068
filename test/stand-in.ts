// Sample Claude homes for tests, in the client's own shapes, with the stand-in client to answer for them.
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { appendTranscript, type JobStateFile, readJobState } from '../demo/stand-in/job-files.mjs';
import { writeLogin } from '../demo/stand-in/login.mjs';
import type { TranscriptRecord } from '../demo/stand-in/records.mjs';
import { editRoster, isAlive, startWorker } from '../demo/stand-in/roster.mjs';
import type { Weather } from '../demo/stand-in/weather.mjs';
import { type JobOptions, type WrittenJob, writeJob } from '../demo/stand-in/write-job.mjs';

export type { JobStateFile, TimelineLine } from '../demo/stand-in/job-files.mjs';
export { appendTranscript, readJobState } from '../demo/stand-in/job-files.mjs';
export type { Block, Session, Stop, TranscriptRecord } from '../demo/stand-in/records.mjs';
export {
  assistantRecord,
  bookkeepingRecords,
  metaRecords,
  stopRecord,
  userRecord,
} from '../demo/stand-in/records.mjs';
export { editRoster, isAlive, readProcStart, readRoster } from '../demo/stand-in/roster.mjs';
export { limitText, needsText } from '../demo/stand-in/stop-text.mjs';
export type { Weather } from '../demo/stand-in/weather.mjs';

/** Absolute path of the stand-in client: an executable, for `--claude-bin`. */
export const STAND_IN = fileURLToPath(new URL('../demo/stand-in-client.mjs', import.meta.url));

/** No process ever has a pid beyond the kernel's limit of 2^22, so these are surely dead. */
const DEAD_PID = 4_200_000;

export interface Home {
  /** The HOME of this home: holds `.claude` and the working directories. */
  readonly root: string;
  /** The Claude home, which all functions below take. */
  readonly home: string;
  /** Ends every process that was started in it, then removes it. */
  readonly remove: () => void;
}

export interface MadeJob extends WrittenJob {
  /** Of the sleeping processes, when `process` is `alive`. */
  readonly pids: readonly number[];
}

export interface MakeJobOptions extends Omit<JobOptions, 'cwd' | 'shownAt'> {
  /** Default: a fresh folder `project` in the root, which is created. A path that is given is not created. */
  cwd?: string;
  /** Epoch ms. Default: an hour ago. */
  shownAt?: number;
  /** Default `gone`: the roster still names dead processes. `none`: it names none. */
  process?: 'gone' | 'alive' | 'none';
}

/** One line of `stand-in-calls.jsonl`. */
export interface Call {
  readonly at: string;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: {
    readonly HOME?: string;
    readonly CLAUDE_CONFIG_DIR?: string;
    readonly PATH?: string;
    /** Names of the other variables that begin with CLAUDE or ANTHROPIC. */
    readonly names: readonly string[];
  };
}

/** A logged-in home without jobs, in a folder of its own. */
export function makeHome(): Home {
  const root = mkdtempSync(join(tmpdir(), 'secondwind-test-'));
  const home = join(root, '.claude');
  mkdirSync(join(home, 'jobs'), { recursive: true });
  mkdirSync(join(home, 'projects'));
  writeLogin(home);
  const remove = () => {
    endWorkers(home);
    rmSync(root, { recursive: true, force: true, maxRetries: 3 });
  };
  return { root, home, remove };
}

/** A job in the client's own shapes: by default one that a 5-hour limit stopped an hour ago, its process gone. */
export function makeJob(home: string, options: MakeJobOptions = {}): MadeJob {
  const cwd = options.cwd ?? join(dirname(home), 'project');
  if (options.cwd === undefined) mkdirSync(cwd, { recursive: true });
  const shownAt = options.shownAt ?? Date.now() - 3_600_000;
  const job = writeJob(home, { ...options, cwd, shownAt });
  if (options.process === 'alive') return { ...job, pids: startSleeper(home, job).pids };
  if (options.process !== 'none') writeDeadWorker(home, job);
  return { ...job, pids: [] };
}

function writeDeadWorker(home: string, { id, sessionId, cwd, shownAt }: WrittenJob): void {
  editRoster(home, ({ workers }) => {
    const pid = DEAD_PID + 2 * Object.keys(workers).length;
    workers[id] = {
      pid,
      procStart: '208979',
      sessionId,
      cliVersion: '2.1.332',
      startedAt: shownAt - 60_000,
      attempt: 1,
      cwd,
      replPid: pid + 1,
      replProcStart: '208991',
    };
  });
}

/** Two living processes for a job, host and session, in the roster; `stop` ends them and leaves the roster's entry. */
export function startSleeper(
  home: string,
  { id, sessionId, cwd }: Pick<WrittenJob, 'id' | 'sessionId' | 'cwd'>,
  runForMs = 120_000,
): { readonly pids: readonly number[]; readonly stop: () => void } {
  const { pid, replPid } = startWorker(home, { id, sessionId, cwd, runForMs });
  const pids = [pid, replPid];
  return { pids, stop: () => pids.forEach(endProcess) };
}

function endProcess(pid: number): void {
  if (isAlive(pid)) process.kill(pid, 'SIGKILL');
}

function endWorkers(home: string): void {
  editRoster(home, ({ workers }) => {
    for (const worker of Object.values(workers)) {
      if (worker.standIn !== true) continue;
      if (isAlive(worker.pid, worker.procStart)) endProcess(worker.pid);
      const { replPid, replProcStart } = worker;
      if (replPid !== undefined && isAlive(replPid, replProcStart)) endProcess(replPid);
    }
  });
}

/** Sets what the stand-in does from its next call on; what is left out is as usual. */
export function writeWeather(home: string, weather: Partial<Weather>): void {
  writeFileSync(join(home, 'stand-in.json'), JSON.stringify(weather));
}

/** Every call of the stand-in so far, in order. */
export function readCalls(home: string): Call[] {
  return readLines(join(home, 'stand-in-calls.jsonl')) as unknown as Call[];
}

/** The calls that could have started a session. */
export function readLaunches(home: string): Call[] {
  return readCalls(home).filter(({ argv }) => argv.includes('--bg'));
}

/** The records of a job's transcript; empty when there is none. */
export function readTranscript({ transcriptPath }: Pick<WrittenJob, 'transcriptPath'>) {
  return readLines(transcriptPath) as TranscriptRecord[];
}

/** Appends records to a job's transcript, as if its session had gone on. */
export function goOn(job: Pick<WrittenJob, 'transcriptPath'>, records: TranscriptRecord[]): void {
  appendTranscript(job.transcriptPath, records);
}

/** The job's state; throws when it cannot be read. */
export function readState(home: string, id: string): JobStateFile {
  const state = readJobState(home, id);
  if (state === null) throw new Error(`no readable state of ${id}`);
  return state;
}

/** Adds raw bytes to a file of the home, such as a half-written line. */
export function appendRaw(path: string, text: string): void {
  appendFileSync(path, text);
}

function readLines(path: string): Record<string, unknown>[] {
  try {
    const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean);
    return lines.map((line) => JSON.parse(line));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

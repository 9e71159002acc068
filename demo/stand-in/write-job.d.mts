// The types of write-job.mjs. Instants are epoch ms.
import type { JobStateFile, TimelineLine } from './job-files.mjs';
import type { TranscriptRecord } from './records.mjs';

export interface JobOptions {
  /** Default: the beginning of the sessionId, which is random unless given. */
  id?: string | undefined;
  sessionId?: string | undefined;
  /** Default `job one`; null: never named. */
  name?: string | null;
  cwd: string;
  /** Default `blocked`. */
  state?: string;
  /** Default: the limit message that fits `limitType` and `resetsAt`. */
  detail?: string;
  /** Default: what the client writes for this error. */
  needs?: string | null;
  shownAt: number;
  /** Default, for a limit: five hours after it was shown. Null: none is stated. */
  resetsAt?: number | null;
  limitType?: string;
  /** Default `rate_limit`; null: no error record, the last words are the agent's own. */
  error?: string | null;
  /** What the transcript says, where `detail` is only a summary of it. */
  text?: string;
  /** Client that wrote it; before 2.1.260 its records state no reset. Default 2.1.332. */
  version?: string;
  /** Default `limit`: a prompt, an answer, the stop. */
  transcript?: 'limit' | 'none' | readonly TranscriptRecord[];
  /** Records after the stop. */
  after?: readonly TranscriptRecord[];
  /** Default `stop`: the one line of the stop. */
  timeline?: 'stop' | 'none' | readonly TimelineLine[];
  respawnFlags?: string[];
  intent?: string;
  /** Written over the fields of state.json, whatever their type. */
  fields?: JobStateFile;
  /** Written over the listing's row: what only the living client knows (`status`, `waitingFor`, …). */
  row?: Record<string, unknown>;
}

export interface WrittenJob {
  id: string;
  sessionId: string;
  cwd: string;
  name: string | null;
  detail: string;
  shownAt: number;
  resetsAt: number | null;
  statePath: string;
  transcriptPath: string;
}

export function writeJob(home: string, options: JobOptions): WrittenJob;

// The types of the stand-in's knobs: what `<home>/stand-in.json` may say.

/** What any command can be told. `stdout` or `exit` replace the command's own work and answer. */
export interface Disturbance {
  delayMs?: number;
  hang?: true | 'stubborn';
  exit?: number;
  stdout?: string;
  stderr?: string;
  /** SIGKILL for the calling process, before anything is done or after all of it is. */
  killParent?: 'before' | 'after';
  /** Does its work, prints its answer, and then does not end, or ends with this status. */
  hangAfter?: true | 'stubborn';
  exitAfter?: number;
}

export interface ListingKnobs extends Disturbance {
  /** Answers with an object. */
  notArray?: boolean;
  /** Rows added as they are: interactive sessions, rows of unknown kinds. */
  extra?: object[];
  /** Ids whose sessions the supervisor brings back by itself right after this listing was printed. */
  revive?: string[];
}

export interface Refusal {
  /** Default: the limit message that fits `limitType` and `resetsAt`. */
  text?: string;
  /** ISO instant or epoch ms; null: none is stated. Default: in five hours. */
  resetsAt?: string | number | null;
  /** Default `rate_limit`. */
  error?: string;
  /** As in `quotaLimits.rateLimitType`. Default `five_hour`. */
  limitType?: string;
}

export interface ResumeKnobs extends Disturbance {
  /** Does it all and prints nothing. */
  silent?: boolean;
  /** Does it all and prints this in place of its answer. */
  says?: string;
  /** Says that it was backgrounded, and no turn is taken. */
  noTurn?: boolean;
  /** The turn is refused: a new error record, and the session is blocked again. */
  refuse?: Refusal;
  /** The woken session's processes live on for so many ms (host and session, in the roster). */
  runFor?: number;
  /** What the state reads after the turn. Default `working`, idle. */
  endState?: 'working' | 'done';
  /** Whether "Continue from where you left off." comes before the prompt. Default: only in copy mode, as measured. */
  metaRecords?: boolean;
  /** Other knobs for one conversation, by its sessionId or job id; they replace these. */
  bySession?: Record<string, ResumeKnobs>;
}

export interface StopKnobs extends Disturbance {
  /** Says `stopped` and does nothing. */
  noStop?: boolean;
  /** The terminal host outlives the stop by so many ms. */
  hostLingersMs?: number;
}

export interface Weather {
  mode: 'in_place' | 'copy';
  version: string;
  listing: ListingKnobs;
  resume: ResumeKnobs;
  stop: StopKnobs;
}

export function readWeather(home: string): Weather;
export function disturb(knobs: Disturbance, act: () => number): Promise<number>;

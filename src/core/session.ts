// The evidence about one session, as plain data: what was read, and what could not be.
import type { Fact } from './fact.ts';
import type { ReasonSource } from './reason.ts';

/** What a usage limit is counted over. `untyped`: the message names none. */
export type LimitKind =
  | 'session'
  | 'weekly'
  | 'opus'
  | 'sonnet'
  | 'fable'
  | 'extra_usage'
  | 'credits'
  | 'spend'
  | 'org'
  | 'untyped';

/** `state.json` of a job; a missing field is null. Instants are epoch ms. Texts are as the client wrote them. */
export interface JobState {
  readonly state: string;
  readonly detail: string;
  readonly needs: string;
  readonly tempo: string | null;
  /** Tasks and prompts that a stop would lose: in-flight tasks, queued prompts, kinds of running work. */
  readonly inFlight: number;
  readonly queuedPrompt: string | null;
  readonly hasSelfWake: boolean;
  readonly template: string | null;
  readonly backend: string | null;
  readonly respawnFlags: readonly string[];
  readonly intent: string;
  readonly name: string | null;
  readonly sessionId: string | null;
  readonly resumeSessionId: string | null;
  readonly cwd: string | null;
  readonly transcriptPath: string | null;
  readonly cliVersion: string | null;
  readonly zone: string | null;
  readonly createdAt: number | null;
  readonly updatedAt: number | null;
  /** When it last ended: a stop writes it. */
  readonly endedAt: number | null;
}

/** The API error record that ends a transcript: what the client itself knew about the stop. */
export interface ErrorRecord {
  readonly uuid: string | null;
  readonly at: number | null;
  /** `rate_limit`, `overloaded`, `server_error`, `authentication_failed`, `billing_error`, … */
  readonly error: string | null;
  readonly status: number | null;
  readonly text: string;
  /** From `quotaLimits`; null on clients before 2.1.260. `resetsAt` in epoch ms. */
  readonly quota: {
    readonly resetsAt: number | null;
    readonly limitType: string | null;
    readonly overageDisabledReason: string | null;
  } | null;
}

/** What the last 256 KiB of a transcript say. */
export interface TranscriptTail {
  readonly path: string;
  /** The last API error record of the main conversation, or null when the tail holds none. */
  readonly error: ErrorRecord | null;
  /** A real user or assistant record stands after that error record. */
  readonly hasMovedOn: boolean;
  /** The last real record is an assistant's call of a tool that nothing answered. */
  readonly hasOpenToolCall: boolean;
  /** Instant (epoch ms) of the last real assistant record; null when the tail holds none. */
  readonly lastAssistantAt: number | null;
  /** Whether any real record, or an error record, is in the tail at all. */
  readonly hasRecords: boolean;
  /** Texts of user records in the tail that carry a nonce of ours, newest last. */
  readonly nonces: readonly string[];
  /** The last zone that a limit message of this conversation stated, as printed. */
  readonly statedZone: string | null;
}

/** One row of the client's listing. */
export interface ListingRow {
  readonly id: string | null;
  readonly kind: string;
  readonly state: string | null;
  readonly status: string | null;
  readonly waitingFor: string | null;
  readonly pid: number | null;
  readonly sessionId: string | null;
  readonly name: string | null;
  readonly cwd: string | null;
}

/**
 * `none`: no process is recorded; `gone`: each recorded one is dead; `alive`: at least one lives; `restarting`: dead,
 * but its living supervisor still has it in its roster and restarts it within seconds.
 */
export type ProcessState = 'none' | 'gone' | 'alive' | 'restarting';

/** When the stop was shown, and which evidence says so. */
export interface Shown {
  readonly at: number;
  readonly source: Exclude<ReasonSource, 'none'>;
}

/** The instant at which a stop lifts by what the client said, kept from its first sighting on. */
export interface Reset {
  readonly at: number;
  readonly source: Exclude<ReasonSource, 'none'>;
  /** Why the instant is doubtful (beyond its window, a clock that jumped); null when it is not. */
  readonly suspect: string | null;
}

export interface Place {
  readonly hasCwd: boolean;
  /** The transcript is in the folder that belongs to the cwd: else a resume would start an empty session. */
  readonly hasTranscript: boolean;
}

/** All about one job. `null` facts were not asked for: nothing before them settled it or needs them. */
export interface JobEvidence {
  readonly id: string;
  readonly state: Fact<JobState>;
  /** The stop line of `timeline.jsonl`: when its text was shown; null when no line shows it. */
  readonly timeline: Fact<{ readonly at: number; readonly text: string } | null> | null;
  readonly transcript: Fact<TranscriptTail | null> | null;
  readonly process: Fact<ProcessState> | null;
  /** The listing's row; value null when the listing has none for it. */
  readonly row: Fact<ListingRow | null> | null;
  readonly place: Fact<Place> | null;
  /** Jobs, not known as successors, whose transcripts go on from this one's records: copies made by others. */
  readonly copies: Fact<readonly string[]> | null;
}

/** What must never run twice, and the jobs that belong to it. */
export interface Conversation {
  readonly key: string;
  /** The job that a decision is about: the newest of the line. */
  readonly job: JobEvidence;
  /** Its other jobs: husks, copies that were undone. */
  readonly others: readonly JobEvidence[];
}

/** Instant (epoch ms) of the last real assistant record in the tail of its transcript; null when none is known. */
export function lastAssistantAtOf({ transcript }: JobEvidence): number | null {
  return transcript?.known === true ? (transcript.value?.lastAssistantAt ?? null) : null;
}

// Why and when a session stopped, and when that lifts: the evidence of a job weighed into one `Stop`.
import { type Cause, causeOf } from './cause.ts';
import { cleanLine } from './clean-text.ts';
import type { Episode, History } from './ledger.ts';
import type { ResetQuery, ResetReading } from './reset-time.ts';
import type { JobEvidence, JobState, Reset, Shown, TranscriptTail } from './session.ts';

export interface Stop {
  /** The limit record's uuid, else `shown:` and the instant: one stop of one conversation. */
  readonly episodeId: string;
  readonly recordUuid: string | null;
  readonly shown: Shown;
  readonly cause: Cause;
  /** Null when no reset is stated, or none that can be read; `resetProblem` says which. */
  readonly reset: Reset | null;
  readonly resetProblem: string | null;
  /** The cause stands in texts only, while the transcript can be read and does not confirm it. */
  readonly isUnconfirmed: boolean;
  /** The job reads `stopped`, but by our own hand, between a stop and its launch. */
  readonly isOurStop: boolean;
}

export interface StopContext {
  readonly history: History;
  readonly now: number;
  readonly machineZone: () => string;
  /** Reads a reset text; null while that part of the program is not loaded. */
  readonly readReset: ((query: ResetQuery) => ResetReading) | null;
}

/** `needs-reader`: a text has to be read, and `readReset` is null. `no-stop`: the job is not stopped at all. */
export type StopReading =
  | { readonly kind: 'stop'; readonly stop: Stop }
  | { readonly kind: 'needs-reader' }
  | { readonly kind: 'no-stop' };

/** How far the transcript's record may be younger than the timeline's line and still be the same stop. */
const SAME_STOP_MS = 300_000;

/** Weighs the evidence of one job. Facts that could not be read count as absent here; `decide` refuses on them. */
export function readStop(job: JobEvidence, context: StopContext): StopReading {
  if (!job.state.known) return { kind: 'no-stop' };
  const state = job.state.value;
  const ours = ourStop(job, state, context.history);
  if (state.state !== 'blocked' && ours === null) return { kind: 'no-stop' };
  const tail = job.transcript?.known === true ? job.transcript.value : null;
  const error = tail?.error ?? null;
  const detail = ours === null ? state.detail : ours.message;
  const cause = causeOf({ detail, needs: ours === null ? state.needs : '', error });
  const found = shownOf(job, state, tail);
  const seen = sameEpisode(context.history, { uuid: error?.uuid ?? null, shown: found, detail });
  const shown = weakSource(found) && seen !== null ? shownOfEpisode(seen) : (found ?? null);
  const at = shown ?? { at: context.now, source: 'first_seen' as const };
  const reset = resetOf({ cause, tail, detail, state, shown: at, seen }, context);
  if (reset.kind === 'needs-reader') return reset;
  return {
    kind: 'stop',
    stop: {
      episodeId: seen?.id ?? error?.uuid ?? `shown:${new Date(at.at).toISOString()}`,
      recordUuid: error?.uuid ?? null,
      shown: at,
      cause,
      reset: reset.reset,
      resetProblem: reset.problem,
      isUnconfirmed: tail !== null && error === null,
      isOurStop: ours !== null,
    },
  };
}

/** How long after our mark a stop can be ours: the bound of `claude stop`, of its processes' end, and some slack. */
const OUR_STOP_MS = 180_000;

/** The episode under which we stopped this job; a stop at any other time is its owner's. */
function ourStop(job: JobEvidence, state: JobState, history: History): Episode | null {
  const endedAt = state.endedAt ?? state.updatedAt;
  if (state.state !== 'stopped' || endedAt === null) return null;
  const isOurs = ({ stopping }: Episode): boolean => {
    if (stopping === null || stopping.job_id !== job.id) return false;
    const sinceMs = endedAt - Date.parse(stopping.at);
    return sinceMs > -1000 && sinceMs < OUR_STOP_MS;
  };
  return history.episodes.findLast(isOurs) ?? null;
}

/** Timeline, then the transcript's record, then `updatedAt`; the ledger's first sighting goes before the last. */
function shownOf(job: JobEvidence, state: JobState, tail: TranscriptTail | null): Shown | null {
  const line = job.timeline?.known === true ? job.timeline.value : null;
  const recordAt = tail?.error?.at ?? null;
  if (line !== null && (recordAt === null || recordAt - line.at < SAME_STOP_MS)) {
    return { at: line.at, source: 'timeline' };
  }
  if (recordAt !== null) return { at: recordAt, source: 'transcript' };
  return state.updatedAt === null ? null : { at: state.updatedAt, source: 'updated_at' };
}

const weakSource = (shown: Shown | null): boolean =>
  shown === null || shown.source === 'updated_at' || shown.source === 'first_seen';

const shownOfEpisode = (episode: Episode): Shown => ({
  at: Date.parse(episode.shown_at),
  source: episode.shown_source === 'updated_at' ? 'first_seen' : episode.shown_source,
});

/**
 * The ledger's record of this very stop. A record's uuid or the instant settles it. Where only a file's own
 * update time is known, which moves when the file is rewritten, the latest untried sighting of the same text does.
 */
function sameEpisode(
  history: History,
  stop: { uuid: string | null; shown: Shown | null; detail: string },
): Episode | null {
  const { uuid, shown, detail } = stop;
  const byIdentity = history.episodes.findLast(
    (one) =>
      (uuid !== null && one.record_uuid === uuid) ||
      ((uuid === null || one.record_uuid === null) &&
        shown !== null &&
        Date.parse(one.shown_at) === shown.at),
  );
  if (byIdentity !== undefined) return byIdentity;
  const last = history.episodes.at(-1);
  if (last === undefined || last.message !== messageOf(detail)) return null;
  if (uuid !== null && last.record_uuid !== null) return null;
  const isWeak =
    weakSource(shown) || last.shown_source === 'updated_at' || last.shown_source === 'first_seen';
  if (!isWeak) return null;
  const tried = last.attempts.at(-1);
  if (tried === undefined) return last;
  return shown !== null && shown.at > Date.parse(tried.at) ? null : last;
}

/** The stop's message as the ledger keeps it. */
export const messageOf = (detail: string): string => cleanLine(detail, 200);

interface ResetEvidence {
  readonly cause: Cause;
  readonly tail: TranscriptTail | null;
  readonly detail: string;
  readonly state: JobState;
  readonly shown: Shown;
  readonly seen: Episode | null;
}

type ResetFound =
  | { readonly kind: 'reset'; readonly reset: Reset | null; readonly problem: string | null }
  | { readonly kind: 'needs-reader' };

function resetOf(evidence: ResetEvidence, context: StopContext): ResetFound {
  const { cause, tail, shown, seen } = evidence;
  if (cause.kind !== 'limit') return { kind: 'reset', reset: null, problem: null };
  const exact = tail?.error?.quota?.resetsAt ?? null;
  if (exact !== null) {
    return {
      kind: 'reset',
      reset: { at: exact, source: 'transcript', suspect: null },
      problem: null,
    };
  }
  if (seen?.reset_at != null && seen.reset_source !== 'none') {
    const reset = {
      at: Date.parse(seen.reset_at),
      source: seen.reset_source,
      suspect: seen.suspect,
    };
    return { kind: 'reset', reset, problem: null };
  }
  if (!cause.statesReset) return { kind: 'reset', reset: null, problem: 'no reset is stated' };
  if (context.readReset === null) return { kind: 'needs-reader' };
  const reading = context.readReset({
    text: cause.text,
    shownAt: shown.at,
    limit: cause.limit,
    sessionZone: evidence.state.zone ?? tail?.statedZone ?? null,
    machineZone: context.machineZone(),
  });
  if (reading.kind === 'at') {
    const reset = { at: reading.resetAt, source: shown.source, suspect: reading.suspect };
    return { kind: 'reset', reset, problem: null };
  }
  const problem = reading.kind === 'none' ? 'no reset is stated' : reading.why;
  return { kind: 'reset', reset: null, problem };
}

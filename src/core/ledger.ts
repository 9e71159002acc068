// The ledger as a value: what was seen stopped, what was tried, how it went, and what can be asked of it.
import type { Reason, ReasonSource } from './reason.ts';
import type { LimitKind } from './session.ts';

/**
 * `launching`: begun, the answer is not known yet. `kept`: refused, but the client delivers the prompt later.
 * `came_back`: it had come back by itself, our copy was stopped.
 */
export type Outcome =
  | 'launching'
  | 'woken'
  | 'copied'
  | 'came_back'
  | 'unconfirmed'
  | 'failed'
  | 'kept';

/** Instants are ISO 8601 UTC; this is the shape on disk (`ledger.schema.json`). */
export interface Attempt {
  readonly nonce: string;
  readonly at: string;
  readonly job_id: string;
  readonly outcome: Outcome;
  /** The job and session that hold the conversation now, where the client made a copy. */
  readonly successor: { readonly job_id: string; readonly session_id: string | null } | null;
  readonly message: string;
  /** A real assistant record came after our prompt; null until that is known. */
  readonly progress: boolean | null;
}

export interface Episode {
  readonly id: string;
  readonly record_uuid: string | null;
  readonly shown_at: string;
  readonly shown_source: Exclude<ReasonSource, 'none'>;
  readonly first_seen_at: string;
  readonly message: string;
  readonly cause: 'limit' | 'api' | 'overload' | 'network' | 'throttle';
  readonly limit: LimitKind | null;
  readonly reset_at: string | null;
  readonly reset_source: ReasonSource;
  readonly suspect: string | null;
  /** Why it is paused; null once it was continued. */
  readonly reason: Reason | null;
  /** Last seen kept back by a hold, a policy or a wait: that time does not age it. */
  readonly waited_until: string | null;
  /** We stopped (or were about to stop) this job in order to resume it: a `stopped` state is then ours. */
  readonly stopping: { readonly job_id: string; readonly at: string } | null;
  readonly attempts: readonly Attempt[];
  /** Attempts that were given back because nothing had started. */
  readonly given_back: number;
}

export interface History {
  readonly episodes: readonly Episode[];
}

export interface Ledger {
  readonly version: 1;
  readonly conversations: Readonly<Record<string, History>>;
  /** Launches of the rolling day. */
  readonly launches: readonly string[];
}

export const EMPTY_LEDGER: Ledger = { version: 1, conversations: {}, launches: [] };

const DAY_MS = 86_400_000;

const NO_HISTORY: History = { episodes: [] };

export const historyOf = (ledger: Ledger, conversation: string): History =>
  // A name that every object has is no conversation.
  (Object.hasOwn(ledger.conversations, conversation) ? ledger.conversations[conversation] : null) ??
  NO_HISTORY;

/** Launches (epoch ms) within the 24 h before `now`, oldest first. */
export function launchesOfDay(ledger: Ledger, now: number): number[] {
  return ledger.launches
    .map((at) => Date.parse(at))
    .filter((at) => at > now - DAY_MS && at <= now)
    .sort((a, b) => a - b);
}

/** Attempts that count: those that were begun and not given back. */
export const spentAttempts = (episode: Episode): number => episode.attempts.length;

/** The successor that an attempt of the episode left, if any. */
export function successorOf(episode: Episode): Attempt['successor'] {
  return episode.attempts.findLast((attempt) => attempt.successor !== null)?.successor ?? null;
}

/** sessionId of each successor → the conversation that it continues. */
export function conversationBySuccessor(ledger: Ledger): Map<string, string> {
  const found = new Map<string, string>();
  for (const [conversation, history] of Object.entries(ledger.conversations)) {
    for (const episode of history.episodes) {
      for (const { successor } of episode.attempts) {
        if (successor?.session_id != null) found.set(successor.session_id, conversation);
      }
    }
  }
  return found;
}

/**
 * Continuations in a row, newest first, that brought no progress, up to and without the episode `before`.
 * `counts` limits it to one kind of cause; an episode of the other kind, or progress, ends the row.
 */
export function failuresInARow(
  history: History,
  before: string,
  counts: (episode: Episode) => boolean,
): number {
  const index = history.episodes.findIndex((episode) => episode.id === before);
  const earlier = index < 0 ? history.episodes : history.episodes.slice(0, index);
  let count = 0;
  for (const episode of [...earlier].reverse()) {
    const last = episode.attempts.at(-1);
    if (last === undefined) continue;
    if (last.progress !== false || !counts(episode)) break;
    count += 1;
  }
  return count;
}

/**
 * Judges the attempts at earlier stops than `current`, once: whether a real assistant record (the last one at
 * `lastAssistantAt`, epoch ms, null: none) came after each. The same history when there is nothing to judge.
 */
export function judgeProgress(
  history: History,
  current: string,
  lastAssistantAt: number | null,
): History {
  const isOpen = (episode: Episode) =>
    episode.id !== current &&
    episode.attempts.some((one) => one.progress === null && one.outcome !== 'launching');
  if (!history.episodes.some(isOpen)) return history;
  const episodes = history.episodes.map((episode) =>
    isOpen(episode) ? { ...episode, attempts: episode.attempts.map(judged) } : episode,
  );
  return { episodes };

  function judged(attempt: Attempt): Attempt {
    if (attempt.progress !== null || attempt.outcome === 'launching') return attempt;
    const progress = lastAssistantAt !== null && lastAssistantAt > Date.parse(attempt.at);
    return { ...attempt, progress };
  }
}

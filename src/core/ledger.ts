// The ledger as a value: what was seen stopped, what was tried, how it went. Transitions return a new ledger or
// say why they cannot; nothing here is lost by being applied twice.
import type { Reason, ReasonSource } from './reason.ts';
import { normalize } from './reason.ts';
import { failed, ok, type Result } from './result.ts';
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

/** How many times an attempt that never started is given back before it counts. */
export const MAX_GIVEN_BACK = 3;
const DAY_MS = 86_400_000;
/** Episodes are kept this long after they were seen, so that a week's limit is never forgotten within its window. */
const KEEP_MS = 35 * DAY_MS;

export type Refusal =
  | { readonly kind: 'no-episode' }
  | { readonly kind: 'attempts-spent'; readonly attempts: number }
  | { readonly kind: 'attempt-open'; readonly nonce: string };

export const historyOf = (ledger: Ledger, conversation: string): History =>
  ledger.conversations[conversation] ?? { episodes: [] };

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

/** Adds a stop at its first sighting, or leaves the ledger as it is when the stop is known. */
export function recordSighting(ledger: Ledger, conversation: string, episode: Episode): Ledger {
  const history = historyOf(ledger, conversation);
  if (history.episodes.some((one) => one.id === episode.id)) return ledger;
  return withHistory(ledger, conversation, { episodes: [...history.episodes, episode] });
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

/** `judgeProgress` for a conversation of a ledger. */
export function recordProgress(
  ledger: Ledger,
  conversation: string,
  current: string,
  lastAssistantAt: number | null,
): Ledger {
  const before = historyOf(ledger, conversation);
  const after = judgeProgress(before, current, lastAssistantAt);
  return after === before ? ledger : withHistory(ledger, conversation, after);
}

/**
 * Notes that the episode was kept back at `now`, and why. Unchanged when the same was noted within the last hour,
 * so that a wait of a night is not a write at every tick.
 */
export function recordWait(
  ledger: Ledger,
  conversation: string,
  id: string,
  wait: { readonly now: number; readonly reason: Reason },
): Ledger {
  const episode = historyOf(ledger, conversation).episodes.find((one) => one.id === id);
  if (episode === undefined) return ledger;
  const noted = episode.waited_until === null ? 0 : Date.parse(episode.waited_until);
  if (wait.now - noted < 3_600_000 && episode.reason?.code === wait.reason.code) return ledger;
  return changeEpisode(ledger, conversation, id, (one) => ({
    ...one,
    waited_until: iso(wait.now),
    reason: normalize('paused', wait.reason),
  }));
}

/** Begins an attempt. Refused when another one is open or the episode's attempts are spent. */
export function beginAttempt(
  ledger: Ledger,
  attempt: { conversation: string; episode: string; nonce: string; jobId: string; now: number },
  maxAttempts: number,
): Result<Ledger, Refusal> {
  const { conversation, episode: id, nonce, jobId, now } = attempt;
  const episode = historyOf(ledger, conversation).episodes.find((one) => one.id === id);
  if (episode === undefined) return failed({ kind: 'no-episode' });
  if (episode.attempts.some((one) => one.nonce === nonce)) return ok(ledger);
  const open = episode.attempts.find((one) => one.outcome === 'launching');
  if (open !== undefined) return failed({ kind: 'attempt-open', nonce: open.nonce });
  if (spentAttempts(episode) >= maxAttempts) {
    return failed({ kind: 'attempts-spent', attempts: spentAttempts(episode) });
  }
  const begun: Attempt = {
    nonce,
    at: iso(now),
    job_id: jobId,
    outcome: 'launching',
    successor: null,
    message: '',
    progress: null,
  };
  const next = changeEpisode(ledger, conversation, id, (one) => ({
    ...one,
    attempts: [...one.attempts, begun],
  }));
  return ok({ ...next, launches: [...next.launches, iso(now)] });
}

export interface Settlement {
  readonly conversation: string;
  readonly episode: string;
  readonly nonce: string;
  readonly at: number;
  readonly jobId: string;
  readonly outcome: Exclude<Outcome, 'launching'>;
  readonly successor: Attempt['successor'];
  readonly message: string;
}

/** Writes how an attempt went; adds the attempt when a lost write had dropped it. */
export function settleAttempt(ledger: Ledger, settlement: Settlement): Ledger {
  const { conversation, episode: id, nonce, outcome, successor, message } = settlement;
  return changeEpisode(ledger, conversation, id, (one) => {
    const before = one.attempts.find((attempt) => attempt.nonce === nonce);
    const after: Attempt = {
      nonce,
      at: before?.at ?? iso(settlement.at),
      job_id: settlement.jobId,
      outcome,
      successor,
      message,
      progress: before?.progress ?? null,
    };
    const others = one.attempts.filter((attempt) => attempt.nonce !== nonce);
    const status = outcome === 'failed' || outcome === 'unconfirmed' ? 'paused' : 'running';
    return {
      ...one,
      attempts: [...others, after],
      stopping: outcome === 'failed' ? one.stopping : null,
      reason: normalize(status, one.reason),
    };
  });
}

/**
 * Gives an attempt back that never started. `isCounted`: a client was asked; after three times such an attempt is
 * kept, as failed.
 */
export function giveBack(
  ledger: Ledger,
  settlement: Omit<Settlement, 'outcome' | 'successor'>,
  isCounted: boolean,
): Ledger {
  const { conversation, episode: id, nonce, message } = settlement;
  const episode = historyOf(ledger, conversation).episodes.find((one) => one.id === id);
  if (episode === undefined) return ledger;
  if (isCounted && episode.given_back >= MAX_GIVEN_BACK) {
    return settleAttempt(ledger, { ...settlement, outcome: 'failed', successor: null });
  }
  const begun = episode.attempts.find((attempt) => attempt.nonce === nonce);
  if (begun === undefined) return ledger;
  const next = changeEpisode(ledger, conversation, id, (one) => ({
    ...one,
    attempts: one.attempts.filter((attempt) => attempt.nonce !== nonce),
    given_back: one.given_back + (isCounted ? 1 : 0),
    reason: one.reason === null ? null : { ...one.reason, detail: message || one.reason.detail },
  }));
  const index = next.launches.indexOf(begun.at);
  return { ...next, launches: next.launches.filter((_, position) => position !== index) };
}

/** Notes that a `stopped` state of this job is ours, before the stop is asked for. */
export function markStopping(
  ledger: Ledger,
  conversation: string,
  id: string,
  stop: { jobId: string; now: number },
): Ledger {
  return changeEpisode(ledger, conversation, id, (one) => ({
    ...one,
    stopping: { job_id: stop.jobId, at: iso(stop.now) },
  }));
}

/** Drops what no rule can need any more: launches older than a day, episodes long past. */
export function prune(ledger: Ledger, now: number): Ledger {
  const launches = ledger.launches.filter((at) => Date.parse(at) > now - DAY_MS);
  const conversations: Record<string, History> = {};
  for (const [key, history] of Object.entries(ledger.conversations)) {
    const episodes = history.episodes.filter((one) => lastTouched(one) > now - KEEP_MS);
    if (episodes.length > 0) conversations[key] = { episodes };
  }
  return { ...ledger, launches, conversations };
}

function lastTouched(episode: Episode): number {
  const instants = [
    episode.first_seen_at,
    episode.shown_at,
    episode.waited_until,
    episode.reset_at,
  ];
  instants.push(...episode.attempts.map((attempt) => attempt.at));
  return Math.max(...instants.map((at) => (at === null ? 0 : Date.parse(at))));
}

function changeEpisode(
  ledger: Ledger,
  conversation: string,
  id: string,
  change: (episode: Episode) => Episode,
): Ledger {
  const history = historyOf(ledger, conversation);
  if (!history.episodes.some((one) => one.id === id)) return ledger;
  const episodes = history.episodes.map((one) => (one.id === id ? change(one) : one));
  return withHistory(ledger, conversation, { episodes });
}

const withHistory = (ledger: Ledger, conversation: string, history: History): Ledger => ({
  ...ledger,
  conversations: { ...ledger.conversations, [conversation]: history },
});

const iso = (instant: number): string => new Date(instant).toISOString();

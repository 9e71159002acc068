// How a ledger changes: each transition gives a new ledger or says why it cannot, and does nothing when applied twice.
import {
  type Attempt,
  type Episode,
  type History,
  historyOf,
  judgeProgress,
  type Ledger,
  type Outcome,
  spentAttempts,
} from './ledger.ts';
import { normalize, type Reason } from './reason.ts';
import { failed, ok, type Result } from './result.ts';

/** How many times an attempt that never started is given back before it counts. */
export const MAX_GIVEN_BACK = 3;
const DAY_MS = 86_400_000;
/** Episodes are kept this long after they were seen, so that a week's limit is never forgotten within its window. */
const KEEP_MS = 35 * DAY_MS;

export type Refusal =
  | { readonly kind: 'no-episode' }
  | { readonly kind: 'attempts-spent'; readonly attempts: number }
  | { readonly kind: 'attempt-open'; readonly nonce: string };

/** Adds a stop at its first sighting, or leaves the ledger as it is when the stop is known. */
export function recordSighting(ledger: Ledger, conversation: string, episode: Episode): Ledger {
  const history = historyOf(ledger, conversation);
  if (history.episodes.some((one) => one.id === episode.id)) return ledger;
  return withHistory(ledger, conversation, { episodes: [...history.episodes, episode] });
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
  const known = historyOf(ledger, conversation).episodes.find((one) => one.id === id);
  if (known === undefined) return ledger;
  const isLost = !known.attempts.some((attempt) => attempt.nonce === nonce);
  const launches = isLost ? [...ledger.launches, iso(settlement.at)] : ledger.launches;
  return changeEpisode({ ...ledger, launches }, conversation, id, (one) => {
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
  const begun = episode.attempts.find((attempt) => attempt.nonce === nonce);
  if (begun === undefined) return ledger;
  if (isCounted && episode.given_back >= MAX_GIVEN_BACK) {
    return settleAttempt(ledger, { ...settlement, outcome: 'failed', successor: null });
  }
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

/** Takes the mark back: the job was not stopped after all, so a later stop is its owner's. */
export function unmarkStopping(ledger: Ledger, conversation: string, id: string): Ledger {
  const episode = historyOf(ledger, conversation).episodes.find((one) => one.id === id);
  if (episode === undefined || episode.stopping === null) return ledger;
  return changeEpisode(ledger, conversation, id, (one) => ({ ...one, stopping: null }));
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

// What every session is at and what happens next: the decisions of a dry tick, with the evidence beside them.
import { type Decision, decideFromFiles, type Situation } from '../core/decide.ts';
import { type Attempt, spentAttempts } from '../core/ledger.ts';
import { ok, type Result } from '../core/result.ts';
import type { Stop } from '../core/stop.ts';
import { type Survey, survey } from '../resume/survey.ts';
import { type LookRequest, lookWithListing, nowOf, type Seen } from './look.ts';
import type { TickFailure } from './tick.ts';

export interface StatusReport {
  readonly now: number;
  readonly home: string;
  readonly sessions: readonly SessionStatus[];
}

export interface SessionStatus {
  readonly decision: Decision;
  /** As its job says; null when that cannot be read. */
  readonly state: string | null;
  /** Why it stopped, in the words of its message; null where those are not known to be the client's. */
  readonly stopped: { readonly at: number; readonly why: string | null } | null;
  /** Epoch ms at which what stopped it lifts; null when nobody knows. */
  readonly liftsAt: number | null;
  readonly next: NextStep;
  readonly attempts: AttemptsSoFar;
}

/** `at` in epoch ms; for a resume null means the next tick, for a wait that nobody knows. */
export type NextStep =
  | { readonly kind: 'resume'; readonly at: number | null }
  | { readonly kind: 'wait'; readonly at: number | null }
  | { readonly kind: 'left'; readonly at: null };

export interface AttemptsSoFar {
  /** At its present stop. */
  readonly spent: number;
  readonly givenBack: number;
  /** The last one at any of its stops. */
  readonly last: Attempt | null;
}

/** Looks as a dry tick does, and writes nothing. */
export async function readStatus(request: LookRequest): Promise<Result<StatusReport, TickFailure>> {
  const now = nowOf(request);
  const first = await survey(request.context, { now, rows: null });
  if (!first.ok) return first;
  const settled = settledFromFiles(first.value);
  const seen = settled === null ? await lookWithListing(request, now) : ok(settled);
  if (!seen.ok) return seen;
  return ok({ now, home: request.context.home.path, sessions: seen.value.map(statusOf) });
}

/** Null when only the listing can tell what becomes of one of them. */
function settledFromFiles({ situations }: Survey): Seen[] | null {
  const seen: Seen[] = [];
  for (const situation of situations) {
    const decision = decideFromFiles(situation);
    if (decision === null) return null;
    seen.push({ situation, decision });
  }
  return seen;
}

export function statusOf({ situation, decision }: Seen): SessionStatus {
  const { conversation, stop } = situation;
  const { state } = conversation.job;
  return {
    decision,
    state: state.known ? state.value.state : null,
    stopped: stop === null ? null : { at: stop.shown.at, why: whyStopped(stop) },
    liftsAt: liftsAt(stop, decision),
    next: nextOf(decision, situation.now),
    attempts: attemptsOf(situation),
  };
}

/** The message of the stop, fit to print; null where its words can be a prompt's or a model's own. */
export function whyStopped({ cause }: Stop): string | null {
  return cause.kind === 'unknown' || cause.kind === 'human' ? null : cause.text;
}

function liftsAt(stop: Stop | null, { reason, rule, until }: Decision): number | null {
  if (stop?.reset != null) return stop.reset.at;
  if (reason.resumes_at !== null) return Date.parse(reason.resumes_at);
  // A limit whose reset nobody can read is assumed to lift when it is next tried.
  return rule === 'reset' ? until : null;
}

function nextOf({ action, rule, until }: Decision, now: number): NextStep {
  if (action === 'skip') return { kind: 'left', at: null };
  if (action === 'resume') return { kind: 'resume', at: null };
  if (until !== null && until <= now) return { kind: 'wait', at: null };
  // After its reset nothing else keeps it back that is known today; other waits only end.
  return { kind: rule === 'reset' ? 'resume' : 'wait', at: until };
}

function attemptsOf({ history, stop }: Situation): AttemptsSoFar {
  const episode = history.episodes.find((one) => one.id === stop?.episodeId);
  return {
    spent: episode === undefined ? 0 : spentAttempts(episode),
    givenBack: episode?.given_back ?? 0,
    last: history.episodes.findLast(({ attempts }) => attempts.length > 0)?.attempts.at(-1) ?? null,
  };
}

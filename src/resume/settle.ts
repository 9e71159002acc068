// The end of a claim: the ledger first, then the claim goes; run twice, it does nothing twice.
import { readJobState } from '../claude/job-state.ts';
import { stopJob } from '../claude/launch.ts';
import { jobProcessState, readProcessTable } from '../claude/process-table.ts';
import { type Attempt, historyOf, type Ledger } from '../core/ledger.ts';
import {
  giveBack,
  markStopping,
  recordSighting,
  settleAttempt,
  unmarkStopping,
} from '../core/ledger-transitions.ts';
import type { Result } from '../core/result.ts';
import { type Claim, closeClaim } from '../store/claims.ts';
import type { StoreFailure } from '../store/files.ts';
import { changeLedger } from '../store/ledger-file.ts';
import type { Hands } from './hands.ts';
import { outcome, type ResumeEnd, stateFailure } from './outcome.ts';
import { findTrace, type SeenTrace } from './trace.ts';

/** Writes an outcome into the ledger and closes the claim. */
export function settle(
  hands: Hands,
  claim: Claim,
  result: {
    readonly outcome: Exclude<Attempt['outcome'], 'launching'>;
    readonly successor: Attempt['successor'];
    readonly message: string;
  },
): Result<Claim, StoreFailure> {
  const { folder } = hands.context;
  const written = changeLedger(folder, (ledger) =>
    settleAttempt(sighted(ledger, claim), { ...settlementOf(claim), ...result }),
  );
  if (!written.ok) return written;
  return closeClaim(folder, claim, result);
}

/** `free`: nothing was started, the attempt does not count. `counted`: at most three times in an episode. */
export function give(
  hands: Hands,
  claim: Claim,
  way: { readonly mode: 'free' | 'counted'; readonly message: string },
): Result<Claim, StoreFailure> {
  const { folder } = hands.context;
  const written = changeLedger(folder, (ledger) =>
    giveBack(
      keepStop(hands, sighted(ledger, claim), claim),
      { ...settlementOf(claim), message: way.message },
      way.mode === 'counted',
    ),
  );
  if (!written.ok) return written;
  return closeClaim(folder, claim, {
    outcome: 'given_back',
    successor: null,
    message: way.message,
  });
}

/** The episode as the claim recorded it, where the ledger was lost or deleted in between. */
const sighted = (ledger: Ledger, claim: Claim): Ledger =>
  recordSighting(ledger, claim.conversation, claim.episode);

/** A stop under this claim is ours, so a job that reads `stopped` now is still to be resumed; else nothing is marked. */
function keepStop(hands: Hands, ledger: Ledger, claim: Claim): Ledger {
  const { conversation, job_id: jobId, episode } = claim;
  const state = readJobState(hands.context.home, jobId);
  const isStopped = state.known && state.value.state === 'stopped';
  if (!claim.stops || !isStopped) return unmarkStopping(ledger, conversation, episode.id);
  const recorded = historyOf(ledger, conversation).episodes.find((one) => one.id === episode.id);
  if (recorded?.stopping?.job_id === jobId) return ledger;
  return markStopping(ledger, conversation, episode.id, { jobId, now: Date.parse(claim.at) });
}

/** What a settlement in the ledger takes from its claim. */
export const settlementOf = (claim: Claim) => ({
  conversation: claim.conversation,
  episode: claim.episode.id,
  nonce: claim.nonce,
  at: Date.parse(claim.at),
  jobId: claim.job_id,
});

/** Whether the claim's own job lives or is about to, by files alone; what cannot be told counts as living. */
export function oldSessionLives(hands: Hands, claim: Claim): boolean {
  const table = readProcessTable(hands.context.home);
  if (!table.known) return true;
  const state = jobProcessState(table.value, claim.job_id);
  return !state.known || state.value === 'alive' || state.value === 'restarting';
}

/** Settles a launch that left a trace: a wake, a copy that goes on or has to be undone, a prompt kept for later. */
export async function settleTrace(
  hands: Hands,
  claim: Claim,
  trace: SeenTrace,
): Promise<ResumeEnd> {
  switch (trace.kind) {
    case 'woken':
      return ended(settle(hands, claim, { outcome: 'woken', successor: null, message: '' }), () =>
        outcome('woken', claim.job_id, 'woken in place'),
      );
    case 'queued': {
      const message =
        'refused; the client keeps the prompt and gives it when the session next starts';
      return ended(settle(hands, claim, { outcome: 'kept', successor: null, message }), () =>
        outcome('failed', claim.job_id, message),
      );
    }
    case 'copied':
      return settleCopy(hands, claim, trace);
  }
}

async function settleCopy(
  hands: Hands,
  claim: Claim,
  copy: Extract<SeenTrace, { kind: 'copied' }>,
): Promise<ResumeEnd> {
  if (claim.in_place_only || oldSessionLives(hands, claim))
    return undoCopy(hands, claim, copy.jobId);
  const successor = { job_id: copy.jobId, session_id: copy.sessionId };
  const message = copy.tookTurn ? '' : 'the copy has not shown its turn yet';
  // The husk goes before the claim does: a crash in between comes back here.
  const { folder } = hands.context;
  const written = changeLedger(folder, (ledger) =>
    settleAttempt(sighted(ledger, claim), {
      ...settlementOf(claim),
      outcome: 'copied',
      successor,
      message,
    }),
  );
  if (!written.ok) return stateFailure(written.failure);
  const isHuskGone = await stopJob(hands.client, claim.job_id);
  const closed = closeClaim(folder, claim, { outcome: 'copied', successor, message });
  const husk = isHuskGone ? '' : `; the old job ${claim.job_id} could not be stopped`;
  return ended(closed, () => outcome('copied', copy.jobId, `continued as ${copy.jobId}${husk}`));
}

async function undoCopy(hands: Hands, claim: Claim, copyId: string): Promise<ResumeEnd> {
  const isUndone = await stopJob(hands.client, copyId);
  if (!isUndone) {
    // The claim stays open: the next tick tries again, and nobody resumes this conversation meanwhile.
    return outcome(
      'failed',
      claim.job_id,
      `a copy ${copyId} runs beside it and could not be stopped: claude stop ${copyId}`,
    );
  }
  if (oldSessionLives(hands, claim)) {
    const message = `had come back by itself; the copy ${copyId} was stopped`;
    return ended(settle(hands, claim, { outcome: 'came_back', successor: null, message }), () =>
      outcome('came_back', claim.job_id, message),
    );
  }
  const message = `the client copies it, which would drop its saved options; the copy ${copyId} was stopped`;
  return ended(settle(hands, claim, { outcome: 'failed', successor: null, message }), () =>
    outcome('failed', claim.job_id, message),
  );
}

const ended = (closed: Result<Claim, StoreFailure>, then: () => ResumeEnd): ResumeEnd =>
  closed.ok ? then() : stateFailure(closed.failure);

/** Looks for the turn for up to `confirmMs`; null when it was not seen. */
export async function confirmTurn(hands: Hands, claim: Claim): Promise<SeenTrace | null> {
  const { clock, bounds, context } = hands;
  const endsAt = clock.now() + bounds.confirmMs;
  for (;;) {
    const trace = findTrace(context.home, context.folder, claim);
    const isSeen =
      trace.kind === 'woken' ||
      (trace.kind === 'copied' && trace.tookTurn) ||
      trace.kind === 'queued';
    if (isSeen) return trace;
    if (clock.now() >= endsAt) {
      return trace.kind === 'none' || trace.kind === 'unknown' ? null : trace;
    }
    await clock.sleep(bounds.pollMs);
  }
}

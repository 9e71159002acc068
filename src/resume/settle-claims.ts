// Settles the claims that earlier ticks left, before anything new is decided.
import { bootId } from '../claude/process.ts';
import { historyOf, type Ledger } from '../core/ledger.ts';
import { giveBack, settleAttempt } from '../core/ledger-transitions.ts';
import { ok, type Result } from '../core/result.ts';
import { type Claim, clearClaim, readClaims, writeClaim } from '../store/claims.ts';
import type { StoreFailure } from '../store/files.ts';
import { changeLedger, readLedger } from '../store/ledger-file.ts';
import { type Hands, isSurelyDead } from './hands.ts';
import { outcome, type ResumeEnd, stateFailure } from './outcome.ts';
import { give, oldSessionLives, settlementOf, settleTrace } from './settle.ts';
import { findTrace, readAnswer } from './trace.ts';

export interface SettledClaim {
  readonly claim: Claim;
  readonly end: ResumeEnd;
}

/** Goes through all claims; what was settled is returned for the report, what is in flight is left. */
export async function settleClaims(hands: Hands): Promise<Result<SettledClaim[], StoreFailure>> {
  const claims = readClaims(hands.context.folder);
  if (!claims.ok) return claims;
  const settled: SettledClaim[] = [];
  for (const claim of claims.value) {
    if (claim.phase === 'closed') {
      const kept = clearClosed(hands, claim);
      if (!kept.ok) return kept;
      continue;
    }
    if (isInFlight(claim)) continue;
    const end = await settleStale(hands, claim);
    if (end === null) continue;
    if (end.kind === 'state-failure') return { ok: false, failure: end.failure };
    settled.push({ claim, end });
  }
  return ok(settled);
}

/**
 * The holder of the claim lives, or the client that it started does. Past `launched` its holder has done what it could:
 * the lock, which the caller has, keeps a living one from that.
 */
function isInFlight(claim: Claim): boolean {
  if (!isSurelyDead(claim.holder) && claim.phase !== 'launched') return true;
  const { child, holder } = claim;
  return child !== null && !isSurelyDead({ ...child, boot_id: holder.boot_id });
}

async function settleStale(hands: Hands, claim: Claim): Promise<ResumeEnd | null> {
  const { context, clock, bounds } = hands;
  const trace = findTrace(context.home, context.folder, claim);
  if (trace.kind === 'unknown') return null;
  if (trace.kind !== 'none') return settleTrace(hands, claim, trace);
  const ageMs = clock.now() - Date.parse(claim.at);
  // A session takes seconds to show its turn, and a client whose start was not noted may still be at work. A claim
  // from far in the future was made by a clock that has been set back since: it is old.
  const isThisBoot = claim.holder.boot_id === null || claim.holder.boot_id === bootId();
  if (isThisBoot && Math.abs(ageMs) < bounds.claimMs) return null;
  const answer = readAnswer(context.folder, claim);
  const wasAsked = claim.phase !== 'stopping' && (claim.child !== null || answer !== null);
  if (!wasAsked) return given(hands, claim, 'free', 'its tick died before the launch');
  if (answer !== null && ageMs < bounds.lostMs && oldSessionLives(hands, claim)) {
    // Woken, and no turn seen yet: it may still come. Noted, so that nobody asks for the answer's file again.
    const noted = writeClaim(context.folder, { ...claim, phase: 'launched', answer });
    return noted.ok ? null : stateFailure(noted.failure);
  }
  return given(hands, claim, 'counted', 'the client took the prompt, and no turn came of it');
}

/** Gives the attempt back. That a client was asked and nothing came of it is a failure to report. */
function given(hands: Hands, claim: Claim, mode: 'free' | 'counted', message: string): ResumeEnd {
  const closed = give(hands, claim, { mode, message });
  if (!closed.ok) return stateFailure(closed.failure);
  return mode === 'counted'
    ? outcome('failed', claim.job_id, message)
    : { kind: 'dropped', why: message };
}

/** A closed claim is cleared once the ledger on disk holds what it settled; a lost write is made good first. */
function clearClosed(hands: Hands, claim: Claim): Result<null, StoreFailure> {
  const { folder } = hands.context;
  const ledger = readLedger(folder);
  if (!ledger.ok) return ledger;
  const { settled } = claim;
  const episode = historyOf(ledger.value, claim.conversation).episodes.find(
    (one) => one.id === claim.episode.id,
  );
  const attempt = episode?.attempts.find((one) => one.nonce === claim.nonce);
  const isOpen = attempt?.outcome === 'launching';
  if (settled !== null && episode !== undefined && (isOpen || attempt === undefined)) {
    const mended = changeLedger(folder, (ledger) => mend(ledger, claim, settled, isOpen));
    if (!mended.ok) return mended;
  }
  return clearClaim(folder, claim);
}

/** The settlement once more, for a ledger that has lost it. */
function mend(
  ledger: Ledger,
  claim: Claim,
  settled: NonNullable<Claim['settled']>,
  isOpen: boolean,
): Ledger {
  const { outcome: result, successor, message } = settled;
  const settlement = { ...settlementOf(claim), message };
  if (isOutcome(result)) {
    return settleAttempt(ledger, { ...settlement, outcome: result, successor });
  }
  return isOpen ? giveBack(ledger, settlement, false) : ledger;
}

const OUTCOMES = ['woken', 'copied', 'came_back', 'unconfirmed', 'failed', 'kept'] as const;
const isOutcome = (text: string): text is (typeof OUTCOMES)[number] =>
  (OUTCOMES as readonly string[]).includes(text);

// Rules of the stop itself, from files alone: succeeded, hold, cause, moved_on, reset.
import { cleanLine } from './clean-text.ts';
import type { Situation, Verdict } from './decide.ts';
import { formatDuration } from './duration.ts';
import { failuresInARow, successorOf } from './ledger.ts';
import { unreadableWaitMs } from './policy.ts';
import { autoResumable, reasonUntil } from './reason.ts';
import type { Stop } from './stop.ts';
import { skip, unreadable, wait, waitForReset } from './verdict.ts';
import { windowMsOf } from './window.ts';

/** A stop that is dated this far in the future means a clock that jumped. */
const FUTURE_MS = 600_000;

/** Rule 2: somebody carries this conversation on already. Never waived. */
export function succeededRule(situation: Situation): Verdict | null {
  const { conversation, stop, history, claim } = situation;
  if (claim !== null) return wait('operator', claim.message, null);
  const episode = history.episodes.find((one) => one.id === stop?.episodeId);
  const successor = episode === undefined ? null : successorOf(episode);
  if (successor !== null && successor.job_id !== conversation.job.id) {
    return skip('operator', `continued as ${cleanLine(successor.job_id, 20)}`);
  }
  for (const other of conversation.others) {
    if (other.process?.known === false) return unreadable(`job ${other.id}: ${other.process.why}`);
    if (other.process?.value === 'alive' || other.process?.value === 'restarting') {
      return skip('operator', `job ${other.id} of this conversation lives`);
    }
  }
  const copies = conversation.job.copies;
  if (copies?.known === false) return unreadable(copies.why);
  if (copies !== null && copies.value.length > 0) {
    return skip('operator', `a copy goes on as ${copies.value.join(', ')}`);
  }
  return null;
}

/** Rule 3: an operator's stop. */
export function holdRule({ hold, now }: Situation): Verdict | null {
  if (hold === null || (hold.until !== null && hold.until <= now)) return null;
  return skip('operator', hold.reason === '' ? 'held' : `held: ${cleanLine(hold.reason, 80)}`);
}

/** Rule 6: only a known cause that lifts by itself, and that the transcript does not contradict. */
export function causeRule({ conversation, stop }: Situation): Verdict | null {
  const { job } = conversation;
  if (job.timeline?.known === false) return unreadable(job.timeline.why);
  if (job.transcript?.known === false) return unreadable(job.transcript.why);
  if (stop === null) return unreadable('no stop was read');
  const detail = cleanLine(stop.cause.text, 100);
  switch (stop.cause.kind) {
    case 'limit':
    case 'transient':
      return stop.isUnconfirmed
        ? unreadable(`its message reads like a stop, its transcript does not: ${detail}`)
        : null;
    case 'budget':
      return skip('budget', detail);
    case 'fatal':
      return skip('abort', detail);
    case 'human':
      return skip('approval', 'waits for a person');
    case 'in_flight':
      return skip('unknown', `goes on by itself: ${detail}`);
    case 'unknown':
      // Its words can be a prompt's: they are not shown.
      return unreadable(
        detail === '' ? 'it says nothing about its stop' : 'no known stop in its last words',
      );
  }
}

/** Rule 7: the conversation went on after its stop. */
export function movedOnRule({ conversation }: Situation): Verdict | null {
  const { transcript } = conversation.job;
  if (transcript?.known === true && transcript.value?.hasMovedOn === true) {
    return skip('idle', 'went on after its stop');
  }
  return null;
}

/** Rule 8: the stated reset and the margin; without a readable one an hour, then two, … of its window. */
export function resetRule(situation: Situation): Verdict | null {
  const { stop, policy, now } = situation;
  if (stop === null) return unreadable('no stop was read');
  if (stop.shown.at > now + FUTURE_MS) {
    return unreadable('its stop is dated in the future: did the clock jump?');
  }
  if (stop.cause.kind !== 'limit') return null;
  const until = limitEndsAt(situation, stop);
  const detail = cleanLine(stop.cause.text, 120);
  const reason = reasonUntil('usage_cap', detail, until, stop.reset?.source ?? 'none');
  if (autoResumable(reason, now)) return null;
  if (stop.reset !== null) {
    const doubt =
      stop.reset.suspect === null ? '' : ` (doubtful: ${cleanLine(stop.reset.suspect, 80)})`;
    return waitForReset(`${detail}${doubt}`, {
      until,
      resetAt: stop.reset.at,
      source: stop.reset.source,
    });
  }
  const why = cleanLine(stop.resetProblem ?? 'no reset is stated', 60);
  const rest = formatDuration(until - stop.shown.at - policy.marginMs);
  return waitForReset(`${detail} (${why}: tried ${rest} after it)`, {
    until,
    resetAt: null,
    source: 'none',
  });
}

/** The instant (epoch ms) from which a limit stop may be continued: its reset, or the assumed one, plus margin. */
export function limitEndsAt({ history, policy }: Situation, stop: Stop): number {
  if (stop.reset !== null) return stop.reset.at + policy.marginMs;
  const limit = stop.cause.kind === 'limit' ? stop.cause.limit : 'untyped';
  const failures = failuresInARow(history, stop.episodeId, (one) => one.reset_at === null);
  return stop.shown.at + unreadableWaitMs(failures, windowMsOf(limit)) + policy.marginMs;
}

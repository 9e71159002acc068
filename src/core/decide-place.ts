// Rules that need the client's listing and the machine: alive, old, place, attempts, budget.
import { cleanLine } from './clean-text.ts';
import type { Situation, Verdict } from './decide.ts';
import { limitEndsAt } from './decide-stop.ts';
import { formatBytes, formatDuration } from './duration.ts';
import { type Episode, failuresInARow, spentAttempts } from './ledger.ts';
import { backOffMs } from './policy.ts';
import { reasonOf } from './reason.ts';
import type { JobState, ListingRow } from './session.ts';
import type { Stop } from './stop.ts';
import { skip, unreadable, wait } from './verdict.ts';

const DAY_MS = 86_400_000;
/** Continuations in a row without progress after which a conversation is held. */
const MAX_FAILURES = 3;

/** Rule 10: what lives is left alone, and restarted only when it certainly does nothing and nobody looks on. */
export function aliveRule(situation: Situation, state: JobState): Verdict | null {
  const { conversation, stop, policy, now, machine } = situation;
  const { process: liveness, row, copies } = conversation.job;
  if (row === null || liveness === null || copies === null)
    return unreadable('the listing was not read');
  if (!row.known) return unreadable(row.why);
  if (!liveness.known) return unreadable(liveness.why);
  if (liveness.value === 'restarting') {
    return waitAlive(situation, 'its supervisor is about to restart it', null);
  }
  if (liveness.value !== 'alive') return null;
  if (policy.live === 'wait') return waitAlive(situation, 'its process lives (--live wait)', null);
  if (stop === null) return unreadable('no stop was read');
  if (stop.isOurStop) return waitAlive(situation, 'its process is still ending', null);
  const graceEndsAt = eligibleAt(situation, stop) + policy.liveGraceMs;
  if (now < graceEndsAt)
    return waitAlive(situation, 'its process lives: may go on by itself', graceEndsAt);
  const busy = busyReason(state, row.value);
  if (busy !== null) return waitAlive(situation, `its process lives: ${busy}`, null);
  if (machine.hasTerminalClient === null) return unreadable('terminal clients were not looked for');
  if (!machine.hasTerminalClient.known) return unreadable(machine.hasTerminalClient.why);
  if (machine.hasTerminalClient.value) {
    return waitAlive(situation, 'its process lives and a terminal client is open', null);
  }
  return null;
}

function busyReason(state: JobState, row: ListingRow | null): string | null {
  if (row === null) return 'the listing does not show it';
  if (row.status !== 'idle') return `it is ${cleanLine(row.status ?? 'in no known status', 20)}`;
  if (row.state !== 'blocked') return `the listing says ${cleanLine(row.state ?? 'nothing', 20)}`;
  if (state.inFlight > 0) return 'something of its own still runs';
  if (state.queuedPrompt !== null) return 'a prompt is queued';
  if (state.hasSelfWake) return 'it wakes by itself';
  return null;
}

const waitAlive = ({ stop }: Situation, detail: string, until: number | null): Verdict =>
  wait(stop?.cause.kind === 'limit' ? 'usage_cap' : 'transient', detail, until);

/** The instant (epoch ms) from which the stop may be continued, by its cause alone. */
function eligibleAt(situation: Situation, stop: Stop): number {
  return stop.cause.kind === 'limit'
    ? limitEndsAt(situation, stop)
    : stop.shown.at + backOffMs(transientFailures(situation, stop));
}

/** Rule 11: eligible for too long; what a hold, a policy or a wait kept back does not age. */
export function oldRule(situation: Situation): Verdict | null {
  const { stop, policy, now, history } = situation;
  if (stop === null) return unreadable('no stop was read');
  const episode = history.episodes.find((one) => one.id === stop.episodeId);
  const waitedUntil = episode?.waited_until == null ? 0 : Date.parse(episode.waited_until);
  const since = Math.max(eligibleAt(situation, stop), waitedUntil);
  if (now - since <= policy.maxAgeMs) return null;
  return skip('stale', `could have gone on ${formatDuration(now - since)} ago (--max-age)`);
}

/** Rule 12: the place it needs: directory, transcript, login, disk. */
export function placeRule(situation: Situation, state: JobState): Verdict | null {
  const { conversation, machine, policy } = situation;
  const { place } = conversation.job;
  if (place === null) return unreadable('its place was not looked at');
  if (!place.known) return unreadable(place.why);
  if (!place.value.hasCwd) {
    return skip(
      'executor_lost',
      `its directory is gone: ${cleanLine(state.cwd ?? 'none named', 120)}`,
    );
  }
  if (!place.value.hasTranscript) {
    return skip(
      'executor_lost',
      'no transcript in the folder of its directory: a resume would start empty',
    );
  }
  if (!machine.hasLogin.known) return unreadable(machine.hasLogin.why);
  if (!machine.hasLogin.value)
    return skip('starter_unavailable', 'no login: run claude and /login');
  return diskVerdict(situation, machine.freeDiskBytes, policy.minFreeDiskBytes);
}

function diskVerdict(
  { history, stop }: Situation,
  free: Situation['machine']['freeDiskBytes'],
  floorBytes: number,
): Verdict | null {
  if (!free.known) return unreadable(free.why);
  const episode = history.episodes.find((one) => one.id === stop?.episodeId);
  // Once low, it waits for a tenth more than the floor, so that it does not flap at the edge.
  const wasLow = episode?.reason?.code === 'disk_low';
  const needed = wasLow ? floorBytes * 1.1 : floorBytes;
  if (free.value >= needed) return null;
  return wait('disk_low', `${formatBytes(free.value)} free, ${formatBytes(needed)} needed`, null);
}

/** Rule 13: the episode's attempts, the back-off of a cause without a reset, continuations that bring nothing. */
export function attemptsRule(situation: Situation): Verdict | null {
  const { stop, history, policy, now } = situation;
  if (stop === null) return unreadable('no stop was read');
  const episode = history.episodes.find((one) => one.id === stop.episodeId);
  const spent = episode === undefined ? 0 : spentAttempts(episode);
  if (spent >= policy.maxAttempts) {
    return skip('step_limit', `${spent} of ${policy.maxAttempts} attempts at this stop are spent`);
  }
  if (failuresInARow(history, stop.episodeId, speaksOfTheConversation) >= MAX_FAILURES) {
    return skip('step_limit', `held: ${MAX_FAILURES} continuations in a row brought no progress`);
  }
  if (stop.cause.kind !== 'transient') return null;
  const until = stop.shown.at + backOffMs(transientFailures(situation, stop));
  if (now >= until) return null;
  return {
    action: 'wait',
    until,
    reason: reasonOf('transient', cleanLine(stop.cause.text, 100), stop.shown.source),
  };
}

/** A limit or a throttle says something about the account or the conversation; an outage says nothing about it. */
const speaksOfTheConversation = (episode: Episode): boolean =>
  episode.cause === 'limit' || episode.cause === 'throttle';

const transientFailures = ({ history }: Situation, stop: Stop): number =>
  failuresInARow(history, stop.episodeId, (episode) => episode.cause !== 'limit');

/** Rule 14: the rolling day and this tick. */
export function budgetRule(situation: Situation): Verdict | null {
  const { policy, launchesOfDay, launchesOfTick } = situation;
  if (launchesOfDay.length >= policy.maxPerDay) {
    const frees = launchesOfDay[launchesOfDay.length - policy.maxPerDay];
    const until = frees === undefined ? null : frees + DAY_MS;
    return wait('budget', `${launchesOfDay.length} launches in 24 h (--max-per-day)`, until);
  }
  if (policy.maxPerRun > 0 && launchesOfTick >= policy.maxPerRun) {
    return wait('budget', `${launchesOfTick} launches in this tick (--max-per-run)`, null);
  }
  return null;
}

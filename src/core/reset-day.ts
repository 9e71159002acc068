// What was said about a reset becomes one instant: by the calendar of its zone, around the instant it was shown.
import type { ClockTime, Spoken } from './reset-words.ts';
import type { LimitKind } from './session.ts';
import { windowMsOf } from './window.ts';
import { instantsOf, type Wall, wallOf, type Zone } from './zone.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/**
 * A message is shown up to this long after its reset and still means that one, which is due now. Printed times
 * lack their seconds, a retry can run past the reset (reports: 104 s and 4 min after).
 */
export const GRACE_MS = 15 * MINUTE_MS;
/** How far beyond its window a reset may lie before it is suspect: two clocks differ, minutes are cut off. */
export const SLACK_MS = 15 * MINUTE_MS;

/** Against what the words are read: `shownAt` in epoch ms; a zone that is only this machine's may be another than the message's. */
export interface Frame {
  readonly shownAt: number;
  readonly limit: LimitKind;
  readonly zone: Zone;
  readonly isZoneSure: boolean;
}

/** `resetAt` in epoch ms; `assumed`: what the words left open, and how that was filled. */
export interface Resolved {
  readonly resetAt: number;
  readonly assumed: readonly string[];
}

/** The instant that was meant; or why there is none. */
export function resolveReset(
  spoken: Exclude<Spoken, { kind: 'unreadable' }>,
  frame: Frame,
): Resolved | { readonly why: string } {
  switch (spoken.kind) {
    case 'instant':
      return { resetAt: spoken.at, assumed: [] };
    case 'after':
      return { resetAt: frame.shownAt + spoken.ms, assumed: [] };
    case 'date':
      return resolveDate(spoken, frame);
    case 'weekday':
      return resolveWeekday(spoken, frame);
    case 'time':
      return resolveTime(spoken.time, frame);
  }
}

/** A date alone counts from its start; shown on that very day, to its end. */
function resolveDate(
  spoken: Extract<Spoken, { kind: 'date' }>,
  frame: Frame,
): Resolved | { readonly why: string } {
  const thisYear = new Date(wallOf(frame.zone, frame.shownAt)).getUTCFullYear();
  const years = spoken.year === null ? [thisYear - 1, thisYear, thisYear + 1] : [spoken.year];
  const [nearest] = years
    .map((year) => Date.UTC(year, spoken.month - 1, spoken.day))
    .filter((day) => new Date(day).getUTCDate() === spoken.day)
    .map((day) => occurrence(day, spoken.time, frame.zone))
    .sort((a, b) => Math.abs(a.resetAt - frame.shownAt) - Math.abs(b.resetAt - frame.shownAt));
  if (nearest === undefined) return { why: 'no calendar has that day' };
  const assumed = spoken.year === null ? ['the year'] : [];
  if (spoken.time !== null || nearest.resetAt >= frame.shownAt - GRACE_MS) {
    return { ...nearest, assumed: [...assumed, ...nearest.assumed] };
  }
  const nextDay = occurrence(nearest.day + DAY_MS, null, frame.zone);
  const isToday = nextDay.resetAt > frame.shownAt;
  return { ...(isToday ? nextDay : nearest), assumed: [...assumed, 'the end of that day'] };
}

/** The next such weekday from the message on. */
function resolveWeekday(spoken: Extract<Spoken, { kind: 'weekday' }>, frame: Frame): Resolved {
  const today = dayOf(wallOf(frame.zone, frame.shownAt));
  const weekday = new Date(today).getUTCDay();
  const first = today + ((spoken.weekday - weekday + 7) % 7) * DAY_MS;
  const choices = [first - 7 * DAY_MS, first, first + 7 * DAY_MS].map((day) =>
    occurrence(day, spoken.time, frame.zone),
  );
  const next = choices.find((one) => one.resetAt >= frame.shownAt - GRACE_MS);
  const { resetAt, assumed } = next ?? occurrence(first, spoken.time, frame.zone);
  return { resetAt, assumed: ['the week', ...assumed] };
}

/**
 * A time without a day. The client prints the date as soon as a reset is more than 24 hours off, so it lies within
 * them, or has just passed. A session limit cannot lie further off than its window: there the last such time is
 * meant, however old (a notice repeated since yesterday). For the others, hours before can mean tomorrow.
 */
function resolveTime(time: ClockTime, frame: Frame): Resolved | { readonly why: string } {
  const { shownAt, limit, zone } = frame;
  const today = dayOf(wallOf(zone, shownAt));
  const near = [-2, -1, 0, 1, 2].map((days) => occurrence(today + days * DAY_MS, time, zone));
  const last = near.findLast((one) => one.resetAt < shownAt);
  const next = near.find((one) => one.resetAt >= shownAt);
  if (next === undefined || last === undefined) return { why: 'no day near it has that time' };
  const reachMs = limit === 'session' ? windowMsOf(limit) + SLACK_MS : DAY_MS;
  const isNext = last.resetAt < shownAt - GRACE_MS && next.earlier <= shownAt + reachMs;
  // Neither a window ahead nor one behind, in a zone that no message stated: it is the wrong zone, and "due now"
  // would poke the session until it is held.
  const isFarOff = last.resetAt < shownAt - reachMs;
  if (!isNext && isFarOff && !frame.isZoneSure) {
    return { why: 'no such time is near: another zone must be meant' };
  }
  const chosen = isNext ? next : last;
  return { resetAt: chosen.resetAt, assumed: ['the day', ...chosen.assumed] };
}

const dayOf = (wall: Wall): Wall => Math.floor(wall / DAY_MS) * DAY_MS;

interface Occurrence extends Resolved {
  readonly day: Wall;
  readonly earlier: number;
}

/** A calendar day (its midnight on the wall) at a time; without one, its start. */
function occurrence(day: Wall, time: ClockTime | null, zone: Zone): Occurrence {
  const { hour, minute, second } = time ?? { hour: 0, minute: 0, second: 0 };
  const { earlier, later, isGap } = instantsOf(
    zone,
    day + hour * HOUR_MS + minute * MINUTE_MS + second * 1000,
  );
  const assumed = time === null ? ['midnight'] : [];
  if (isGap) assumed.push('the end of the hour that the clock leaves out');
  if (earlier !== later) assumed.push('the later of two such times');
  return { resetAt: later, assumed, day, earlier };
}

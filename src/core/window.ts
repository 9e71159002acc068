// How long each kind of usage limit can last: a reset beyond it is suspect, a wait never goes on past it.
import type { LimitKind } from './session.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const WINDOWS_MS: Record<LimitKind, number> = {
  session: 5 * HOUR_MS,
  weekly: 7 * DAY_MS,
  // The client's own table gives the model limits seven days (`seven_day_opus`, `seven_day_sonnet`).
  opus: 7 * DAY_MS,
  sonnet: 7 * DAY_MS,
  fable: 7 * DAY_MS,
  // "You're out of extra usage · resets …" states the reset of the plan's own window, days out at most.
  extra_usage: 7 * DAY_MS,
  // Counted per calendar month.
  credits: 31 * DAY_MS,
  spend: 31 * DAY_MS,
  org: 31 * DAY_MS,
  // "Limit reached resets Dec 18 at 5am": older clients named no kind, also for weekly limits.
  untyped: 7 * DAY_MS,
};

/** The longest that a limit of this kind lasts, in milliseconds. */
export function windowMsOf(limit: LimitKind): number {
  return WINDOWS_MS[limit];
}

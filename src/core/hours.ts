// The hours of the day in which sessions may be continued: `22:00-07:00 Europe/Stockholm`.
import { instantsOf, parseZone, wallOf, type Zone } from './zone.ts';

const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;
const DAY_MS = DAY_MINUTES * MINUTE_MS;

/** From one minute of the day up to and without another, past midnight where `to` is not after `from`. */
export interface Hours {
  readonly fromMinute: number;
  readonly toMinute: number;
  /** Null: the zone of the machine. */
  readonly zone: string | null;
}

/** `HH:MM-HH:MM`, with or without a zone behind it; null for anything else, and for a window of no length. */
export function parseHours(text: string): Hours | null {
  const match = /^(\d{1,2}):(\d{2}) ?[-–] ?(\d{1,2}):(\d{2})(?: (\S+))?$/.exec(text.trim());
  if (match === null) return null;
  const [, fromHour, fromMinute, toHour, toMinute, zone] = match;
  const from = minuteOf(fromHour, fromMinute);
  const to = minuteOf(toHour, toMinute);
  if (from === null || to === null || from % DAY_MINUTES === to % DAY_MINUTES) return null;
  if (zone !== undefined && parseZone(zone) === null) return null;
  return { fromMinute: from % DAY_MINUTES, toMinute: to % DAY_MINUTES, zone: zone ?? null };
}

function minuteOf(hour: string | undefined, minute: string | undefined): number | null {
  const minutes = Number(hour) * 60 + Number(minute);
  return Number(minute) < 60 && minutes <= DAY_MINUTES ? minutes : null;
}

/**
 * When (epoch ms) the hours begin next, as the clock of `zone` shows; null while they last. Where the clock jumps over
 * their beginning, they begin behind the gap; of an hour that comes twice, with the first.
 */
export function opensAt({ fromMinute, toMinute }: Hours, zone: Zone, now: number): number | null {
  const wall = wallOf(zone, now);
  const midnight = Math.floor(wall / DAY_MS) * DAY_MS;
  const minute = Math.floor((wall - midnight) / MINUTE_MS);
  const isOpen =
    fromMinute < toMinute
      ? minute >= fromMinute && minute < toMinute
      : minute >= fromMinute || minute < toMinute;
  if (isOpen) return null;
  for (const day of [0, 1]) {
    const opens = instantsOf(zone, midnight + day * DAY_MS + fromMinute * MINUTE_MS).earlier;
    if (opens > now) return opens;
  }
  return now;
}

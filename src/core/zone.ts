// Time zones as the client prints them: what each name means, and which instant a wall clock in it shows.

/** A zone that is known: an IANA zone by its rules, or a fixed distance from UTC. */
export interface Zone {
  /** As it was stated, a line break in it mended. */
  readonly name: string;
  /** What had to be assumed to read the name; null for `Area/City` and UTC. */
  readonly assumed: string | null;
  /** Milliseconds to add to UTC at an instant (epoch ms) to get the wall clock. */
  readonly offsetMsAt: (instant: number) => number;
}

/** A wall clock as if it were UTC: `Date.UTC` of what the clock and the calendar on the wall show. */
export type Wall = number;

/** The instants (epoch ms) that a wall clock shows: the same one twice, or both of an hour that comes twice. */
export interface Instants {
  readonly earlier: number;
  readonly later: number;
  /** The clock jumped over this time: both are the first instant after the gap. */
  readonly isGap: boolean;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

// Only the standard names of one country: `IST`, `BST`, `CST` of China and others mean several zones and stay unread.
// The product prints `Area/City` or `UTC`; these come from people's own words.
const FIXED_HOURS: ReadonlyMap<string, number> = new Map([
  ['EST', -5],
  ['EDT', -4],
  ['CST', -6],
  ['CDT', -5],
  ['MST', -7],
  ['MDT', -6],
  ['PST', -8],
  ['PDT', -7],
  ['AKST', -9],
  ['AKDT', -8],
  ['HST', -10],
  ['CEST', 2],
  ['EEST', 3],
  ['WEST', 1],
  ['JST', 9],
  ['KST', 9],
]);
const UTC_NAMES = new Set(['UTC', 'GMT', 'Z', 'UCT', 'ZULU', 'UNIVERSAL', 'ETC/UTC', 'ETC/GMT']);
const UTC_OFFSET = /^(?:UTC|GMT)? ?([+-])(\d{1,2})(?::?(\d{2}))?$/i;
// Short IANA keys that name one zone; other short names (IST, BST, SST) are ICU's guesses.
const SHORT_KEYS = new Set(['CET', 'EET', 'WET', 'MET', 'GB', 'NZ', 'PRC', 'ROC', 'ROK']);

/**
 * The zone that `name` states: IANA names in any case, `UTC`, `GMT+2`, a few abbreviations. Line breaks inside a
 * wrapped name are ignored. Null for what no clock follows: `Europe/Barcelona`, `Etc/Unknown`, `IST`.
 * `Etc/GMT+5` is UTC−5 (POSIX's sign), `GMT+5` in a message is UTC+5.
 */
export function parseZone(name: string): Zone | null {
  const stated = name.trim();
  const upper = stated.toUpperCase();
  if (UTC_NAMES.has(upper)) return fixedZone(stated, 0, null);
  const offset = UTC_OFFSET.exec(stated);
  if (offset !== null) return offsetZone(stated, offset);
  const hours = FIXED_HOURS.get(upper);
  if (hours !== undefined) {
    const sign = hours < 0 ? '−' : '+';
    return fixedZone(stated, hours * HOUR_MS, `${upper} read as UTC${sign}${Math.abs(hours)}`);
  }
  if (/^[a-z]{1,4}$/i.test(stated) && !SHORT_KEYS.has(upper)) return null;
  if (upper === 'ETC/UNKNOWN') return null;
  for (const key of new Set([stated.replace(/ /g, ''), stated.replace(/ /g, '_')])) {
    const format = formatOf(key);
    if (format !== null) {
      const assumed = key.includes('/') ? null : `${stated} read as the IANA zone of that name`;
      return { name: key, assumed, offsetMsAt: (instant) => offsetMs(format, instant) };
    }
  }
  return null;
}

const fixedZone = (name: string, offset: number, assumed: string | null): Zone => ({
  name,
  assumed,
  offsetMsAt: () => offset,
});

function offsetZone(name: string, [, sign, hours, minutes]: RegExpExecArray): Zone | null {
  const size = Number(hours) * HOUR_MS + Number(minutes ?? '0') * MINUTE_MS;
  if (size > 14 * HOUR_MS || Number(minutes ?? '0') > 59) return null;
  return fixedZone(name, sign === '-' ? -size : size, null);
}

// Intl itself, not date-fns-tz: that takes the zone of the machine in between, and is off around its changes of the clock.
function formatOf(key: string): Intl.DateTimeFormat | null {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone: key,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch {
    return null;
  }
}

function offsetMs(format: Intl.DateTimeFormat, instant: number): number {
  const whole = Math.floor(instant / 1000) * 1000;
  const parts = new Map(format.formatToParts(whole).map(({ type, value }) => [type, value]));
  const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.get(type));
  const day = Date.UTC(part('year'), part('month') - 1, part('day'));
  const seconds = (part('hour') * 60 + part('minute')) * 60 + part('second');
  return day + seconds * 1000 - whole;
}

/** What the wall clock of `zone` shows at `instant` (epoch ms). */
export function wallOf(zone: Zone, instant: number): Wall {
  return instant + zone.offsetMsAt(instant);
}

// Further than any change of the clock moves it: Samoa left out a whole day in 2011.
const REACH_MS = 26 * HOUR_MS;

/** The instants at which the clock of `zone` shows `wall`; in a gap the first instant after it. */
export function instantsOf(zone: Zone, wall: Wall): Instants {
  const before = zone.offsetMsAt(wall - REACH_MS);
  const after = zone.offsetMsAt(wall + REACH_MS);
  const shown = [wall - before, wall - after].filter((instant) => wallOf(zone, instant) === wall);
  if (shown.length > 0) {
    return { earlier: Math.min(...shown), later: Math.max(...shown), isGap: false };
  }
  const end = changeBetween(zone, wall - after, wall - before);
  return { earlier: end, later: end, isGap: true };
}

/** The first instant from which the offset of `to` holds. */
function changeBetween(zone: Zone, from: number, to: number): number {
  const offset = zone.offsetMsAt(to);
  let [low, high] = [from, to];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (zone.offsetMsAt(middle) === offset) high = middle;
    else low = middle;
  }
  return high;
}

// The words of a stated reset, read strictly: what they said, with nothing filled in and nothing impossible let through.
import { casual } from 'chrono-node/en';
import type { Wall } from './zone.ts';

type ParsedComponents = ReturnType<typeof casual.parse>[number]['start'];

export interface ClockTime {
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

/** What the words say; null parts were not said. Months count from 1, weekdays from 0, Sunday. */
export type Spoken =
  | { readonly kind: 'instant'; readonly at: number }
  | { readonly kind: 'after'; readonly ms: number }
  | {
      readonly kind: 'date';
      readonly year: number | null;
      readonly month: number;
      readonly day: number;
      readonly time: ClockTime | null;
    }
  | { readonly kind: 'weekday'; readonly weekday: number; readonly time: ClockTime | null }
  | { readonly kind: 'time'; readonly time: ClockTime }
  | { readonly kind: 'unreadable'; readonly why: string };

const UNIT = '(?:d|days?|h|hrs?|hours?|m|mins?|minutes?|s|secs?|seconds?|w|weeks?)';
const BARE_DURATION = new RegExp(String.raw`^(?:\d{1,4}(?:\.\d+)? ?${UNIT}(?:,? and |, ?| ?))+$`);
const EARLIEST_EPOCH = Date.UTC(2015, 0, 1);
const LATEST_EPOCH = Date.UTC(2100, 0, 1);

const unreadable = (why: string): Spoken => ({ kind: 'unreadable', why });

/** Reads `words`, zone already taken off. `wall` is what the clock showed: what `today` and `tomorrow` count from. */
export function readWords(words: string, wall: Wall): Spoken {
  const plain = plainWords(words);
  if (plain === '') return unreadable('no time is stated');
  if (/^\d{9,13}$/.test(plain)) return readEpoch(plain);
  const impossible = impossibleClock(plain);
  if (impossible !== null) return unreadable(`no clock shows ${impossible}`);
  if (/\d\/\d/.test(plain)) return unreadable(`${plain} can be read in two ways`);
  if (BARE_DURATION.test(plain)) return readDuration(`in ${plain}`, wall);
  if (/^(?:in|within) /.test(plain)) return readDuration(plain, wall);
  return readCalendar(plain, wall);
}

const plainWords = (words: string): string =>
  words
    .toLowerCase()
    .replace(/([ap])\.?m\b\.?/g, '$1m')
    .replace(/~|\b(?:about|around|approximately)\b/g, ' ')
    .replace(/ +/g, ' ')
    .replace(/^[ ,]*(?:(?:at|on|after|by) )*/, '')
    .replace(/[ ,.]+$/, '');

function readEpoch(digits: string): Spoken {
  const at = Number(digits) * (digits.length <= 11 ? 1000 : 1);
  const isPlausible = at > EARLIEST_EPOCH && at < LATEST_EPOCH;
  return isPlausible ? { kind: 'instant', at } : unreadable(`${digits} is no instant of our time`);
}

// chrono takes `0am` for midnight, and rejects `13am` only where nothing else can be made of it.
function impossibleClock(words: string): string | null {
  for (const clock of words.match(
    /\b\d{1,2}(?::\d{2}){0,2} ?[ap]m\b|\b\d{1,2}(?::\d{2}){1,2}\b/g,
  ) ?? []) {
    const [hour = 0, minute = 0, second = 0] = clock.split(':').map((part) => parseInt(part, 10));
    const isHour = clock.endsWith('m') ? hour >= 1 && hour <= 12 : hour <= 23;
    if (!isHour || minute > 59 || second > 59) return clock;
  }
  return null;
}

function parseWhole(words: string, wall: Wall): ParsedComponents | null {
  const reference = { instant: new Date(wall), timezone: 0 };
  const [result, ...others] = casual.parse(words, reference);
  if (result === undefined || others.length > 0 || result.end != null) return null;
  return result.index === 0 && result.text.length === words.length ? result.start : null;
}

const utcOf = (parts: ParsedComponents): number =>
  Date.UTC(
    parts.get('year') ?? 0,
    (parts.get('month') ?? 1) - 1,
    parts.get('day') ?? 1,
    parts.get('hour') ?? 0,
    parts.get('minute') ?? 0,
    parts.get('second') ?? 0,
    parts.get('millisecond') ?? 0,
  );

function readDuration(words: string, wall: Wall): Spoken {
  const parts = parseWhole(words, wall);
  const ms = parts === null ? Number.NaN : utcOf(parts) - wall;
  return ms >= 0 ? { kind: 'after', ms } : unreadable(`cannot read "${words}"`);
}

function readCalendar(words: string, wall: Wall): Spoken {
  const parts = parseWhole(words, wall);
  if (parts === null) return unreadable(`cannot read "${words}"`);
  const offset = parts.isCertain('timezoneOffset') ? parts.get('timezoneOffset') : null;
  if (offset !== null) return { kind: 'instant', at: utcOf(parts) - offset * 60_000 };
  const hour = parts.isCertain('hour') ? parts.get('hour') : null;
  const time =
    hour === null
      ? null
      : { hour, minute: parts.get('minute') ?? 0, second: parts.get('second') ?? 0 };
  const [year, month, day] = [parts.get('year'), parts.get('month'), parts.get('day')];
  if (parts.isCertain('day') && month !== null && day !== null) {
    return { kind: 'date', year: parts.isCertain('year') ? year : null, month, day, time };
  }
  const weekday = parts.isCertain('weekday') ? parts.get('weekday') : null;
  if (weekday !== null) return { kind: 'weekday', weekday, time };
  return time === null ? unreadable(`cannot read "${words}"`) : { kind: 'time', time };
}

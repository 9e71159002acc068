// One schedule for every scheduler: a cron expression of five fields as lists of numbers, read and checked here.
import { createHash } from 'node:crypto';
import { CronExpressionParser } from 'cron-parser';
import { formatDuration } from '../core/duration.ts';
import { failed, ok, type Result } from '../core/result.ts';
import type { ScheduleFailure } from './machine.ts';

/** What a field allows, ascending; null: anything. */
export type Allowed = readonly number[] | null;

export interface Schedule {
  /** Five fields of `*` or lists of numbers, which every cron reads alike. */
  readonly expression: string;
  readonly minutes: Allowed;
  readonly hours: Allowed;
  readonly daysOfMonth: Allowed;
  readonly months: Allowed;
  /** 0 is Sunday. With `daysOfMonth` too, a day of either kind counts, as cron has it. */
  readonly daysOfWeek: Allowed;
  /** Set where it was asked for as an interval. */
  readonly intervalMs: number | null;
}

export const DEFAULT_INTERVAL_MS = 15 * 60_000;

const MACROS: Readonly<Record<string, string>> = {
  '@hourly': '0 * * * *',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@weekly': '0 0 * * 0',
  '@monthly': '0 0 1 * *',
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
};
const MONTH = 'jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec';
const DAY = 'sun|mon|tue|wed|thu|fri|sat';
const NAMES = ['minute', 'hour', 'day of month', 'month', 'day of week'] as const;
const SIZES = [60, 24, 31, 12, 7];
const LONGEST_MONTHS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const refuse = (message: string) => failed<ScheduleFailure>({ kind: 'usage', message });

/** A cron expression (crontab(5)) or one of the plain macros; what crons read differently is refused. */
export function parseSchedule(text: string): Result<Schedule, ScheduleFailure> {
  const stated = text.trim();
  const expanded = stated.startsWith('@') ? MACROS[stated.toLowerCase()] : stated;
  if (expanded === undefined)
    return refuse(`schedule ${stated}: only @hourly to @yearly are known`);
  const fields = expanded.split(/\s+/);
  const fault = faultOf(fields);
  if (fault !== null) return refuse(`schedule "${stated}": ${fault}`);
  const lists = listsOf(fields);
  if (!lists.ok) return refuse(`schedule "${stated}": ${lists.failure}`);
  const schedule = scheduleOf(withEitherDay(lists.value, fields), null);
  return firesEver(schedule) ? ok(schedule) : refuse(`schedule "${stated}" never fires`);
}

function faultOf(fields: readonly string[]): string | null {
  if (fields.length === 6) return 'six fields; seconds are not supported, give five';
  if (fields.length !== 5) {
    return 'give five fields: minute, hour, day of month, month, day of week';
  }
  for (const [place, field] of fields.entries()) {
    const names = place === 3 ? MONTH : place === 4 ? DAY : null;
    const value = names === null ? '\\d{1,2}' : `(?:\\d{1,2}|${names})`;
    const item = `(?:(?:\\*|${value}-${value})(?:/\\d{1,2})?|${value})`;
    if (!new RegExp(`^${item}(?:,${item})*$`, 'i').test(field)) {
      return `${NAMES[place]} "${field}" is no list of numbers, ranges and steps (no L, W, #, ?, H)`;
    }
  }
  const [, , day = '*', , weekday = '*'] = fields;
  // crontab(5) says "restricted" of what does not start with `*`: of `*/2` crons disagree, and cron-parser with them.
  if (day !== '*' && weekday !== '*' && /\*/.test(day + weekday)) {
    return 'a step over * in one day field beside the other day field: crons disagree, give numbers';
  }
  return null;
}

function listsOf(fields: readonly string[]): Result<Allowed[], string> {
  try {
    return ok(
      fields
        .map((field, place) => field.split(',').map((item) => valuesOf(item, place)))
        .map(union),
    );
  } catch (error) {
    return failed((error as Error).message);
  }
}

/** Of one item of a list, since the parser refuses lists that overlap, as `0,7` and `0-10,5` do. */
function valuesOf(item: string, place: number): number[] {
  const fields = ['*', '*', '*', '*', '*'].with(place, item).join(' ');
  const { minute, hour, dayOfMonth, month, dayOfWeek } = CronExpressionParser.parse(fields, {
    tz: 'UTC',
  }).fields;
  const { values } = [minute, hour, dayOfMonth, month, dayOfWeek][place] ?? minute;
  return values.map((value) => (place === 4 ? Number(value) % 7 : Number(value)));
}

const union = (lists: readonly number[][]): number[] =>
  [...new Set(lists.flat())].sort((one, other) => one - other);

/** A full list is `*`, save that a full day field makes the other one void, for either counts. */
function withEitherDay(lists: readonly Allowed[], fields: readonly string[]): Allowed[] {
  const isFull = (place: number) => lists[place]?.length === SIZES[place];
  const bothStated = fields[2] !== '*' && fields[4] !== '*';
  const anyDay = bothStated && (isFull(2) || isFull(4));
  return lists.map((list, place) =>
    isFull(place) || (anyDay && (place === 2 || place === 4)) ? null : list,
  );
}

function scheduleOf(lists: readonly Allowed[], intervalMs: number | null): Schedule {
  const [minutes = null, hours = null, daysOfMonth = null, months = null, daysOfWeek = null] =
    lists;
  const expression = [minutes, hours, daysOfMonth, months, daysOfWeek]
    .map((list) => (list === null ? '*' : list.join(',')))
    .join(' ');
  return { expression, minutes, hours, daysOfMonth, months, daysOfWeek, intervalMs };
}

function firesEver({ daysOfMonth, months, daysOfWeek }: Schedule): boolean {
  if (daysOfMonth === null || daysOfWeek !== null) return true;
  return LONGEST_MONTHS.some(
    (days, place) => (months?.includes(place + 1) ?? true) && (daysOfMonth[0] ?? 99) <= days,
  );
}

/** Every so often, at minutes that `seed` (user and host) picks: never the full hour, when everybody's jobs start. */
export function everySchedule(intervalMs: number, seed: string): Result<Schedule, ScheduleFailure> {
  const number = createHash('sha256').update(seed).digest().readUInt32BE(0);
  const [minutes, hours] = [intervalMs / MINUTE_MS, intervalMs / HOUR_MS];
  if ([5, 6, 10, 12, 15, 20, 30].includes(minutes)) {
    const offset = 1 + (number % (minutes - 1));
    return ok(scheduleOf([steps(offset, minutes, 60)], intervalMs));
  }
  if ([1, 2, 3, 4, 6, 8, 12, 24].includes(hours)) {
    const atHours = hours === 1 ? null : steps(Math.floor(number / 59) % hours, hours, 24);
    return ok(scheduleOf([[1 + (number % 59)], atHours], intervalMs));
  }
  return refuse(
    `every ${formatDuration(intervalMs)}: give 5, 6, 10, 12, 15, 20 or 30 minutes or 1, 2, 3, 4, 6, 8, 12 or 24 hours; others do not divide the hour or the day evenly`,
  );
}

const steps = (first: number, step: number, end: number): number[] =>
  Array.from({ length: end / step }, (_, count) => first + count * step);

/** The next `count` instants (epoch ms) after `from` by the clock of an IANA zone; fewer where they lie out of reach. */
export function nextRuns(schedule: Schedule, from: number, zone: string, count: number): number[] {
  const runs: number[] = [];
  try {
    const options = { currentDate: new Date(from), tz: zone };
    const expression = CronExpressionParser.parse(schedule.expression, options);
    while (runs.length < count) runs.push(expression.next().getTime());
  } catch {
    // The parser gives up after some thousand steps, and on a zone that it does not know.
  }
  return runs;
}

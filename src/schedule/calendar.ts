// A schedule in the words of systemd (`OnCalendar`, systemd.time(7)) and of launchd (`StartCalendarInterval`).
import { failed, ok, type Result } from '../core/result.ts';
import type { ScheduleFailure } from './machine.ts';
import type { Allowed, Schedule } from './schedule.ts';

/** Keys as in launchd.plist(5); a missing one means any. */
export type CalendarInterval = Readonly<
  Partial<Record<'Minute' | 'Hour' | 'Day' | 'Month' | 'Weekday', number>>
>;

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
/** launchd keeps each entry as a timer of its own. */
const MAX_INTERVALS = 200;

/** Cron takes a day that either field allows; systemd and launchd want both, so each field gets entries of its own. */
function daysOf({ daysOfMonth, daysOfWeek }: Schedule): { days: Allowed; weekdays: Allowed }[] {
  return daysOfMonth !== null && daysOfWeek !== null
    ? [
        { days: daysOfMonth, weekdays: null },
        { days: null, weekdays: daysOfWeek },
      ]
    : [{ days: daysOfMonth, weekdays: daysOfWeek }];
}

/** The values of one or two `OnCalendar=` lines. */
export function toOnCalendar(schedule: Schedule): string[] {
  const list = (allowed: Allowed) =>
    allowed?.map((number) => String(number).padStart(2, '0')).join(',') ?? '*';
  const clock = `${list(schedule.hours)}:${list(schedule.minutes)}:00`;
  return daysOf(schedule).map(({ days, weekdays }) => {
    const names = weekdays === null ? '' : `${weekdays.map((day) => DAYS[day]).join(',')} `;
    return `${names}*-${list(schedule.months)}-${list(days)} ${clock}`;
  });
}

/** launchd knows single numbers only, so lists are multiplied out; too many of them are refused. */
export function toCalendarIntervals(
  schedule: Schedule,
): Result<CalendarInterval[], ScheduleFailure> {
  const { minutes, hours, months } = schedule;
  const kinds = daysOf(schedule).map(({ days, weekdays }) => {
    const keys = { Month: months, Day: days, Weekday: weekdays, Hour: hours, Minute: minutes };
    const stated = Object.entries(keys).filter(([, allowed]) => allowed !== null);
    // An entry without any key is not described anywhere; sixty minutes are.
    return stated.length > 0 ? stated : [['Minute', Array.from({ length: 60 }, (_, at) => at)]];
  }) as [string, readonly number[]][][];
  const count = kinds.reduce(
    (sum, keys) => sum + keys.reduce((product, [, allowed]) => product * allowed.length, 1),
    0,
  );
  if (count > MAX_INTERVALS) {
    const message = `schedule "${schedule.expression}" is ${count} entries for launchd, more than ${MAX_INTERVALS}: give a plainer one`;
    return failed({ kind: 'usage', message });
  }
  return ok(kinds.flatMap(multiply));
}

const multiply = (keys: readonly [string, readonly number[]][]): CalendarInterval[] =>
  keys.reduce<CalendarInterval[]>(
    (entries, [key, allowed]) =>
      entries.flatMap((entry) => allowed.map((number) => ({ ...entry, [key]: number }))),
    [{}],
  );

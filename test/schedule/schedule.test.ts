// What a schedule may be, when it fires, and how systemd and launchd are told.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toCalendarIntervals, toOnCalendar } from '../../src/schedule/calendar.ts';
import { everySchedule, nextRuns, parseSchedule } from '../../src/schedule/schedule.ts';
import { NOW, schedule } from './fake-machine.ts';

describe('reads a cron expression', () => {
  test.each([
    ['*/15 * * * *', '0,15,30,45 * * * *'],
    ['  7,22,37,52   *  * * * ', '7,22,37,52 * * * *'],
    ['* * * * *', '* * * * *'],
    ['0-59 0-23 1-31 1-12 0-7', '* * * * *'],
    ['5-20/5,50 9-17 * JAN,mar Mon-fri', '5,10,15,20,50 9,10,11,12,13,14,15,16,17 * 1,3 1,2,3,4,5'],
    ['0 0 * * 7', '0 0 * * 0'],
    ['0 0 * * 5-7', '0 0 * * 0,5,6'],
    ['0 0 29 2 *', '0 0 29 2 *'],
    ['0 0 30 2 1', '0 0 30 2 1'],
    ['0 0 1-31 * 1', '0 0 * * *'],
    ['0 0 */2 * *', `0 0 ${Array.from({ length: 16 }, (_, at) => 1 + 2 * at).join(',')} * *`],
    ['0-10/5,5,5 * * * 0,7', '0,5,10 * * * 0'],
    ['@hourly', '0 * * * *'],
    ['@Weekly', '0 0 * * 0'],
  ])('%s as %s', (text, expression) => {
    const parsed = parseSchedule(text);
    expect(parsed).toMatchObject({ ok: true, value: { expression } });
  });
});

describe('refuses', () => {
  test.each([
    ['0 */15 * * * *', /seconds/],
    ['* * * *', /five fields/],
    ['', /five fields/],
    ['0 0 L * *', /day of month "L"/],
    ['0 0 15W * *', /15W/],
    ['0 0 * * 1#2', /1#2/],
    ['0 0 ? * 1', /"\?"/],
    ['H * * * *', /minute "H"/],
    ['0 0 * * 5L', /5L/],
    ['@reboot', /@reboot/],
    ['@every 5m', /@every/],
    ['60 * * * *', /60/],
    ['* 24 * * *', /24/],
    ['0 0 0 * *', /./],
    ['0 0 * 13 *', /./],
    ['0 0 * * 8', /./],
    ['50-10 * * * *', /./],
    ['5/15 * * * *', /5\/15/],
    ['*/0 * * * *', /./],
    ['-5 * * * *', /-5/],
    ['1,,2 * * * *', /1,,2/],
    ['0 0 30 2 *', /./],
    ['0 0 31 4,6 *', /./],
    ['0 0 */2 * 1', /crons disagree/],
    ['0 0 1 * */2', /crons disagree/],
    ['* * * * *\nrm -rf', /./],
    ['0 0 * * mon;', /./],
  ])('%s', (text, message) => {
    expect(parseSchedule(text)).toMatchObject({
      ok: false,
      failure: { kind: 'usage', message: expect.stringMatching(message) },
    });
  });
});

test('reads what it has written as the same', () => {
  const list = (low: number, high: number) =>
    fc.oneof(
      fc.constant('*'),
      fc
        .array(fc.integer({ min: low, max: high }), { minLength: 1, maxLength: 5 })
        .map((numbers) => numbers.join(',')),
    );
  const expressions = fc
    .tuple(list(0, 59), list(0, 23), list(1, 28), list(1, 12), list(0, 7))
    .map((fields) => fields.join(' '));
  fc.assert(
    fc.property(expressions, (text) => {
      const once = schedule(text);
      expect(schedule(once.expression)).toEqual(once);
      expect(toOnCalendar(once).length).toBe(once.daysOfMonth && once.daysOfWeek ? 2 : 1);
    }),
  );
});

describe('every so often', () => {
  const minutes = [5, 6, 10, 12, 15, 20, 30];
  test.each(minutes)('%i minutes are even, off the full hour, for any user', (step) => {
    fc.assert(
      fc.property(fc.string(), (seed) => {
        const made = everySchedule(step * 60_000, seed);
        if (!made.ok) throw new Error(made.failure.message);
        const list = made.value.minutes ?? [];
        expect(list).toHaveLength(60 / step);
        expect(list).not.toContain(0);
        expect(list.slice(1).every((minute, at) => minute - (list[at] ?? 0) === step)).toBe(true);
        expect(parseSchedule(made.value.expression)).toMatchObject({ ok: true });
      }),
    );
  });

  test('hours have one minute each', () => {
    const made = everySchedule(6 * 3_600_000, 'ann@box');
    expect(made).toMatchObject({ ok: true, value: { intervalMs: 6 * 3_600_000 } });
    if (!made.ok) return;
    expect(made.value.minutes).toHaveLength(1);
    expect(made.value.hours).toHaveLength(4);
    expect(everySchedule(3_600_000, 'x')).toMatchObject({ ok: true, value: { hours: null } });
  });

  test('is the same for the same user and host, and not for all', () => {
    const minutesOf = (seed: string) => {
      const made = everySchedule(900_000, seed);
      return made.ok ? made.value.expression : '';
    };
    expect(minutesOf('ann@box')).toBe(minutesOf('ann@box'));
    expect(new Set(Array.from({ length: 200 }, (_, at) => minutesOf(`u${at}`))).size).toBe(14);
  });

  test.each([0, 1000, 60_000, 7 * 60_000, 45 * 60_000, 5 * 3_600_000, 48 * 3_600_000, 90_500])(
    'refuses %i ms and says what goes',
    (intervalMs) => {
      expect(everySchedule(intervalMs, 'x')).toMatchObject({
        ok: false,
        failure: { kind: 'usage', message: expect.stringMatching(/15, 20 or 30 minutes/) },
      });
    },
  );
});

describe('the next runs', () => {
  const runs = (text: string, zone: string, count = 2) =>
    nextRuns(schedule(text), NOW, zone, count).map((run) => new Date(run).toISOString());

  test.each([
    ['7,22,37,52 * * * *', 'UTC', ['2026-03-04T10:07:00.000Z', '2026-03-04T10:22:00.000Z']],
    ['0 3 * * *', 'Europe/Stockholm', ['2026-03-05T02:00:00.000Z', '2026-03-06T02:00:00.000Z']],
    ['0 0 13 * 5', 'UTC', ['2026-03-06T00:00:00.000Z', '2026-03-13T00:00:00.000Z']],
    ['0 0 29 2 *', 'UTC', ['2028-02-29T00:00:00.000Z', '2032-02-29T00:00:00.000Z']],
  ])('of %s in %s', (text, zone, expected) => {
    expect(runs(text, zone)).toEqual(expected);
  });

  test('of a zone that is not known are none', () => {
    expect(runs('* * * * *', 'Europe/Atlantis')).toEqual([]);
  });
});

describe('for systemd', () => {
  test.each([
    ['7,22,37,52 * * * *', ['*-*-* *:07,22,37,52:00']],
    ['* * * * *', ['*-*-* *:*:00']],
    ['0 9 * * 1-5', ['Mon,Tue,Wed,Thu,Fri *-*-* 09:00:00']],
    ['0 0 1 JAN *', ['*-01-01 00:00:00']],
    ['0 0 13 * 5', ['*-*-13 00:00:00', 'Fri *-*-* 00:00:00']],
  ])('%s is %j', (text, expected) => {
    expect(toOnCalendar(schedule(text))).toEqual(expected);
  });
});

describe('for launchd', () => {
  test.each([
    ['7,22 * * * *', [{ Minute: 7 }, { Minute: 22 }]],
    [
      '0 9,17 * * 7',
      [
        { Weekday: 0, Hour: 9, Minute: 0 },
        { Weekday: 0, Hour: 17, Minute: 0 },
      ],
    ],
    [
      '0 0 13 * 5',
      [
        { Day: 13, Hour: 0, Minute: 0 },
        { Weekday: 5, Hour: 0, Minute: 0 },
      ],
    ],
  ])('%s is %j', (text, expected) => {
    expect(toCalendarIntervals(schedule(text))).toEqual({ ok: true, value: expected });
  });

  test('every minute is sixty entries, and too many are refused', () => {
    const everyMinute = toCalendarIntervals(schedule('* * * * *'));
    expect(everyMinute.ok && everyMinute.value.length).toBe(60);
    expect(toCalendarIntervals(schedule('*/10 0-12 * * 1-5'))).toMatchObject({
      ok: false,
      failure: { kind: 'usage', message: expect.stringMatching(/390 entries/) },
    });
  });
});

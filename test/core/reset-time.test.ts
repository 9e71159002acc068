import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { GRACE_MS, SLACK_MS } from '../../src/core/reset-day.ts';
import { type ResetQuery, readResetTime } from '../../src/core/reset-time.ts';
import type { LimitKind } from '../../src/core/session.ts';
import { windowMsOf } from '../../src/core/window.ts';

const HOUR_MS = 3_600_000;
const LIMITS: readonly LimitKind[] = [
  'session',
  'weekly',
  'opus',
  'sonnet',
  'fable',
  'extra_usage',
  'credits',
  'spend',
  'org',
  'untyped',
];

function query(text: string, shown: string, limit: LimitKind): ResetQuery {
  return { text, shownAt: Date.parse(shown), limit, sessionZone: null, machineZone: 'UTC' };
}

function instant(given: ResetQuery): string {
  const reading = readResetTime(given);
  return reading.kind === 'at' ? new Date(reading.resetAt).toISOString() : reading.kind;
}

/** What stands behind "resets", when it was shown, which limit, the instant. */
type Row = readonly [words: string, shown: string, limit: LimitKind, at: string];

function reads(rows: readonly Row[]): void {
  test.each(rows)('reads "%s" shown %s for %s as %s', (words, shown, limit, at) => {
    const text = `You've hit your limit · resets ${words}`;
    expect(instant(query(text, shown, limit))).toBe(new Date(at).toISOString());
  });
}

describe('forms', () => {
  reads([
    ['3:45pm', '2026-07-01T12:00Z', 'session', '2026-07-01T15:45Z'],
    ['3:45 PM', '2026-07-01T12:00Z', 'session', '2026-07-01T15:45Z'],
    ['3:45\u202fPM', '2026-07-01T12:00Z', 'session', '2026-07-01T15:45Z'],
    ['3:45\u00a0p.m.', '2026-07-01T12:00Z', 'session', '2026-07-01T15:45Z'],
    ['12am (UTC)', '2026-07-01T22:00Z', 'session', '2026-07-02T00:00Z'],
    ['12pm (UTC)', '2026-07-01T10:00Z', 'session', '2026-07-01T12:00Z'],
    ['12:50pm (Europe/Paris)', '2026-07-28T09:00Z', 'session', '2026-07-28T10:50Z'],
    ['at noon (UTC)', '2026-07-01T10:00Z', 'session', '2026-07-01T12:00Z'],
    ['at midnight (UTC)', '2026-07-01T22:00Z', 'session', '2026-07-02T00:00Z'],
    ['18:00 (UTC)', '2026-07-01T14:00Z', 'untyped', '2026-07-01T18:00Z'],
    ['15:30 (Asia/Kolkata)', '2026-07-01T06:00Z', 'untyped', '2026-07-01T10:00Z'],
    ['4:40:30am (UTC)', '2026-07-01T04:00Z', 'session', '2026-07-01T04:40:30Z'],
    ['Oct 6, 6pm', '2026-10-01T00:00Z', 'weekly', '2026-10-06T18:00Z'],
    ['Dec 18 at 5am (Asia/Riyadh)', '2025-12-15T00:00Z', 'untyped', '2025-12-18T02:00Z'],
    ['Jul 24 at 10:59am (America/New_York)', '2026-07-20T00:00Z', 'weekly', '2026-07-24T14:59Z'],
    ['September 6th, 1pm (UTC)', '2026-09-01T00:00Z', 'weekly', '2026-09-06T13:00Z'],
    ['6 Oct 18:00 (UTC)', '2026-10-01T00:00Z', 'weekly', '2026-10-06T18:00Z'],
    ['Mon 12:00am', '2026-09-10T12:00Z', 'weekly', '2026-09-14T00:00Z'],
    ['Mon 12:00am (Europe/Dublin)', '2026-09-10T12:00Z', 'weekly', '2026-09-13T23:00Z'],
    ['Monday at 9am (UTC)', '2026-09-14T08:00Z', 'weekly', '2026-09-14T09:00Z'],
    ['tomorrow at 5am (Asia/Tokyo)', '2026-07-01T16:00Z', 'weekly', '2026-07-02T20:00Z'],
    ['in 2 hours', '2026-07-01T12:00:30Z', 'session', '2026-07-01T14:00:30Z'],
    ['in 3d 2h', '2026-07-01T12:00Z', 'org', '2026-07-04T14:00Z'],
    ['in 2h 4m', '2026-07-01T12:00Z', 'session', '2026-07-01T14:04Z'],
    ['2h 4m', '2026-07-01T12:00Z', 'session', '2026-07-01T14:04Z'],
    ['in 45 minutes', '2026-07-01T12:00Z', 'session', '2026-07-01T12:45Z'],
    ['in about an hour', '2026-07-01T12:00Z', 'session', '2026-07-01T13:00Z'],
    ['in 2 days, 4 hours and 5 minutes', '2026-07-01T12:00Z', 'weekly', '2026-07-03T16:05Z'],
    ['at 2026-07-16T09:00:00Z.', '2026-07-15T00:00Z', 'weekly', '2026-07-16T09:00Z'],
    ['2026-07-16T09:00:00+02:00', '2026-07-15T00:00Z', 'weekly', '2026-07-16T07:00Z'],
    ['2026-08-09 00:00 UTC', '2026-08-08T10:00Z', 'spend', '2026-08-09T00:00Z'],
    ['1748268000', '2025-05-26T10:00Z', 'untyped', '2025-05-26T14:00Z'],
    ['3pm (EST)', '2026-07-01T18:00Z', 'session', '2026-07-01T20:00Z'],
    ['3pm (Etc/GMT+5)', '2026-07-01T18:00Z', 'session', '2026-07-01T20:00Z'],
    ['3pm (UTC+5)', '2026-07-01T08:00Z', 'session', '2026-07-01T10:00Z'],
    ['3pm (GMT+05:30)', '2026-07-01T08:00Z', 'session', '2026-07-01T09:30Z'],
    ['3pm UTC', '2026-07-01T12:00Z', 'session', '2026-07-01T15:00Z'],
    ['3pm PST', '2026-07-01T20:00Z', 'session', '2026-07-01T23:00Z'],
    ['3pm America/New_York', '2026-07-01T16:00Z', 'session', '2026-07-01T19:00Z'],
    ['3pm (america/new_york)', '2026-07-01T16:00Z', 'session', '2026-07-01T19:00Z'],
    ['3pm (America/\n   New_York)', '2026-07-01T16:00Z', 'session', '2026-07-01T19:00Z'],
    ['3pm (America/New York)', '2026-07-01T16:00Z', 'session', '2026-07-01T19:00Z'],
    ['3pm (local time)', '2026-07-01T12:00Z', 'session', '2026-07-01T15:00Z'],
    ['1pm (Asia/Seoul) (429)', '2026-07-01T02:00Z', 'session', '2026-07-01T04:00Z'],
    ['11am (Asia/Seoul)/login to switch', '2026-07-01T01:00Z', 'session', '2026-07-01T02:00Z'],
  ]);

  test.each([
    ['Claude AI usage limit reached|1748268000', '2025-05-26T14:00:00.000Z'],
    ['Claude AI usage limit reached|1748268000000', '2025-05-26T14:00:00.000Z'],
    ['Claude AI usage limit reached | 1748268000', '2025-05-26T14:00:00.000Z'],
    [
      'Claude AI usage limit reached|1748268000 Your limit will reset at 5pm (America/Chicago).',
      '2025-05-26T14:00:00.000Z',
    ],
  ])('prefers the epoch of "%s"', (text, at) => {
    expect(instant(query(text, '2025-05-26T10:00Z', 'untyped'))).toBe(at);
  });

  test.each([
    ["You've hit your monthly spend limit · your session limit resets 2:40pm (UTC)", 'session'],
    [
      "You've hit your monthly spend limit · resets Dec 1 · your session limit resets 2:40pm",
      'session',
    ],
    [
      "You've hit your monthly spend limit · resets Dec 1 · your session limit resets 2:40pm",
      'spend',
    ],
    [
      "You've hit your session limit · resets 2:40pm · your weekly limit resets Dec 4, 9pm",
      'session',
    ],
    ["You've hit your limit · resets 2:40pm. You've hit it twice", 'untyped'],
    ['Claude usage limit reached. Your limit will reset\n     at 2:40pm (UTC).', 'untyped'],
    ["\u001b[31m⚠ You've hit your limit\u001b[0m\n· resets 2:40pm (UTC)", 'untyped'],
    ['│ Session limit reached ∙ resets 2:40 PM │', 'session'],
    ['Limit reached resets 2:40pm', 'untyped'],
    ['Usage limit reached. Please try again at 2:40pm', 'untyped'],
  ] as const)('finds the reset that counts in "%s" for %s', (text, limit) => {
    expect(instant(query(text, '2026-11-30T12:00Z', limit))).toBe('2026-11-30T14:40:00.000Z');
  });
});

describe('around the instant it was shown', () => {
  reads([
    // A little after the reset: due now, not tomorrow.
    ['10am (America/Lima)', '2025-10-23T15:01:44Z', 'untyped', '2025-10-23T15:00Z'],
    ['12am (UTC)', '2026-07-01T00:04Z', 'session', '2026-07-01T00:00Z'],
    ['5pm (UTC)', '2026-07-01T17:15Z', 'weekly', '2026-07-01T17:00Z'],
    // Hours after it a session limit still means the last one, the others the next.
    ['7:59am (America/New_York)', '2026-07-01T13:12Z', 'session', '2026-07-01T11:59Z'],
    ['5:10pm (Asia/Calcutta)', '2026-07-02T04:00Z', 'session', '2026-07-01T11:40Z'],
    ['10am (Asia/Seoul)', '2025-12-01T04:32:07Z', 'weekly', '2025-12-02T01:00Z'],
    ['5pm (UTC)', '2026-07-01T19:00Z', 'untyped', '2026-07-02T17:00Z'],
    // A session's window is five hours, with a quarter of an hour for clocks that differ.
    ['5pm (UTC)', '2026-07-01T12:00Z', 'session', '2026-07-01T17:00Z'],
    ['5pm (UTC)', '2026-07-01T11:50Z', 'session', '2026-07-01T17:00Z'],
    ['5pm (UTC)', '2026-07-01T11:30Z', 'session', '2026-06-30T17:00Z'],
    ['5pm (UTC)', '2026-07-01T11:30Z', 'opus', '2026-07-01T17:00Z'],
    ['5pm (UTC)', '2026-07-01T11:30Z', 'extra_usage', '2026-07-01T17:00Z'],
    // The exact instant.
    ['5pm (UTC)', '2026-07-01T17:00:00Z', 'session', '2026-07-01T17:00Z'],
    // The day on the wall is not UTC's.
    ['1:50am (Asia/Tokyo)', '2026-07-05T12:10Z', 'session', '2026-07-05T16:50Z'],
    ['9pm (Pacific/Auckland)', '2026-07-05T05:00Z', 'session', '2026-07-05T09:00Z'],
    // Over the end of the year, both ways.
    ['Jan 2, 6pm (UTC)', '2026-12-30T12:00Z', 'weekly', '2027-01-02T18:00Z'],
    ['Dec 31, 11pm (UTC)', '2027-01-01T00:10Z', 'weekly', '2026-12-31T23:00Z'],
    ['Jan 2, 2027, 6pm (UTC)', '2026-12-30T12:00Z', 'weekly', '2027-01-02T18:00Z'],
    ['12:30am (Asia/Tokyo)', '2026-12-31T14:00Z', 'session', '2026-12-31T15:30Z'],
    ['Feb 29, 5pm (UTC)', '2028-02-25T00:00Z', 'weekly', '2028-02-29T17:00Z'],
    // Weekdays: today's when it is still to come or has just passed, else next week's.
    ['Thu 5pm (UTC)', '2026-09-10T16:00Z', 'weekly', '2026-09-10T17:00Z'],
    ['Thu 5pm (UTC)', '2026-09-10T17:10Z', 'weekly', '2026-09-10T17:00Z'],
    ['Thu 5pm (UTC)', '2026-09-10T18:00Z', 'weekly', '2026-09-17T17:00Z'],
    ['Wed 11:59pm (UTC)', '2026-09-10T00:05Z', 'weekly', '2026-09-09T23:59Z'],
    // A date alone counts from its start; shown on that day, to its end.
    ['Nov 13', '2026-11-10T12:00Z', 'weekly', '2026-11-13T00:00Z'],
    ['Nov 13 (Asia/Tokyo)', '2026-11-10T12:00Z', 'weekly', '2026-11-12T15:00Z'],
    ['Nov 13', '2026-11-13T00:05Z', 'weekly', '2026-11-13T00:00Z'],
    ['Nov 13', '2026-11-13T12:00Z', 'weekly', '2026-11-14T00:00Z'],
  ]);
});

describe('days on which the clock changes', () => {
  reads([
    // United States, 8 March: 2am to 3am does not exist. 1 November: 1am to 2am comes twice.
    ['2:30am (America/New_York)', '2026-03-08T05:00Z', 'session', '2026-03-08T07:00Z'],
    ['Mar 8, 2:30am (America/New_York)', '2026-03-05T05:00Z', 'weekly', '2026-03-08T07:00Z'],
    ['3am (America/New_York)', '2026-03-08T05:00Z', 'session', '2026-03-08T07:00Z'],
    ['1:30am (America/New_York)', '2026-03-08T05:00Z', 'session', '2026-03-08T06:30Z'],
    ['5pm (America/New_York)', '2026-03-07T22:30Z', 'weekly', '2026-03-08T21:00Z'],
    ['1:30am (America/New_York)', '2026-11-01T04:30Z', 'session', '2026-11-01T06:30Z'],
    ['1:30am (America/New_York)', '2026-11-01T05:45Z', 'session', '2026-11-01T06:30Z'],
    ['1:30am (America/New_York)', '2026-11-01T06:40Z', 'session', '2026-11-01T06:30Z'],
    ['2am (America/New_York)', '2026-11-01T04:30Z', 'session', '2026-11-01T07:00Z'],
    // Over a day of 25 hours "5pm" twenty minutes ago cannot mean the next one: that would be printed with its date.
    ['5pm (America/New_York)', '2026-10-31T21:20Z', 'weekly', '2026-10-31T21:00Z'],
    // Europe, 29 March and 25 October.
    ['2:30am (Europe/Berlin)', '2026-03-28T23:00Z', 'session', '2026-03-29T01:00Z'],
    ['1:30am (Europe/London)', '2026-03-28T23:00Z', 'session', '2026-03-29T01:00Z'],
    ['2:30am (Europe/Berlin)', '2026-10-24T23:30Z', 'session', '2026-10-25T01:30Z'],
    ['Oct 25, 2:30am (Europe/Berlin)', '2026-10-22T12:00Z', 'weekly', '2026-10-25T01:30Z'],
    ['Sun 12:00pm (Europe/Berlin)', '2026-10-22T12:00Z', 'weekly', '2026-10-25T11:00Z'],
    // Australia, 5 April and 4 October; Lord Howe moves by half an hour.
    ['2:30am (Australia/Sydney)', '2026-04-04T14:00Z', 'session', '2026-04-04T16:30Z'],
    ['8pm (Australia/Sydney)', '2026-04-06T08:22:10Z', 'untyped', '2026-04-06T10:00Z'],
    ['2:30am (Australia/Sydney)', '2026-10-03T14:00Z', 'session', '2026-10-03T16:00Z'],
    ['1:45am (Australia/Lord_Howe)', '2026-04-04T13:00Z', 'session', '2026-04-04T15:15Z'],
    ['2:15am (Australia/Lord_Howe)', '2026-10-03T13:00Z', 'session', '2026-10-03T15:30Z'],
    // A relative time is a distance, whatever the clock on the wall does.
    ['in 3 hours', '2026-03-08T05:00Z', 'session', '2026-03-08T08:00Z'],
    ['in 1 day', '2026-03-08T05:00Z', 'weekly', '2026-03-09T05:00Z'],
  ]);

  test('says which of the two it took, and what it did about a gap', () => {
    const twice = readResetTime(
      query('Limit reached · resets 1:30am (America/New_York)', '2026-11-01T04:30Z', 'session'),
    );
    expect(twice).toMatchObject({ assumed: ['the day', 'the later of two such times'] });
    const never = readResetTime(
      query('Limit reached · resets 2:30am (America/New_York)', '2026-03-08T05:00Z', 'session'),
    );
    expect(never).toMatchObject({ assumed: ['the day', expect.stringContaining('leaves out')] });
  });
});

describe('what cannot be read', () => {
  test.each([
    '13am (UTC)',
    '0am (UTC)',
    '0:30am',
    '12:60pm',
    '24:00',
    '25:00 (UTC)',
    '18:00pm',
    'Feb 30, 5pm (UTC)',
    'Feb 29, 5pm (UTC)',
    'Jun 31',
    '5pm (Europe/Barcelona)',
    '5pm (Etc/Unknown)',
    '5pm (IST)',
    '5pm (BST)',
    '5pm (GMT+25)',
    '5pm (Mars/Olympus_Mons)',
    '5 Uhr (Europe/Berlin)',
    '10/6, 5pm',
    'soon',
    'later',
    '9999999999999',
    '0000000000',
  ])('gives no instant for "resets %s"', (words) => {
    const text = `You've hit your session limit · resets ${words}`;
    expect(instant(query(text, '2026-07-01T12:00Z', 'session'))).toBe('unreadable');
  });

  test.each([
    '',
    "You've hit your session limit",
    'Usage limit reached · /upgrade to Max',
    'API Error: 503 upstream connect error. reset reason: connection timeout',
    'API Error: 529 Overloaded. This is usually temporary — try again in a moment.',
    'It resets the database at the start of each test',
    'Usage limit reached · continuing automatically at 7pm · esc to cancel',
  ])('finds no reset in "%s"', (text) => {
    expect(instant(query(text, '2026-07-01T12:00Z', 'untyped'))).toBe('none');
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, -1, 8.64e15])(
    'refuses to read against %s',
    (shownAt) => {
      const text = 'Session limit reached · resets 5pm (UTC)';
      const given = {
        text,
        shownAt,
        limit: 'session',
        sessionZone: null,
        machineZone: 'UTC',
      } as const;
      expect(readResetTime(given).kind).toBe('unreadable');
    },
  );

  test('takes a zone-less time that is nowhere near for one of another zone', () => {
    const given = query('Session limit reached · resets 5pm', '2026-07-01T08:00Z', 'session');
    expect(readResetTime(given)).toMatchObject({ kind: 'unreadable' });
    const known = { ...given, sessionZone: 'Asia/Tokyo' };
    expect(instant({ ...known, shownAt: Date.parse('2026-07-01T06:00Z') })).toBe(
      '2026-07-01T08:00:00.000Z',
    );
    expect(instant(known)).toBe('2026-07-01T08:00:00.000Z');
  });
});

describe('zones', () => {
  const text = 'Session limit reached · resets 5pm';
  const shownAt = Date.parse('2026-07-01T08:00Z');

  test.each([
    [`${text} (Europe/Paris)`, 'Asia/Tokyo', 'UTC', 'Europe/Paris', 'stated'],
    [text, 'Asia/Tokyo', 'UTC', 'Asia/Tokyo', 'session'],
    [text, null, 'Europe/Athens', 'Europe/Athens', 'machine'],
    [text, 'Etc/Unknown', 'Europe/Athens', 'Europe/Athens', 'machine'],
  ] as const)('reads "%s" with session zone %s and machine zone %s in %s', (...row) => {
    const [stated, sessionZone, machineZone, zone, zoneFrom] = row;
    const reading = readResetTime({
      text: stated,
      shownAt,
      limit: 'weekly',
      sessionZone,
      machineZone,
    });
    expect(reading).toMatchObject({ kind: 'at', zone, zoneFrom });
  });

  test('falls back to UTC, and says so, on a machine whose zone is unknown', () => {
    const given = { text, shownAt, limit: 'weekly', sessionZone: null, machineZone: '' } as const;
    expect(readResetTime(given)).toMatchObject({
      resetAt: Date.parse('2026-07-01T17:00Z'),
      assumed: ['the day', expect.stringContaining('UTC')],
    });
  });

  test('names no zone where the text needs none', () => {
    const given = { text: 'Limit reached · resets in 2h', shownAt, limit: 'weekly' } as const;
    const reading = readResetTime({ ...given, sessionZone: null, machineZone: 'Asia/Tokyo' });
    expect(reading).toMatchObject({ zone: null, zoneFrom: 'none', assumed: [] });
  });

  test('reads EST as the fixed UTC−5 that it names, and says so', () => {
    const given = { text: `${text} (EST)`, shownAt, limit: 'weekly' } as const;
    expect(readResetTime({ ...given, sessionZone: null, machineZone: 'UTC' })).toMatchObject({
      resetAt: Date.parse('2026-07-01T22:00Z'),
      assumed: ['the day', 'EST read as UTC−5'],
    });
  });

  test('gives the same instant whatever the zone of the process', () => {
    const given = query(
      'Limit reached · resets Nov 1, 1:30am (America/New_York)',
      '2026-10-28T12:00Z',
      'weekly',
    );
    const before = process.env['TZ'];
    try {
      for (const zone of ['UTC', 'America/New_York', 'Australia/Lord_Howe', 'Pacific/Apia']) {
        process.env['TZ'] = zone;
        expect(instant(given)).toBe('2026-11-01T06:30:00.000Z');
      }
    } finally {
      if (before === undefined) delete process.env['TZ'];
      else process.env['TZ'] = before;
    }
  });
});

describe('doubt', () => {
  test.each([
    ['session', 'in 5 hours', null],
    ['session', 'in 6 hours', 'more than 5 hours'],
    ['weekly', 'in 7 days', null],
    ['fable', 'in 8 days', 'more than 7 days'],
    ['untyped', 'in 6 days', null],
    ['org', 'in 30 days', null],
    ['org', 'in 40 days', 'more than 31 days'],
    ['weekly', '2026-06-30T12:00:00Z', 'had passed'],
    ['weekly', '2026-07-01T11:50:00Z', null],
  ] as const)('about a %s limit that resets %s: %s', (limit, words, doubt) => {
    const reading = readResetTime(
      query(`Limit reached · resets ${words}`, '2026-07-01T12:00Z', limit),
    );
    expect(reading).toMatchObject({
      suspect: doubt === null ? null : expect.stringContaining(doubt),
    });
  });

  test('windows are five hours for a session, a week for the week and the models, a month for money', () => {
    const days = LIMITS.map((limit) => [limit, windowMsOf(limit) / HOUR_MS]);
    expect(Object.fromEntries(days)).toEqual({
      session: 5,
      weekly: 168,
      opus: 168,
      sonnet: 168,
      fable: 168,
      extra_usage: 168,
      untyped: 168,
      credits: 744,
      spend: 744,
      org: 744,
    });
  });
});

const ZONES = [
  'UTC',
  'America/New_York',
  'America/Los_Angeles',
  'America/Sao_Paulo',
  'Europe/London',
  'Europe/Berlin',
  'Africa/Addis_Ababa',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Asia/Tokyo',
  'Australia/Sydney',
  'Australia/Lord_Howe',
  'Pacific/Auckland',
  'Pacific/Chatham',
  'Pacific/Apia',
];

/** As the client prints a reset: the time within 24 hours, else the date too, in lower case, without `:00`. */
function printed(resetAt: number, shownAt: number, timeZone: string): string {
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-US', { timeZone, ...options }).format(resetAt);
  const isRound = format({ minute: 'numeric' }) === '0';
  const clock: Intl.DateTimeFormatOptions = isRound
    ? { hour: 'numeric' }
    : { hour: 'numeric', minute: '2-digit' };
  const day: Intl.DateTimeFormatOptions =
    resetAt - shownAt > 24 * HOUR_MS ? { month: 'short', day: 'numeric' } : {};
  return `${format({ ...day, ...clock }).replace(/[ \u202f]([AP]M)/, (_, half) => half.toLowerCase())} (${timeZone})`;
}

const INSTANTS = { min: Date.parse('2026-01-01'), max: Date.parse('2027-12-31') };
const CHANGES = [
  ...['2026-03-08T07:00Z', '2026-11-01T06:00Z', '2026-03-29T01:00Z', '2026-10-25T01:00Z'],
  ...['2026-04-04T15:00Z', '2026-10-03T15:30Z', '2026-04-04T16:00Z', '2026-09-26T14:00Z'],
].map((at) => Date.parse(at));
/** Anywhere in two years, half of them within a day and a half before a change of some clock. */
const SHOWN = fc.oneof(
  fc.integer(INSTANTS),
  fc
    .tuple(fc.constantFrom(...CHANGES), fc.integer({ min: -36 * HOUR_MS, max: 3 * HOUR_MS }))
    .map(([change, ms]) => change + ms),
);

/** Milliseconds of the fastest of `times` runs: other work on the machine does not count. */
function fastestOf(times: number, run: () => void): number {
  const took = Array.from({ length: times }, () => {
    const start = performance.now();
    run();
    return performance.now() - start;
  });
  return Math.min(...took);
}

describe('properties', () => {
  test.each(['session', 'weekly', 'untyped'] as const)(
    'reads back what the client prints for a %s limit',
    (limit) => {
      // A time that lies a whole day off (23 hours in spring), less the grace, is read as one that has just passed.
      const farthest = limit === 'session' ? 5 * HOUR_MS : 165 * HOUR_MS;
      const away = fc
        .integer({ min: 0, max: farthest })
        .filter((ms) => ms < 23 * HOUR_MS - GRACE_MS - 60_000 || ms > 24 * HOUR_MS);
      fc.assert(
        fc.property(SHOWN, away, fc.constantFrom(...ZONES), (shownAt, ms, zone) => {
          const minute = Math.floor((shownAt + ms) / 60_000) * 60_000;
          const text = `You've hit your limit · resets ${printed(shownAt + ms, shownAt, zone)}`;
          const reading = readResetTime({
            text,
            shownAt,
            limit,
            sessionZone: null,
            machineZone: 'UTC',
          });
          if (reading.kind !== 'at') return false;
          const isLater = reading.assumed.includes('the later of two such times');
          const late = reading.resetAt - minute;
          return late === 0 || (isLater && late > 0 && late <= HOUR_MS);
        }),
        { numRuns: 800 },
      );
    },
  );

  const WORDS = fc.constantFrom(
    ...[
      'resets',
      'Your limit will reset',
      'at',
      'in',
      'on',
      '5pm',
      '13am',
      '0:99',
      '24:00',
      'Oct 6,',
      'Feb 30',
    ],
    ...[
      'Mon',
      'Sunday',
      'tomorrow',
      'midnight',
      '3d',
      '2h',
      '1748268000',
      '|',
      '(UTC)',
      '(Etc/GMT+5)',
      '(X/Y)',
    ],
    ...[
      '2026-08-09',
      '00:00',
      '2026-07-16T09:00:00Z',
      '2027',
      '·',
      '\n',
      '(429)',
      'your session limit',
      '99999',
    ],
    ...[
      '/login',
      'EST',
      '(',
      ')',
      'next',
      '31st',
      '12/25',
      'soon',
      '∙',
      '\u001b[31m',
      '\u202f',
      'Feb 29',
    ],
  );
  const TEXTS = fc.oneof(
    fc.array(WORDS, { maxLength: 12 }).map((words) => words.join(' ')),
    fc
      .array(WORDS, { maxLength: 8 })
      .map((words) => `Usage limit reached · resets ${words.join('')}`),
    fc.string({ unit: 'binary', maxLength: 200 }),
  );
  const ANY_ZONE = fc.oneof(
    fc.constantFrom(...ZONES, 'EST', 'Etc/Unknown', ''),
    fc.string({ maxLength: 12 }),
  );

  test('no text, zone or instant throws; what is read lies in its window, or is doubted; a later look agrees', () => {
    fc.assert(
      fc.property(
        TEXTS,
        fc.oneof(SHOWN, fc.double()),
        fc.constantFrom(...LIMITS),
        ANY_ZONE,
        (text, shownAt, limit, zone) => {
          const given = { text, shownAt, limit, sessionZone: zone, machineZone: zone };
          const reading = readResetTime(given);
          expect(readResetTime(given)).toEqual(reading);
          if (reading.kind !== 'at' || reading.suspect !== null) return;
          expect(reading.resetAt).toBeGreaterThanOrEqual(shownAt - GRACE_MS);
          expect(reading.resetAt).toBeLessThanOrEqual(shownAt + 31 * 24 * HOUR_MS + SLACK_MS);
          const isOwned = text.includes('your session limit');
          if (!isOwned) {
            expect(reading.resetAt).toBeLessThanOrEqual(shownAt + windowMsOf(limit) + SLACK_MS);
          }
          if (reading.assumed.includes('the day')) {
            expect(reading.resetAt).toBeLessThanOrEqual(shownAt + 25 * HOUR_MS);
          }
        },
      ),
      { numRuns: 2000 },
    );
  });

  test.each([
    ['resets ', 'resets in 1h '],
    ['digits', '1'],
    ['months', 'resets Oct '],
    ['owners', 'your limit limit '],
    ['zones', 'resets 5pm (America/'],
    ['spaces', '  \n'],
    ['escapes', '\u001b]'],
  ])('reads a megabyte of %s in less than 50 ms', (_, piece) => {
    const text = piece.repeat(Math.ceil(1_000_000 / piece.length));
    const ms = fastestOf(5, () => {
      readResetTime(query(text, '2026-07-01T12:00Z', 'session'));
      const behind = `Session limit reached · resets 5pm ${text}`;
      readResetTime(query(behind, '2026-07-01T12:00Z', 'session'));
    });
    expect(ms).toBeLessThan(50);
  });
});

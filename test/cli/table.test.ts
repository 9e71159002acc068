// The table of a tick: what comes back first, each line within the terminal, and nothing that acts on it.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tableOf } from '../../src/cli/table.ts';
import { ACTED_ON } from '../core/hostile-text.ts';
import { NOW } from '../core/situation.ts';
import { hostileReport, PARKED, RESUME, report, session, WOKEN } from './reports.ts';

const style = { zone: 'UTC', width: 120 };

test('shows what came back, what waits and until when, what stays parked and why', () => {
  const sessions = [
    session({ ...PARKED, jobId: 'cccccccc', name: null }),
    session({ jobId: 'bbbbbbbb', name: 'second' }),
    session(RESUME, { outcome: WOKEN }),
  ];
  expect(tableOf(report(sessions, { notices: ['dropped one'] }), style).split('\n')).toEqual([
    'SESSION   NAME     WHAT    WHEN                    WHY',
    'ac67d09b  job one  woken                           5-hour limit; woken in place',
    'bbbbbbbb  second   waits   Dec 1, 14:01 (in 2h2m)  5-hour limit',
    'cccccccc           parked                          permission prompt',
    'note: dropped one',
    '',
    'resumed 1, waiting 1, parked 1',
    '',
  ]);
});

test('says so when there is nothing to show', () => {
  expect(tableOf(report([]), style)).toBe(
    'no background sessions\n\nresumed 0, waiting 0, parked 0\n',
  );
});

test.each([
  ['dry', true, 'would resume'],
  ['real', false, 'left alone'],
])('a session to resume reads, in a %s run, "%s"', (_, isDryRun, word) => {
  expect(tableOf(report([session(RESUME)], { isDryRun }), style)).toContain(word);
});

test.each([
  ['failed', 'failed', 1],
  ['unconfirmed', 'unconfirmed', 1],
  ['came_back', 'came back', 0],
  ['in_flight', 'in flight', 0],
] as const)('an outcome %s reads "%s"', (result, word, failures) => {
  const table = tableOf(report([session(RESUME, { outcome: { ...WOKEN, result } })]), style);
  expect(table).toContain(word);
  expect(table.includes('failed 1')).toBe(failures === 1);
});

test.each([
  ['its zone', 'America/New_York', NOW + 5_400_000, 'Dec 1, 08:30 (in 1h30m)'],
  ['midnight as 00:00', 'UTC', NOW + 12 * 3_600_000, 'Dec 2, 00:00 (in 12h)'],
  ['what is due now', 'UTC', NOW - 5, 'Dec 1, 11:59 (in 0s)'],
  ['what has no instant', 'UTC', null, 'next tick'],
])('writes when in %s', (_, zone, until, expected) => {
  expect(tableOf(report([session({ until })]), { ...style, zone })).toContain(expected);
});

test('lets no control character of a session through', () => {
  const table = tableOf(hostileReport(), { ...style, width: 400 });
  expect(table).not.toMatch(ACTED_ON);
  expect(table).not.toMatch(/\t|owned/);
  // Head, three sessions, a note, an empty line, the sum, and the end of the last line.
  expect(table.split('\n')).toHaveLength(8);
});

/** Columns that a terminal gives to a text: scripts of East Asia and emoji take two. */
const columnsOf = (text: string): number =>
  [...text].reduce(
    (sum, one) =>
      sum +
      (/[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60]|\p{Extended_Pictographic}/u.test(
        one,
      )
        ? 2
        : 1),
    0,
  );

const fits = (name: string, notice: string, width: number, lengthOf: (line: string) => number) => {
  const reason = { code: 'usage_cap', detail: name, resumes_at: null, source: 'none' } as const;
  const sessions = [session({ name, reason }), session({ ...PARKED, name })];
  const table = tableOf(report(sessions, { notices: [notice] }), { zone: 'UTC', width });
  for (const line of table.split('\n')) expect(lengthOf(line)).toBeLessThanOrEqual(width);
};

test('fits the width of the terminal, from 60 columns on', () => {
  const text = fc.string({ maxLength: 300 });
  fc.assert(
    fc.property(text, text, fc.integer({ min: 60, max: 200 }), (name, notice, width) => {
      fits(name, notice, width, (line) => line.length);
    }),
  );
});

test('fits it with wide characters too', () => {
  fits('日本語のセッション'.repeat(9), '🚀 全部'.repeat(20), 80, columnsOf);
});

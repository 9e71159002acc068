// The history as text and as JSON: each stop, each attempt, and the summary of a night.
import { describe, expect, test } from 'vitest';
import { columnsOf } from '../../src/cli/columns.ts';
import { historyJson, historyText, parseSince } from '../../src/cli/history-text.ts';
import { FATES, type Fate, type HistoryReport, type PastStop } from '../../src/watchdog/history.ts';
import { ACTED_ON, HOSTILE } from '../core/hostile-text.ts';
import { attempt, episode, HOUR, JOB_ID, LIMIT_TEXT, NOW, SESSION_ID } from '../core/situation.ts';

const style = { zone: 'UTC', width: 200 };

const stop = (over: Partial<PastStop> = {}): PastStop => ({
  conversation: SESSION_ID,
  jobId: JOB_ID,
  name: 'job one',
  episode: episode(),
  why: LIMIT_TEXT,
  fate: 'waiting',
  ...over,
});

const report = (stops: PastStop[], over: Partial<HistoryReport> = {}): HistoryReport => ({
  now: NOW,
  home: '/home/user/.claude',
  since: null,
  stops,
  summary: {
    stopped: 4,
    fates: {
      ...(Object.fromEntries(FATES.map((fate) => [fate, 0])) as Record<Fate, number>),
      woken: 1,
      by_itself: 1,
      waiting: 1,
      left: 1,
    },
    withoutProgress: 1,
    firstAt: NOW - 3 * HOUR,
    lastAt: NOW - HOUR,
  },
  ...over,
});

const COPIED = stop({
  fate: 'copied',
  episode: episode({
    given_back: 2,
    attempts: [
      attempt({ outcome: 'launching' }),
      attempt({
        outcome: 'copied',
        successor: { job_id: 'bbbbbbbb', session_id: null },
        message: 'the client made a copy',
        progress: true,
      }),
    ],
  }),
});

test('shows each stop, why, its reset, and each attempt, a cut-off one among them', () => {
  expect(
    historyText(report([COPIED, stop({ jobId: null, name: null })]), style).split('\n'),
  ).toEqual([
    'Dec 1, 09:00  ac67d09b "job one"  came back: copied',
    `  ${LIMIT_TEXT}; reset Dec 1, 11:00 (transcript)`,
    '  Dec 1, 11:00 begun, how it went is not known',
    '  Dec 1, 11:00 copied, goes on as bbbbbbbb; the client made a copy; with progress',
    '  2 attempts given back',
    'Dec 1, 09:00  unknown job  still waiting',
    `  ${LIMIT_TEXT}; reset Dec 1, 11:00 (transcript)`,
    '',
  ]);
});

test('puts the summary of the night on top, where it was asked for', () => {
  const text = historyText(report([stop()], { since: NOW - 12 * HOUR }), style);
  expect(text.split('\n').slice(0, 5)).toEqual([
    'from Dec 1, 00:00 to Dec 1, 12:00: first Dec 1, 09:00, last Dec 1, 11:00',
    'stopped 4, came back 2 (woken 1, copied 0, by themselves 1), still waiting 1, failed 0, unconfirmed 0',
    '1 came back without progress',
    '1 left',
    '',
  ]);
});

test('an empty history', () => {
  expect(historyText(report([]), style)).toBe('no stop is on record\n');
  const summary = { ...report([]).summary, firstAt: null, lastAt: null };
  expect(historyText(report([], { since: NOW, summary }), style)).toContain('nothing happened');
});

test('a reset that nobody knows', () => {
  const without = stop({ episode: episode({ reset_at: null, reset_source: 'none' }) });
  expect(historyText(report([without]), style)).toContain('; no reset known');
});

test('the JSON: version first, instants in UTC', () => {
  const json = JSON.parse(JSON.stringify(historyJson(report([COPIED]))));
  expect(Object.keys(json)[0]).toBe('version');
  expect(json).toMatchObject({
    since: null,
    summary: { stopped: 4, woken: 1, by_itself: 1, first_at: '2026-12-01T09:00:00.000Z' },
  });
  expect(json.stops[0]).toMatchObject({
    id: JOB_ID,
    stopped_at: '2026-12-01T09:00:00.000Z',
    reset_at: '2026-12-01T11:00:00.000Z',
    fate: 'copied',
    given_back: 2,
  });
  expect(json.stops[0].attempts[1]).toEqual({
    at: '2026-12-01T11:00:00.000Z',
    id: JOB_ID,
    outcome: 'copied',
    successor: { job_id: 'bbbbbbbb', session_id: null },
    message: 'the client made a copy',
    progress: true,
  });
});

test.each([60, 200])('lets no hostile text through, in %i columns', (width) => {
  const attempts = [attempt({ message: HOSTILE })];
  const hostile = stop({
    name: HOSTILE,
    why: HOSTILE,
    conversation: HOSTILE,
    episode: episode({ message: HOSTILE, attempts }),
  });
  const text = historyText(report([hostile], { since: NOW - HOUR }), { zone: 'UTC', width });
  for (const shown of [text, JSON.stringify(historyJson(report([hostile])))]) {
    expect(shown).not.toMatch(ACTED_ON);
    expect(shown).not.toMatch(/owned/);
  }
  for (const line of text.split('\n')) expect(columnsOf(line)).toBeLessThanOrEqual(width);
});

describe('--since', () => {
  test.each([
    ['12h', NOW - 12 * HOUR],
    ['1d', NOW - 24 * HOUR],
    ['1h30m', NOW - 1.5 * HOUR],
    ['2026-12-01T02:00:00Z', Date.UTC(2026, 11, 1, 2)],
    ['2026-12-01T02:00+02:00', Date.UTC(2026, 11, 1)],
  ])('%s is an instant', (text, instant) => {
    expect(parseSince(text, NOW)).toEqual({ ok: true, value: instant });
  });

  test.each(['', '12', 'yesterday', '-1h', '2026-12-01', '2026-02-30T00:00:00Z', HOSTILE])(
    '%j is refused',
    (text) => {
      const result = parseSince(text, NOW);
      expect(result).toMatchObject({ ok: false, failure: { kind: 'usage' } });
      expect(JSON.stringify(result)).not.toMatch(/\\u|owned/);
    },
  );
});

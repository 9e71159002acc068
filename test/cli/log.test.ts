// The log of a tick: one line for it, one for each session that changed, none when quiet and nothing did.
import { describe, expect, test } from 'vitest';
import { logOf } from '../../src/cli/log.ts';
import { ACTED_ON } from '../core/hostile-text.ts';
import { hostileReport, PARKED, RESUME, report, session, WOKEN } from './reports.ts';

const loud = { zone: () => 'UTC', isQuiet: false };
const quiet = { ...loud, isQuiet: true };

test('is one line when nothing changed, whatever waits', () => {
  expect(logOf(report([session(), session(PARKED)]), loud)).toBe(
    '2026-12-01T12:00:00Z resumed 0, waiting 1 (next 2026-12-01T14:01:30.000Z), parked 1\n',
  );
  expect(logOf(report([]), loud)).toBe('2026-12-01T12:00:00Z resumed 0, waiting 0, parked 0\n');
});

test('tells each session that changed in a line of its own', () => {
  const sessions = [
    session(RESUME, { outcome: WOKEN }),
    session({ name: null }, { isNew: true }),
    session(PARKED),
    session(RESUME, { outcome: { ...WOKEN, result: 'failed', message: 'Workspace not trusted' } }),
  ];
  expect(logOf(report(sessions, { notices: ['dropped one'] }), loud)).toBe(
    [
      '2026-12-01T12:00:00Z resumed 1, waiting 1 (next 2026-12-01T14:01:30.000Z), parked 1, failed 1',
      '  ac67d09b "job one": woken: woken in place (5-hour limit)',
      '  ac67d09b: wait: 5-hour limit, resumes 14:00',
      '  ac67d09b "job one": failed: Workspace not trusted (5-hour limit)',
      '  note: dropped one',
      '',
    ].join('\n'),
  );
});

test('shows clocks in the zone of its reader', () => {
  const log = logOf(report([session({}, { isNew: true })]), { ...loud, zone: () => 'Asia/Tokyo' });
  expect(log).toContain('resumes 23:00');
});

test('a dry run says what it would do', () => {
  expect(logOf(report([session(RESUME)], { isDryRun: true }), loud)).toBe(
    '2026-12-01T12:00:00Z would resume 1, waiting 0, parked 0\n  ac67d09b "job one": resume: 5-hour limit, resumes 14:00\n',
  );
});

describe('when quiet', () => {
  test.each([
    ['nothing', report([session(), session(PARKED)]), true],
    ['a change', report([session({}, { isNew: true })]), false],
    ['an outcome', report([session(RESUME, { outcome: WOKEN })]), false],
    ['a notice', report([], { notices: ['another tick is running'] }), false],
  ])('%s is no more than needed', (_, one, isEmpty) => {
    expect(logOf(one, quiet) === '').toBe(isEmpty);
  });

  test('no zone is asked for where no clock is shown', () => {
    const zone = () => {
      throw new Error('asked');
    };
    expect(() => logOf(report([session()]), { ...loud, zone })).not.toThrow();
  });
});

test.each([true, false])(
  'lets no control character of a session through (dry run: %s)',
  (isDryRun) => {
    const lines = logOf(hostileReport({ isDryRun }), loud).split('\n');
    for (const line of lines) {
      expect(line).not.toMatch(ACTED_ON);
      expect(line).not.toMatch(/\t|owned/);
      expect(line.length).toBeLessThan(400);
    }
    // The tick, its three sessions, its note, and the end of the last line.
    expect(lines).toHaveLength(6);
  },
);

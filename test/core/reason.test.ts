// Reasons: the closed set, when one lifts by itself, and how it reads.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EXIT } from '../../src/cli/exit-status.ts';
import {
  autoResumable,
  EXIT_STATE_NOT_PERSISTED,
  isReasonCode,
  label,
  normalize,
  REASON_CODES,
  type Reason,
  type ReasonCode,
  reasonOf,
  reasonUntil,
  retryable,
  runWaits,
  summary,
} from '../../src/core/reason.ts';

const RESET = Date.UTC(2026, 11, 1, 14, 50);
const cap = (resetsAt: number | null = RESET) =>
  reasonUntil('usage_cap', '5-hour cap reached', resetsAt, 'transcript');

describe('the set', () => {
  test('is closed: the seventeen pause reasons, transient and unknown', () => {
    expect([...REASON_CODES].sort()).toEqual(
      [
        'abort',
        'approval',
        'budget',
        'cancelled',
        'disk_limit',
        'disk_low',
        'executor_lost',
        'idle',
        'operator',
        'plan_only',
        'stale',
        'starter_unavailable',
        'state_not_persisted',
        'step_limit',
        'token_budget',
        'transient',
        'uncommitted_work',
        'unknown',
        'usage_cap',
      ].sort(),
    );
  });

  test.each(['usage-cap', 'USAGE_CAP', '', 'toString', null, 7, ['usage_cap']])(
    'does not take %j for a code',
    (value) => {
      expect(isReasonCode(value)).toBe(false);
    },
  );

  test.each(REASON_CODES)('takes %s for a code and has a noun for it', (code) => {
    expect(isReasonCode(code)).toBe(true);
    expect(label(reasonOf(code))).toMatch(/^[a-z][a-z ]+$/);
  });

  test('state that was not persisted ends a program with 74', () => {
    expect(EXIT_STATE_NOT_PERSISTED).toBe(74);
    expect(EXIT.state).toBe(EXIT_STATE_NOT_PERSISTED);
  });
});

describe('when a reason lifts', () => {
  test.each([
    ['a millisecond before its instant', RESET - 1, false],
    ['at the exact instant', RESET, true],
    ['after it', RESET + 1, true],
  ])('a usage cap is resumable %s: %s', (_, now, expected) => {
    expect(autoResumable(cap(), now)).toBe(expected);
  });

  test('a usage cap with an unknown end is never resumable', () => {
    expect(autoResumable(cap(null), Number.MAX_SAFE_INTEGER)).toBe(false);
    expect(autoResumable(null, RESET)).toBe(false);
    expect(autoResumable({ ...cap(), resumes_at: 'soon' }, RESET)).toBe(false);
  });

  test.each(REASON_CODES.filter((code) => code !== 'usage_cap'))(
    '%s is never resumable by time alone',
    (code) => {
      expect(autoResumable(reasonUntil(code, '', RESET), RESET + 1)).toBe(false);
    },
  );

  test('at most one of the three answers is yes for any code', () => {
    const yes = (code: ReasonCode) => {
      const reason = reasonUntil(code, '', RESET);
      return [autoResumable(reason, RESET), retryable(reason), runWaits(reason)];
    };
    for (const code of REASON_CODES) expect(yes(code).filter(Boolean).length, code).toBeLessThan(2);
    expect(REASON_CODES.filter((code) => yes(code)[1])).toEqual(['transient']);
    expect(REASON_CODES.filter((code) => yes(code)[2])).toEqual(['disk_low']);
    expect([retryable(null), runWaits(null)]).toEqual([false, false]);
  });
});

describe('reasonUntil', () => {
  test.each([
    ['epoch ms', RESET],
    ['an ISO instant', '2026-12-01T14:50:00Z'],
    ['an instant with an offset', '2026-12-01T15:50:00+01:00'],
    ['a Date', new Date(RESET)],
  ])('takes %s', (_, value) => {
    expect(reasonUntil('usage_cap', 'x', value)).toEqual({
      code: 'usage_cap',
      detail: 'x',
      resumes_at: '2026-12-01T14:50:00.000Z',
      source: 'none',
    });
  });

  test.each([
    [null],
    [undefined],
    [0],
    [''],
    [Number.NaN],
    [1e20],
    ['garbage'],
    [new Date(Number.NaN)],
    ['1970-01-01T00:00:00Z'],
    // What is no ISO instant, though the runtime reads a date into it.
    ['0'],
    ['soon 5'],
  ])('counts %j as unknown', (value) => {
    expect(reasonUntil('usage_cap', 'x', value).resumes_at).toBeNull();
  });
});

describe('normalize', () => {
  test.each(['running', 'done', 'queued', ''])('keeps no reason for a session that is %s', (s) => {
    expect(normalize(s, cap())).toBeNull();
  });

  test('keeps a paused one, and applied twice is applied once', () => {
    expect(normalize('paused', cap())).toEqual(cap());
    expect(normalize('paused', null)).toBeNull();
    fc.assert(
      fc.property(
        fc.record({
          code: fc.oneof(fc.constantFrom(...REASON_CODES), fc.string()),
          detail: fc.string(),
          resumes_at: fc.option(fc.oneof(fc.string(), fc.constant('2026-12-01T14:50:00Z'))),
          source: fc.constant('none'),
        }),
        (raw) => {
          const once = normalize('paused', raw as Reason);
          expect(isReasonCode(once?.code)).toBe(true);
          expect(normalize('paused', once)).toEqual(once);
        },
      ),
    );
  });

  test('turns a foreign code into unknown, which never resumes', () => {
    const foreign = { ...cap(), code: 'usagecap' } as unknown as Reason;
    expect(normalize('paused', foreign)).toMatchObject({ code: 'unknown' });
    expect(autoResumable(normalize('paused', foreign), RESET)).toBe(false);
  });
});

describe('summary', () => {
  const noon = Date.UTC(2026, 11, 1, 12);
  test.each([
    ['the clock alone on the same day', 'UTC', noon, '5-hour cap reached, resumes 14:50'],
    [
      'the date on another day',
      'UTC',
      noon - 86_400_000,
      '5-hour cap reached, resumes Dec 1, 14:50',
    ],
    [
      'the date a year later',
      'UTC',
      noon - 365 * 86_400_000,
      '5-hour cap reached, resumes Dec 1, 14:50',
    ],
    ['the clock of its zone', 'America/New_York', noon, '5-hour cap reached, resumes 09:50'],
    [
      'the date where the zone is a day on',
      'Pacific/Auckland',
      Date.UTC(2026, 11, 1, 10),
      '5-hour cap reached, resumes Dec 2, 03:50',
    ],
    ['half-hour zones', 'Asia/Kolkata', noon, '5-hour cap reached, resumes 20:20'],
  ])('shows %s', (_, zone, now, expected) => {
    expect(summary(cap(), zone, now)).toBe(expected);
  });

  test('writes midnight as 00:00', () => {
    expect(summary(cap(Date.UTC(2026, 11, 1)), 'UTC', noon)).toBe(
      '5-hour cap reached, resumes 00:00',
    );
  });

  test('says UTC for a zone that nobody knows, and only the label without an instant', () => {
    expect(summary(cap(), 'Europe/Barcelona', noon)).toBe('5-hour cap reached, resumes 14:50 UTC');
    expect(summary(cap(null), 'UTC', noon)).toBe('5-hour cap reached');
    expect(summary(reasonUntil('usage_cap', '  ', RESET), 'UTC', noon)).toBe(
      'usage limit, resumes 14:50',
    );
  });
});

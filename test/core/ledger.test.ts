// The ledger's transitions: each once, none beyond its bounds, and what they write is always valid.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EMPTY_LEDGER, historyOf, type Ledger } from '../../src/core/ledger.ts';
import {
  beginAttempt,
  giveBack,
  MAX_GIVEN_BACK,
  markStopping,
  prune,
  recordProgress,
  recordSighting,
  recordWait,
  settleAttempt,
  unmarkStopping,
} from '../../src/core/ledger-transitions.ts';
import { reasonOf } from '../../src/core/reason.ts';
import { validate } from '../../src/store/ledger-validator.generated.mjs';
import { attempt, DAY, episode, iso, JOB_ID, NOW, SESSION_ID } from './situation.ts';

const KEY = SESSION_ID;
const nonceOf = (n: number) => n.toString(16).padStart(16, '0');
const SEEN = recordSighting(EMPTY_LEDGER, KEY, episode());
const begin = (ledger: Ledger, n: number, { max = 1, at = NOW } = {}) =>
  beginAttempt(
    ledger,
    { conversation: KEY, episode: 'record-1', nonce: nonceOf(n), jobId: JOB_ID, now: at },
    max,
  );
const begun = (ledger: Ledger, n: number, options = {}): Ledger => {
  const result = begin(ledger, n, options);
  if (!result.ok) throw new Error(result.failure.kind);
  return result.value;
};
const settlement = (n: number) => ({
  conversation: KEY,
  episode: 'record-1',
  nonce: nonceOf(n),
  at: NOW,
  jobId: JOB_ID,
  message: 'said no',
});
const only = (ledger: Ledger) => {
  const found = historyOf(ledger, KEY).episodes[0];
  if (found === undefined) throw new Error('no episode');
  return found;
};

describe('beginAttempt', () => {
  test('writes the attempt and its launch', () => {
    const ledger = begun(SEEN, 1);
    expect(only(ledger).attempts).toEqual([
      attempt({ nonce: nonceOf(1), at: iso(NOW), outcome: 'launching' }),
    ]);
    expect(ledger.launches).toEqual([iso(NOW)]);
  });

  test.each([
    ['a stop that was never seen', EMPTY_LEDGER, 'no-episode'],
    ['a second one while one is open', begun(SEEN, 9, { max: 9 }), 'attempt-open'],
    [
      'more than are allowed',
      settleAttempt(begun(SEEN, 9), { ...settlement(9), outcome: 'failed', successor: null }),
      'attempts-spent',
    ],
  ])('refuses %s', (_, ledger, kind) => {
    expect(begin(ledger, 1)).toMatchObject({ ok: false, failure: { kind } });
  });

  test('counts again once its attempt was removed by hand', () => {
    const spent = settleAttempt(begun(SEEN, 9), {
      ...settlement(9),
      outcome: 'failed',
      successor: null,
    });
    const edited: Ledger = {
      ...spent,
      conversations: { [KEY]: { episodes: [{ ...only(spent), attempts: [] }] } },
    };
    expect(begin(edited, 1).ok).toBe(true);
  });
});

describe('settleAttempt', () => {
  test.each(['failed', 'unconfirmed'] as const)('keeps the reason after %s', (outcome) => {
    const paused = recordWait(begun(SEEN, 1), KEY, 'record-1', {
      now: NOW,
      reason: reasonOf('usage_cap', 'cap'),
    });
    const settled = settleAttempt(paused, { ...settlement(1), outcome, successor: null });
    expect(only(settled).reason).toMatchObject({ code: 'usage_cap' });
  });

  test.each(['woken', 'copied', 'came_back', 'kept'] as const)(
    'leaves no reason and no stop of ours after %s',
    (outcome) => {
      const paused = recordWait(
        markStopping(begun(SEEN, 1), KEY, 'record-1', { jobId: JOB_ID, now: NOW }),
        KEY,
        'record-1',
        { now: NOW, reason: reasonOf('usage_cap', 'cap') },
      );
      const settled = settleAttempt(paused, { ...settlement(1), outcome, successor: null });
      expect(only(settled)).toMatchObject({ reason: null, stopping: null });
    },
  );

  test('mends an attempt whose write was lost, with its launch', () => {
    const mended = settleAttempt(SEEN, { ...settlement(1), outcome: 'woken', successor: null });
    expect(only(mended).attempts).toHaveLength(1);
    expect(mended.launches).toEqual([iso(NOW)]);
  });
});

describe('giveBack', () => {
  test('frees attempt and launch, and counts only what a client was asked for', () => {
    const ledger = begun(SEEN, 1);
    expect(giveBack(ledger, settlement(1), false)).toEqual(SEEN);
    expect(only(giveBack(ledger, settlement(1), true)).given_back).toBe(1);
  });

  test('frees one launch of several in the same millisecond', () => {
    const ledger = { ...begun(SEEN, 1), launches: [iso(NOW), iso(NOW)] };
    expect(giveBack(ledger, settlement(1), true).launches).toEqual([iso(NOW)]);
  });

  test('keeps the attempt as failed after three times', () => {
    let ledger = SEEN;
    for (let n = 1; n <= MAX_GIVEN_BACK; n += 1) {
      ledger = giveBack(begun(ledger, n), settlement(n), true);
      expect(only(ledger).attempts).toEqual([]);
    }
    const last = giveBack(begun(ledger, 9), settlement(9), true);
    expect(only(last).attempts).toMatchObject([{ nonce: nonceOf(9), outcome: 'failed' }]);
    expect(begin(last, 10)).toMatchObject({ ok: false, failure: { kind: 'attempts-spent' } });
  });

  test.each([1, 2, 3, 4])('twice is once, also the %d. time', (times) => {
    let ledger = SEEN;
    for (let n = 1; n < times; n += 1) ledger = giveBack(begun(ledger, n), settlement(n), true);
    const once = giveBack(begun(ledger, times), settlement(times), true);
    expect(giveBack(once, settlement(times), true)).toEqual(once);
  });
});

type Step = (ledger: Ledger) => Ledger;
const nonce = fc.integer({ min: 1, max: 4 });
const at = fc.integer({ min: NOW - 2 * DAY, max: NOW });
const outcomes = fc.constantFrom('woken', 'came_back', 'unconfirmed', 'failed', 'kept' as const);
const MAX = 2;
const step = fc.oneof(
  fc.tuple(nonce, at).map(
    ([n, when]): Step =>
      (ledger) => {
        const result = begin(ledger, n, { max: MAX, at: when });
        return result.ok ? result.value : ledger;
      },
  ),
  // As in the program: only what was begun is settled.
  fc.tuple(nonce, outcomes).map(
    ([n, outcome]): Step =>
      (ledger) =>
        only(ledger).attempts.some((one) => one.nonce === nonceOf(n))
          ? settleAttempt(ledger, { ...settlement(n), outcome, successor: null })
          : ledger,
  ),
  fc.tuple(nonce, fc.boolean()).map(
    ([n, isCounted]): Step =>
      (ledger) =>
        giveBack(ledger, settlement(n), isCounted),
  ),
  at.map(
    (now): Step =>
      (ledger) =>
        recordWait(ledger, KEY, 'record-1', { now, reason: reasonOf('budget', 'full') }),
  ),
  at.map(
    (now): Step =>
      (ledger) =>
        markStopping(ledger, KEY, 'record-1', { jobId: JOB_ID, now }),
  ),
  at.map(
    (last): Step =>
      (ledger) =>
        recordProgress(ledger, KEY, 'record-2', last),
  ),
  fc.constant<Step>((ledger) => recordSighting(ledger, KEY, episode())),
  fc.constant<Step>((ledger) => unmarkStopping(ledger, KEY, 'record-1')),
  fc.constant<Step>((ledger) => prune(ledger, NOW)),
);

test('any row of transitions stays valid, within its attempts, and each applied twice is once', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      let ledger = SEEN;
      for (const apply of steps) {
        const once = apply(ledger);
        expect(apply(once)).toEqual(once);
        expect(validate(once), JSON.stringify(validate.errors)).toBe(true);
        expect(only(once).attempts.length).toBeLessThanOrEqual(MAX);
        expect(only(once).given_back).toBeLessThanOrEqual(MAX_GIVEN_BACK);
        ledger = once;
      }
    }),
    { numRuns: 1000 },
  );
});

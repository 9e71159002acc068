// The knobs' defaults, the two ladders of waiting, and the nonce in a prompt.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  backOffMs,
  DEFAULT_POLICY,
  DEFAULT_PROMPT,
  noncesIn,
  promptWithNonce,
  unreadableWaitMs,
} from '../../src/core/policy.ts';
import type { LimitKind } from '../../src/core/session.ts';
import { windowMsOf } from '../../src/core/window.ts';
import { DAY, HOUR, MINUTE } from './situation.ts';

test('has the documented defaults', () => {
  expect(DEFAULT_POLICY).toEqual({
    marginMs: 90_000,
    live: 'restart',
    liveGraceMs: 10 * MINUTE,
    maxAgeMs: 48 * HOUR,
    minFreeDiskBytes: 500e6,
    staggerMs: 5000,
    maxAttempts: 1,
    maxPerDay: 50,
    maxPerRun: 0,
    on: {
      five_hour: 'resume',
      weekly: 'resume',
      model: 'resume',
      untyped: 'resume',
      transient: 'resume',
    },
    hours: null,
    prompt: DEFAULT_PROMPT,
  });
});

test('backs off 0, 15, 30, 60 and then always 60 minutes', () => {
  expect([0, 1, 2, 3, 4, 50].map((failures) => backOffMs(failures) / MINUTE)).toEqual([
    0, 15, 30, 60, 60, 60,
  ]);
});

test('waits an hour for an unreadable reset, then two, four, to the end of its window', () => {
  const hours = [0, 1, 2, 3, 4, 1000].map(
    (failures) => unreadableWaitMs(failures, 5 * HOUR) / HOUR,
  );
  expect(hours).toEqual([1, 2, 4, 5, 5, 5]);
  expect(unreadableWaitMs(1000, 7 * DAY)).toBe(7 * DAY);
  fc.assert(
    fc.property(fc.nat(10_000), fc.integer({ min: HOUR, max: 31 * DAY }), (failures, windowMs) => {
      const waitMs = unreadableWaitMs(failures, windowMs);
      expect(waitMs).toBeGreaterThanOrEqual(HOUR);
      expect(waitMs).toBeLessThanOrEqual(windowMs);
      expect(unreadableWaitMs(failures + 1, windowMs)).toBeGreaterThanOrEqual(waitMs);
    }),
  );
});

test.each<[LimitKind, number]>([
  ['session', 5 * HOUR],
  ['weekly', 7 * DAY],
  ['opus', 7 * DAY],
  ['sonnet', 7 * DAY],
  ['fable', 7 * DAY],
])('a %s limit lasts at most its window', (limit, windowMs) => {
  expect(windowMsOf(limit)).toBe(windowMs);
});

test('the default prompt says what it is, grants nothing and asks to look first', () => {
  expect(DEFAULT_PROMPT).toMatch(/automatic continuation after an interruption/);
  expect(DEFAULT_PROMPT).toMatch(/grants no new permission/);
  expect(DEFAULT_PROMPT).toMatch(/First check the state of the work/);
  expect(DEFAULT_PROMPT).toMatch(/already done, say so and stop/);
});

test('every prompt carries its nonce and begins with no dash', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.string().map((text) => `--${text}`),
      ),
      fc.stringMatching(/^[0-9a-f]{16}$/),
      (prompt, nonce) => {
        const text = promptWithNonce(prompt, nonce);
        expect(noncesIn(text)).toContain(nonce);
        expect(text.startsWith('-')).toBe(false);
        expect(text.endsWith(prompt)).toBe(true);
      },
    ),
  );
});

test.each([
  ['', []],
  ['[secondwind 0123]', []],
  ['[secondwind 0123456789ABCDEF]', []],
  ['[secondwind 0123456789abcdef0]', []],
  ['secondwind 0123456789abcdef', []],
  [
    'a [secondwind 0123456789abcdef] b [secondwind fedcba9876543210]',
    ['0123456789abcdef', 'fedcba9876543210'],
  ],
])('finds the nonces of %j', (text, expected) => {
  expect(noncesIn(text)).toEqual(expected);
});

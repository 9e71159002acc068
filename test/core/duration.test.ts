// Durations and sizes as people write them, and everything else refused.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatBytes, formatDuration, parseBytes, parseDuration } from '../../src/core/duration.ts';

const DAY = 86_400_000;

test.each([
  ['90s', 90_000],
  ['10m', 600_000],
  ['5h', 18_000_000],
  ['7d', 7 * DAY],
  ['0s', 0],
  ['250ms', 250],
  ['1h30m', 5_400_000],
  ['1d2h3m4s', DAY + 7_384_000],
])('reads %s', (text, expected) => {
  expect(parseDuration(text)).toBe(expected);
});

test.each([
  '',
  '90',
  's',
  '-5s',
  '1.5h',
  '5 m',
  ' 5m',
  '5m ',
  '5M',
  '5min',
  '1e3s',
  '5m,3s',
  '٣s',
  '5m\n',
])('refuses %j as a duration', (text) => {
  expect(parseDuration(text)).toBeNull();
});

test('accepts no duration that leads out of the calendar', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 999_999_999 }),
      fc.constantFrom('s', 'm', 'h', 'd'),
      (n, unit) => {
        const durationMs = parseDuration(`${n}${unit}`);
        const end = Date.UTC(2100, 0, 1) + (durationMs ?? 0);
        expect(Number.isNaN(new Date(end).getTime())).toBe(false);
      },
    ),
  );
});

test.each([
  [0, '0s'],
  [-5, '0s'],
  [90_000, '1m30s'],
  [3_600_000, '1h'],
  [48 * 3_600_000, '2d'],
  [DAY + 1000, '1d1s'],
  [1_499, '1s'],
])('shows %d ms as %s', (durationMs, text) => {
  expect(formatDuration(durationMs)).toBe(text);
});

test('reads back what it shows, to the second', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 3e8 }), (seconds) => {
      expect(parseDuration(formatDuration(seconds * 1000))).toBe(seconds * 1000);
    }),
  );
});

test.each([
  ['500MB', 500_000_000],
  ['1.5GB', 1_500_000_000],
  ['0B', 0],
  ['2 gb', 2_000_000_000],
  ['1kb', 1000],
  ['3TB', 3e12],
])('reads %s', (text, expected) => {
  expect(parseBytes(text)).toBe(expected);
});

test.each(['', '500', 'MB', '-1MB', '1MiB', '1e3MB', '.5GB', '5  MB', '5MB/s', '1,5GB'])(
  'refuses %j as a size',
  (text) => {
    expect(parseBytes(text)).toBeNull();
  },
);

test.each([
  [500_000_000, '500MB'],
  [1_500_000_000, '1.5GB'],
  [550_000_000, '550MB'],
  [999, '999B'],
  [-1, '0B'],
  [0, '0B'],
])('shows %d bytes as %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});

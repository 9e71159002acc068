// When the hours of a day begin, across midnight and across changes of the clock.
import { describe, expect, test } from 'vitest';
import { type Hours, opensAt, parseHours } from '../../src/core/hours.ts';
import { parseZone } from '../../src/core/zone.ts';

function opens(text: string, now: string): string | null {
  const hours = parseHours(text) as Hours;
  const zone = parseZone(hours.zone ?? 'UTC');
  if (zone === null) throw new Error('no such zone');
  const at = opensAt(hours, zone, Date.parse(now));
  return at === null ? null : new Date(at).toISOString();
}

describe('hours past midnight', () => {
  test.each([
    ['2026-12-01T22:00:00Z', null],
    ['2026-12-01T23:59:59Z', null],
    ['2026-12-02T06:59:59Z', null],
    ['2026-12-02T07:00:00Z', '2026-12-02T22:00:00.000Z'],
    ['2026-12-02T21:59:59Z', '2026-12-02T22:00:00.000Z'],
  ])('at %s they begin at %s', (now, at) => {
    expect(opens('22:00-07:00', now)).toBe(at);
  });
});

test.each([
  ['2026-12-01T07:59:00Z', '2026-12-01T08:00:00.000Z'],
  ['2026-12-01T08:00:00Z', null],
  ['2026-12-01T17:00:00Z', '2026-12-02T08:00:00.000Z'],
])('hours of one day, at %s', (now, at) => {
  expect(opens('08:00-17:00 UTC', now)).toBe(at);
});

test('they follow the clock of their zone, in summer and in winter', () => {
  expect(opens('22:00-07:00 Europe/Stockholm', '2026-07-01T12:00:00Z')).toBe(
    '2026-07-01T20:00:00.000Z',
  );
  expect(opens('22:00-07:00 Europe/Stockholm', '2026-12-01T12:00:00Z')).toBe(
    '2026-12-01T21:00:00.000Z',
  );
});

test('a beginning that the clock jumps over is the end of the gap', () => {
  expect(opens('02:30-05:00 Europe/Stockholm', '2026-03-28T23:30:00Z')).toBe(
    '2026-03-29T01:00:00.000Z',
  );
});

test('a beginning that comes twice is the first', () => {
  expect(opens('02:30-05:00 Europe/Stockholm', '2026-10-24T23:30:00Z')).toBe(
    '2026-10-25T00:30:00.000Z',
  );
});

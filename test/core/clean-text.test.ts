// No text of a session can move a cursor, change a title, hide or reorder what stands beside it.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cleanLine, stripControls } from '../../src/core/clean-text.ts';
import { ACTED_ON } from './hostile-text.ts';

test.each([
  ['colours', '\u001b[31mred\u001b[0m', 'red'],
  ['a title', '\u001b]0;owned\u0007name', 'name'],
  ['a hyperlink', '\u001b]8;;http://x\u001b\\link\u001b]8;;\u001b\\', 'link'],
  ['a cleared screen', 'a\u001b[2J\u001b[Hb', 'ab'],
  ['an eight-bit sequence', '\u009b31mred', 'red'],
  ['an escape in an escape', '\u001b\u001b[31m[0mx', '[0mx'],
  ['a title that never ends', 'a\u001b]0;owned', 'a'],
  ['a reset of the terminal', 'a\u001bcb', 'ab'],
  ['carriage returns', 'safe\roverwritten', 'safe overwritten'],
  ['backspaces', 'abc\b\b\bxyz', 'abcxyz'],
  ['direction overrides', 'a\u202efdp.exe\u202c', 'afdp.exe'],
  ['direction isolates', '\u2066a\u2069', 'a'],
  ['an Arabic letter mark', 'a\u061cb', 'ab'],
  ['zero-width characters', 'us\u200ber\ufeff', 'user'],
  ['line separators', 'a\u2028b\u2029c\u0085d', 'a b cd'],
  ['line breaks and tabs', ' a\r\n\tb \n c ', 'a b c'],
  ['no-break spaces', '3\u202fpm\u00a0x', '3 pm x'],
])('one line is free of %s', (_, text, expected) => {
  expect(cleanLine(text)).toBe(expected);
});

test('keeps the line breaks and tabs of a longer text, and makes CR a line break', () => {
  expect(stripControls('a\r\nb\rc\td')).toBe('a\nb\nc\td');
});

test('keeps letters of every script, emoji and punctuation', () => {
  const text = 'Zoë 日本語 مرحبا 🚀 “quoted” · ∙ — 5-hour';
  expect(cleanLine(text)).toBe(text);
});

const hostile = fc.string({
  unit: fc.oneof(
    fc.constantFrom(
      '\u001b',
      '[',
      ']',
      '\u0007',
      '\u009b',
      '\\',
      '\r',
      '\n',
      '\u202e',
      'm',
      '0',
      ';',
    ),
    fc.string({ minLength: 1, maxLength: 1, unit: 'binary' }),
  ),
  maxLength: 60,
});

test('whatever is put together, nothing that a terminal acts on is left', () => {
  fc.assert(
    fc.property(hostile, fc.integer({ min: 2, max: 40 }), (text, maxLength) => {
      const line = cleanLine(text, maxLength);
      expect(line).not.toMatch(ACTED_ON);
      expect(line).not.toMatch(/[\n\t]/);
      expect(line.length).toBeLessThanOrEqual(maxLength);
    }),
    { numRuns: 3000 },
  );
});

test('cleaning twice is cleaning once', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      expect(cleanLine(cleanLine(text))).toBe(cleanLine(text));
    }),
  );
});

test('says that it cut a line, and cuts no character in two', () => {
  expect(cleanLine('abcdefghij', 5)).toBe('abcd…');
  expect(cleanLine('abcde', 5)).toBe('abcde');
  expect(cleanLine('abc🚀🚀🚀', 5)).not.toMatch(/\p{Surrogate}/u);
});

test('reads a megabyte of escapes within half a second', () => {
  const text = '\u001b]\u001b['.repeat(250_000);
  const startedAt = performance.now();
  cleanLine(text);
  stripControls(text);
  expect(performance.now() - startedAt).toBeLessThan(500);
});

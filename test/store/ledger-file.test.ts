// The ledger on disk: whole and valid or a failure that names the place; written only when something changed.
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { statusOfFailure } from '../../src/cli/exit-status.ts';
import { EMPTY_LEDGER, type Ledger } from '../../src/core/ledger.ts';
import { recordSighting } from '../../src/core/ledger-transitions.ts';
import { failed, ok } from '../../src/core/result.ts';
import { changeLedger, ledgerPath, readLedger, updateLedger } from '../../src/store/ledger-file.ts';
import { attempt, episode, SESSION_ID } from '../core/situation.ts';
import { type Folder, makeFolder } from '../folder.ts';

let folder: Folder;
let state: string;
beforeEach(() => {
  folder = makeFolder();
  state = join(folder.path, 'secondwind');
});
afterEach(() => folder.remove());
const write = (text: string) => {
  mkdirSync(state, { recursive: true });
  writeFileSync(ledgerPath(state), text);
};
const sight = (ledger: Ledger) =>
  recordSighting(ledger, SESSION_ID, episode({ attempts: [attempt()] }));

test('an absent ledger is empty, and reading it makes nothing', () => {
  expect(readLedger(state)).toEqual({ ok: true, value: EMPTY_LEDGER });
  expect(() => statSync(state)).toThrow();
});

test('what is written is read back, in a folder that is made for it', () => {
  expect(changeLedger(state, sight)).toEqual({ ok: true, value: sight(EMPTY_LEDGER) });
  expect(readLedger(state)).toEqual({ ok: true, value: sight(EMPTY_LEDGER) });
  expect((statSync(ledgerPath(state)).mode & 0o777).toString(8)).toBe('600');
});

test('keys of later versions survive a change', () => {
  write(JSON.stringify({ ...EMPTY_LEDGER, later: [1] }));
  changeLedger(state, sight);
  expect(JSON.parse(readFileSync(ledgerPath(state), 'utf8')).later).toEqual([1]);
});

test('nothing is written when nothing changed', () => {
  expect(changeLedger(state, (ledger) => ledger)).toEqual({ ok: true, value: EMPTY_LEDGER });
  expect(() => statSync(ledgerPath(state))).toThrow();
});

test('a transition works on what is on disk now', () => {
  changeLedger(state, sight);
  changeLedger(state, (ledger) => ({ ...ledger, launches: ['2026-12-01T10:00:00.000Z'] }));
  expect(readLedger(state)).toMatchObject({
    value: { launches: ['2026-12-01T10:00:00.000Z'], conversations: { [SESSION_ID]: {} } },
  });
});

test('a refused transition changes nothing, and is passed on', () => {
  changeLedger(state, sight);
  const before = readFileSync(ledgerPath(state));
  expect(updateLedger(state, () => failed('spent' as const))).toEqual({
    ok: false,
    failure: { kind: 'refused', refusal: 'spent' },
  });
  expect(readFileSync(ledgerPath(state))).toEqual(before);
});

describe('a broken ledger', () => {
  const whole = () => JSON.stringify(sight(EMPTY_LEDGER));
  test.each<[string, () => string, RegExp]>([
    ['cut short', () => whole().slice(0, -9), /is no JSON/],
    ['empty', () => '', /is no JSON/],
    ['HTML', () => '<html>', /is no JSON/],
    ['a list', () => '[]', /is not valid at the top/],
    [
      'of a later version',
      () => '{"version":2,"conversations":{},"launches":[]}',
      /is not valid at \/version/,
    ],
    [
      'with a foreign launch',
      () => '{"version":1,"conversations":{},"launches":["x"]}',
      /at \/launches\/0/,
    ],
    [
      'with a foreign attempt',
      () => whole().replace('"outcome":"woken"', '"outcome":"won"'),
      /\/episodes\/0\/attempts\/0\/outcome/,
    ],
  ])('that is %s stops everything with 74 and names the place', (_, text, message) => {
    write(text());
    const read = readLedger(state);
    if (read.ok) throw new Error('read');
    expect(read.failure).toMatchObject({ kind: 'broken', path: ledgerPath(state) });
    expect(read.failure.message).toMatch(message);
    expect(read.failure.message).toContain(ledgerPath(state));
    expect(statusOfFailure(read.failure)).toBe(74);
  });

  test('is never written over', () => {
    write('{"version":1');
    expect(changeLedger(state, sight)).toMatchObject({ failure: { kind: 'broken' } });
    expect(updateLedger(state, () => ok(EMPTY_LEDGER)).ok).toBe(false);
    expect(readFileSync(ledgerPath(state), 'utf8')).toBe('{"version":1');
  });
});

test.each([
  ['unreadable', () => mkdirSync(ledgerPath(state), { recursive: true })],
  ['unwritable', () => writeFileSync(state, '')],
])('a state that is %s ends with 74', (kind, prepare) => {
  prepare();
  const changed = changeLedger(state, sight);
  if (changed.ok) throw new Error('changed');
  // A file in the folder's place cannot be read either.
  expect([kind, 'unreadable']).toContain(changed.failure.kind);
  expect(statusOfFailure(changed.failure)).toBe(74);
});

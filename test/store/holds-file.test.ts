// Holds: what an operator holds stays held, and a file that cannot be understood stops everything.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readHolds } from '../../src/store/holds-file.ts';
import { type Folder, makeFolder } from '../folder.ts';

let folder: Folder;
beforeEach(() => {
  folder = makeFolder();
});
afterEach(() => folder.remove());

const read = (value: unknown) => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  writeFileSync(join(folder.path, 'holds.json'), text);
  return readHolds(folder.path);
};
const UNTIL = '2026-12-01T12:00:00Z';

test('none are held where there is no file', () => {
  expect(readHolds(folder.path)).toEqual({ ok: true, value: { all: null, conversations: {} } });
});

test('reads holds of one and of all, until an instant or until released', () => {
  const holds = {
    version: 1,
    all: { until: UNTIL, reason: 'deploy' },
    conversations: { a: { until: null, reason: 'mine' }, b: {} },
  };
  expect(read(holds)).toEqual({
    ok: true,
    value: {
      all: { until: Date.parse(UNTIL), reason: 'deploy' },
      conversations: { a: { until: null, reason: 'mine' }, b: { until: null, reason: '' } },
    },
  });
});

test.each([
  ['nothing held', { version: 1 }],
  ['all released', { version: 1, all: null, conversations: {} }],
])('reads %s', (_, holds) => {
  expect(read(holds)).toEqual({ ok: true, value: { all: null, conversations: {} } });
});

test.each([
  ['no JSON', '{"version":1'],
  ['empty', ''],
  ['no object', 'null'],
  ['a list', []],
  ['of no version', {}],
  ['of a later version', { version: 2 }],
  ['with a foreign hold for all', { version: 1, all: true }],
  ['with a foreign hold', { version: 1, conversations: { a: 'held' } }],
  ['with no hold', { version: 1, conversations: { a: null } }],
  ['with a number for an instant', { version: 1, conversations: { a: { until: 1796084400 } } }],
  ['with no instant', { version: 1, all: { until: 'tomorrow' } }],
  ['with a text for its conversations', { version: 1, conversations: 'abc' }],
  ['with a number for its conversations', { version: 1, conversations: 5 }],
  ['with a list for its conversations', { version: 1, conversations: [] }],
])('a file that is %s is broken, and named', (_, holds) => {
  expect(read(holds)).toMatchObject({
    ok: false,
    failure: { kind: 'broken', message: expect.stringContaining(join(folder.path, 'holds.json')) },
  });
});

test('a file that cannot be read is a failure', () => {
  mkdirSync(join(folder.path, 'holds.json'));
  expect(readHolds(folder.path)).toMatchObject({ failure: { kind: 'unreadable' } });
});

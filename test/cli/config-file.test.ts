// config.json: options by their keys; what is unknown or belongs to one run is an error that names the file.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readConfig } from '../../src/cli/config-file.ts';
import { OPTIONS, type OptionSpec } from '../../src/cli/options.ts';
import { type Folder, makeFolder } from '../folder.ts';

let folder: Folder;
beforeEach(() => {
  folder = makeFolder();
});
afterEach(() => folder.remove());
const file = () => join(folder.path, 'config.json');
const read = (value: unknown) => {
  writeFileSync(file(), typeof value === 'string' ? value : JSON.stringify(value));
  return readConfig(folder.path);
};
const SPECS: readonly OptionSpec[] = OPTIONS;

test('an absent config is empty', () => {
  expect(readConfig(folder.path)).toEqual({ ok: true, value: { options: {}, path: null } });
});

test('takes version, the recorded PATH, and every option that is not one run’s own', () => {
  const keys = SPECS.filter((spec) => spec.isPerRun !== true).map(({ key }) => key);
  const options = Object.fromEntries(keys.map((key) => [key, 'x']));
  expect(read({ version: 1, path: '/bin', ...options })).toEqual({
    ok: true,
    value: { options, path: '/bin' },
  });
});

test.each<[string, unknown, RegExp]>([
  ['no JSON', '{"margin":', /is no JSON/],
  ['empty', '', /is no JSON/],
  ['null', 'null', /is no object/],
  ['a list', [], /is no object/],
  ['with a foreign path', { path: 5 }, /path is no text/],
  ['with a typo', { margn: '5s' }, /unknown key "margn"/],
  ['with a flag for a key', { '--margin': '5s' }, /unknown key "--margin"/],
  ['with a long key', { ['x'.repeat(500)]: 1 }, /unknown key "x{40}"$/],
  ...SPECS.filter((spec) => spec.isPerRun === true).map<[string, unknown, RegExp]>(({ key }) => [
    `with ${key}, which is one run's own`,
    { [key]: 'x' },
    /unknown key/,
  ]),
])('one that is %s is wrong usage, and named', (_, value, message) => {
  const config = read(value);
  if (config.ok) throw new Error('taken');
  expect(config.failure).toMatchObject({ kind: 'usage' });
  expect(config.failure.message).toMatch(message);
  expect(config.failure.message).toContain(file());
});

test('one that cannot be read is a failure of the state', () => {
  mkdirSync(file());
  expect(readConfig(folder.path)).toMatchObject({ failure: { kind: 'unreadable' } });
});

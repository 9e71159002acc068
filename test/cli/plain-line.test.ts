// The short way of reading a line and the whole parser agree wherever the short way answers.
import { Command, Option } from 'commander';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { OPTIONS, type OptionSpec } from '../../src/cli/options.ts';
import { readPlainTick } from '../../src/cli/plain-line.ts';

function parseWhole(words: readonly string[]): Record<string, unknown> | null {
  let flags: Record<string, unknown> | null = null;
  const program = new Command()
    .exitOverride()
    .configureOutput({ writeErr: () => {}, writeOut: () => {} });
  const tick = program
    .command('tick')
    .exitOverride()
    .action((options) => {
      flags = options;
    });
  for (const { flag, kind, placeholder } of OPTIONS as readonly OptionSpec[]) {
    tick.addOption(new Option(kind === 'switch' ? flag : `${flag} <${placeholder}>`));
  }
  try {
    program.parse(['node', 'secondwind', ...words]);
  } catch {
    return null;
  }
  return flags;
}

const word = fc.oneof(
  fc.constantFrom(...OPTIONS.map(({ flag }) => flag)),
  fc.constantFrom(
    'tick',
    '--help',
    '-h',
    '--',
    '-',
    '',
    '--margin=5s',
    '90s',
    '3',
    '/a b',
    '--bogus',
    'wait',
  ),
  fc.string({ maxLength: 6 }),
);

test('it never answers otherwise than the parser does', () => {
  fc.assert(
    fc.property(fc.array(word, { maxLength: 6 }), (words) => {
      const plain = readPlainTick(['tick', ...words]);
      if (plain !== null) expect(plain).toEqual(parseWhole(['tick', ...words]));
    }),
    { numRuns: 2000 },
  );
});

test('it answers the lines that a scheduler runs', () => {
  expect(readPlainTick(['tick'])).toEqual({});
  expect(readPlainTick(['tick', '--quiet', '--margin', '2m'])).toEqual({
    quiet: true,
    margin: '2m',
  });
});

test('it leaves help, typos and what begins with a dash to the parser', () => {
  for (const line of [
    '',
    'tick --help',
    'tick --prompt -x',
    'tick --margin',
    'tick --marg 5s',
    'tick x',
  ]) {
    expect(readPlainTick(line.split(' '))).toBeNull();
  }
});

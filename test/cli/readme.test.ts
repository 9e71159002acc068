// What the README promises about options, rules and exit status is what the program has.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { EXIT } from '../../src/cli/exit-status.ts';
import { OPTIONS, type OptionSpec } from '../../src/cli/options.ts';
import { RULE_NAMES } from '../../src/core/decide.ts';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

function tableAfter(heading: string): string[][] {
  const section = readme.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  return section
    .split('\n')
    .filter((line) => line.startsWith('| ') || line.startsWith('|`'))
    .slice(1)
    .map((line) =>
      line
        .slice(1, -1)
        .split(/(?<!\\)\|/)
        .map((cell) => cell.trim().replaceAll('\\|', '|')),
    );
}

test('the table of options has each option with its variable, key and default', () => {
  const expected = (OPTIONS as readonly OptionSpec[]).map((spec) => [
    `\`${spec.flag}${spec.kind === 'switch' ? '' : ` ${spec.placeholder}`}\``,
    spec.variable === null ? '' : `\`${spec.variable}\``,
    spec.isPerRun === true ? '' : `\`${spec.key}\``,
  ]);
  const rows = tableAfter('Options');
  expect(rows.map((row) => row.slice(0, 3))).toEqual(expected);
  const defaults = (OPTIONS as readonly OptionSpec[]).map(({ shownDefault }) => shownDefault);
  rows.forEach((row, index) => {
    const shown = defaults[index]?.split(' ')[0];
    if (shown !== undefined && shown !== 'see') expect(row[3]).toContain(`\`${shown}\``);
  });
});

test('the table of rules has the rules in their order', () => {
  expect(tableAfter('What it decides').map((row) => row[0])).toEqual(
    RULE_NAMES.map((name) => `\`${name}\``),
  );
});

test('the table of exit status has each status', () => {
  expect(tableAfter('Exit status').map((row) => Number(row[0]))).toEqual(Object.values(EXIT));
});

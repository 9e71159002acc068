// Saved flags given again to a copy: what is allowed comes through, a bypass never does, no list eats what follows.
import { Command, Option } from 'commander';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bypassesPermissions, copyFlags } from '../../src/claude/respawn-flags.ts';

describe('a job that bypasses permissions', () => {
  test.each([
    [['--dangerously-skip-permissions']],
    [['--allow-dangerously-skip-permissions']],
    [['--dangerously-skip-permissions=true']],
    [['--permission-mode', 'bypassPermissions']],
    [['--permission-mode=bypassPermissions']],
    [['--permission-mode', 'acceptEdits', '--permission-mode', 'bypassPermissions']],
    [['--settings', '{"permissions":{"defaultMode":"bypassPermissions"}}']],
  ])('is told by %j', (flags) => {
    expect(bypassesPermissions(flags)).toBe(true);
  });

  test.each([
    [[]],
    [['--permission-mode', 'acceptEdits']],
    [['--permission-mode', 'plan', '--name', 'bypassPermissions']],
    [['--name', 'dangerously-skip-permissions']],
    [['--settings', '{"permissions":{"defaultMode":"plan"}}']],
  ])('is not taken from %j', (flags) => {
    expect(bypassesPermissions(flags)).toBe(false);
  });
});

describe('a copy', () => {
  test.each<[string, string[], string | null, string[]]>([
    ['its name', [], 'job one', ['--name', 'job one']],
    ['no name where it has none', ['--name', 'old'], null, []],
    ['the name of now, not the saved one', ['--name', 'old'], 'new', ['--name', 'new']],
    ['a name that looks like a flag', [], '--help', ['--name=--help']],
    [
      'mode and model',
      ['--permission-mode', 'plan', '--model', 'opus'],
      null,
      ['--permission-mode', 'plan', '--model', 'opus'],
    ],
    [
      'flags joined to their values',
      ['--model=opus', '--add-dir=/x'],
      null,
      ['--add-dir', '/x', '--model', 'opus'],
    ],
    [
      'its lists, first',
      ['--model', 'opus', '--allowedTools', 'Bash(git:*)', 'Edit', '--strict-mcp-config'],
      'n',
      [
        '--allowedTools',
        'Bash(git:*)',
        'Edit',
        '--model',
        'opus',
        '--strict-mcp-config',
        '--name',
        'n',
      ],
    ],
    ['no empty list', ['--add-dir', '--model', 'opus'], null, ['--model', 'opus']],
    ['no flag without its value', ['--model'], null, []],
    [
      'no flag that is not allowed',
      ['--resume', 'x', '--bg', '--print', '--ide', '-c', 'stray', '--fork-session'],
      null,
      [],
    ],
    [
      'a value with an equals sign whole',
      ['--append-system-prompt=a=b'],
      null,
      ['--append-system-prompt', 'a=b'],
    ],
  ])('gets %s', (_, saved, name, expected) => {
    expect(copyFlags(saved, name)).toEqual(expected);
  });

  test.each([
    [['--permission-mode', 'bypassPermissions']],
    [['--permission-mode=bypassPermissions']],
    [['--dangerously-skip-permissions']],
    [['--allow-dangerously-skip-permissions', '--model', 'opus']],
    [['--model', '--dangerously-skip-permissions']],
    [['--add-dir', '--dangerously-skip-permissions']],
  ])('never gets a bypass: %j', (saved) => {
    expect(copyFlags(saved, null).join(' ')).not.toMatch(/bypass|dangerously/);
  });
});

/** How the client reads its line. */
function parseLine(args: string[]): { prompt: string | undefined; name: string | undefined } {
  const command = new Command().exitOverride().argument('[prompt]').allowUnknownOption(false);
  command.addOption(new Option('--bg')).addOption(new Option('--resume <id>'));
  command.addOption(new Option('--name <name>')).addOption(new Option('--strict-mcp-config'));
  for (const flag of ['--model', '--permission-mode', '--effort', '--settings', '--agent'])
    command.addOption(new Option(`${flag} <value>`));
  for (const flag of ['--allowedTools', '--add-dir', '--mcp-config', '--tools'])
    command.addOption(new Option(`${flag} <values...>`));
  command.parse(args, { from: 'user' });
  return { prompt: command.args[0], name: command.opts()['name'] };
}

const word = fc.oneof(
  fc.constantFrom('--model', '--permission-mode', '--effort', '--settings', '--agent'),
  fc.constantFrom('--allowedTools', '--add-dir', '--mcp-config', '--tools', '--strict-mcp-config'),
  fc.constantFrom('--name', '--bogus', '--', '-x', 'Bash(*)', 'opus', '/dir', '--add-dir=/a', ''),
);

test('whatever was saved, the client still finds prompt and name', () => {
  fc.assert(
    fc.property(
      fc.array(word, { maxLength: 8 }),
      fc.constantFrom('job one', '--odd', null),
      (saved, name) => {
        const line = [
          '--bg',
          '--resume',
          'id',
          ...copyFlags(saved, name),
          '--',
          '[secondwind x] go on',
        ];
        expect(parseLine(line)).toEqual({
          prompt: '[secondwind x] go on',
          name: name ?? undefined,
        });
      },
    ),
    { numRuns: 1000 },
  );
});

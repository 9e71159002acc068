// The table of options: each flag, variable and config key means the same, and flag wins over variable over config.
import { describe, expect, test } from 'vitest';
import { mergeOptions, type OptionValue, parseValue } from '../../src/cli/option-values.ts';
import { OPTIONS, type OptionSpec, type ValueKind } from '../../src/cli/options.ts';
import { policyOf } from '../../src/cli/tick-command.ts';
import { DEFAULT_POLICY } from '../../src/core/policy.ts';

const SPECS: readonly OptionSpec[] = OPTIONS;
const VALUES: Record<ValueKind, readonly [string, OptionValue][]> = {
  text: [
    ['one', 'one'],
    ['two', 'two'],
    ['three', 'three'],
  ],
  duration: [
    ['90s', 90_000],
    ['10m', 600_000],
    ['5h', 18_000_000],
  ],
  size: [
    ['500MB', 500e6],
    ['2GB', 2e9],
    ['0B', 0],
  ],
  count: [
    ['0', 0],
    ['7', 7],
    ['50', 50],
  ],
  positive: [
    ['1', 1],
    ['2', 2],
    ['3', 3],
  ],
  instant: [
    ['2026-12-01T02:00:00Z', Date.UTC(2026, 11, 1, 2)],
    ['2026-12-01T02:00+01:00', Date.UTC(2026, 11, 1, 1)],
    ['2026-12-01T02:00:00.5Z', Date.UTC(2026, 11, 1, 2) + 500],
  ],
  live: [
    ['restart', 'restart'],
    ['wait', 'wait'],
    ['restart', 'restart'],
  ],
  on: [
    ['weekly=hold', { weekly: 'hold' }],
    ['five_hour=resume,transient=hold', { five_hour: 'resume', transient: 'hold' }],
    ['model=hold, untyped=hold', { model: 'hold', untyped: 'hold' }],
  ],
  hours: [
    ['22:00-07:00', { fromMinute: 1320, toMinute: 420, zone: null }],
    ['8:30-17:00 UTC', { fromMinute: 510, toMinute: 1020, zone: 'UTC' }],
    ['22:00-24:00 Europe/Stockholm', { fromMinute: 1320, toMinute: 0, zone: 'Europe/Stockholm' }],
  ],
  switch: [
    ['true', true],
    ['false', false],
    ['1', true],
  ],
};
const BAD: Record<ValueKind, readonly unknown[]> = {
  text: ['', 'a\0b', true, null, [], {}],
  duration: ['', '90', 'soon', '-5s', 90, true, null, []],
  size: ['', '500', '1MiB', 500, null, {}],
  count: ['', '-1', '1.5', '1e3', 'all', -1, 1.5, true, null, '9999999999'],
  positive: ['', '0', '-1', '01', 0, null, true],
  instant: [
    '',
    'now',
    '2026-12-01',
    '2026-12-01T02:00:00',
    '2026-13-01T02:00:00Z',
    '2026-02-30T02:00:00Z',
    1796084400,
    null,
  ],
  live: ['', 'stop', 'RESTART', true, null],
  on: [
    '',
    'weekly',
    'weekly=never',
    'daily=hold',
    'weekly=hold,weekly=resume',
    'weekly=hold=x',
    true,
    {},
  ],
  hours: [
    '',
    '22-07',
    '22:00',
    '25:00-07:00',
    '22:60-07:00',
    '07:00-07:00',
    '22:00-07:00 Mars/Olympus',
    7,
    [],
  ],
  switch: ['', 'yes', 'TRUE', 2, null, []],
};

test('no flag, key or variable comes twice, and they are one word in three spellings', () => {
  for (const name of ['flag', 'key', 'variable'] as const) {
    const all = SPECS.map((spec) => spec[name]).filter((one) => one !== null);
    expect(new Set(all).size).toBe(all.length);
  }
  for (const { flag, key, variable } of SPECS) {
    expect(flag).toBe(`--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`);
    if (variable?.startsWith('WATCHDOG_') === true) {
      expect(variable).toBe(`WATCHDOG_${flag.slice(2).replaceAll('-', '_').toUpperCase()}`);
    }
  }
});

test('the options and variables of the predecessor are all there', () => {
  const named = Object.fromEntries(SPECS.map(({ flag, variable }) => [flag, variable]));
  expect(named).toMatchObject({
    '--claude-bin': 'CLAUDE_BIN',
    '--claude-home': 'CLAUDE_HOME',
    '--max-attempts': 'WATCHDOG_MAX_ATTEMPTS',
    '--max-per-day': 'WATCHDOG_MAX_PER_DAY',
    '--max-per-run': 'WATCHDOG_MAX_PER_RUN',
    '--prompt': 'WATCHDOG_PROMPT',
    '--dry-run': null,
  });
});

test('what stands in the seed or the config can be said by a variable too, but for one run’s own', () => {
  for (const spec of SPECS) {
    if (spec.isPerRun !== true) expect(spec.variable, spec.flag).not.toBeNull();
  }
});

describe.each(SPECS.map((spec) => [spec.flag, spec] as const))('%s', (flag, spec) => {
  const [first, second, third] = VALUES[spec.kind];
  const fromVariable = spec.variable === null ? {} : { [spec.variable]: second?.[0] };
  const fromConfig = { [spec.key]: third?.[0] };
  const merged = (flags: object, env: NodeJS.ProcessEnv, config: object) => {
    const values = mergeOptions(
      flags as Record<string, unknown>,
      env,
      config as Record<string, unknown>,
    );
    if (!values.ok) throw new Error(values.failure.message);
    return (values.value as Record<string, OptionValue | undefined>)[spec.key];
  };

  test('the flag wins over the variable over the config over the default', () => {
    expect(merged({ [spec.key]: first?.[0] }, fromVariable, fromConfig)).toEqual(first?.[1]);
    const config = spec.isPerRun === true ? undefined : third?.[1];
    expect(merged({}, fromVariable, fromConfig)).toEqual(
      spec.variable === null ? config : second?.[1],
    );
    expect(merged({}, {}, fromConfig)).toEqual(config);
    expect(merged({}, {}, {})).toBeUndefined();
    if (spec.variable !== null)
      expect(merged({}, { [spec.variable]: '' }, fromConfig)).toEqual(config);
  });

  test.each(BAD[spec.kind].map((raw) => [raw]))(
    '%j is a usage failure that names the flag',
    (raw) => {
      expect(mergeOptions({ [spec.key]: raw }, {}, {})).toMatchObject({
        ok: false,
        failure: { kind: 'usage', message: expect.stringMatching(new RegExp(`^${flag}: `)) },
      });
    },
  );

  test('a bad value names the variable or the key that it stands in', () => {
    const bad = BAD[spec.kind][1];
    const message = (env: NodeJS.ProcessEnv, config: Record<string, unknown>) => {
      const values = mergeOptions({}, env, config);
      return values.ok ? null : values.failure.message;
    };
    if (spec.variable !== null)
      expect(message({ [spec.variable]: String(bad) }, {})).toContain(`${spec.variable}: `);
    if (spec.isPerRun !== true)
      expect(message({}, { [spec.key]: bad })).toContain(`config.json: ${spec.key}: `);
  });
});

test('a number in the config is a count, and a switch may be a boolean', () => {
  const values = mergeOptions({}, {}, { maxPerDay: 5, quiet: true });
  expect(values).toEqual({ ok: true, value: { maxPerDay: 5, quiet: true } });
});

test('a long bad value is cut in its message', () => {
  const [spec] = SPECS.filter(({ kind }) => kind === 'count');
  if (spec === undefined) throw new Error('no count');
  const value = parseValue(spec, 'x'.repeat(5000), spec.flag);
  expect(!value.ok && value.failure.message.length).toBeLessThan(200);
});

describe('the policy', () => {
  test('is the defaults where nothing is said', () => {
    expect(policyOf({})).toEqual(DEFAULT_POLICY);
  });

  test('takes each option', () => {
    const said = {
      margin: 1,
      live: 'wait',
      liveGrace: 2,
      maxAge: 3,
      minFreeDisk: 4,
      stagger: 5,
      maxAttempts: 6,
      maxPerDay: 0,
      maxPerRun: 8,
      prompt: 'go',
      on: { weekly: 'hold' },
      only: { fromMinute: 60, toMinute: 120, zone: 'UTC' },
    } as const;
    expect(policyOf(said)).toEqual({
      marginMs: 1,
      live: 'wait',
      liveGraceMs: 2,
      maxAgeMs: 3,
      minFreeDiskBytes: 4,
      staggerMs: 5,
      maxAttempts: 6,
      maxPerDay: 0,
      maxPerRun: 8,
      prompt: 'go',
      on: { ...DEFAULT_POLICY.on, weekly: 'hold' },
      hours: { fromMinute: 60, toMinute: 120, zone: 'UTC' },
    });
  });
});

// The status as a table and as JSON: what each is at and what is next, within the terminal, and nothing that acts on it.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { columnsOf } from '../../src/cli/columns.ts';
import { statusJson, statusText } from '../../src/cli/status-text.ts';
import { decide } from '../../src/core/decide.ts';
import { unknown } from '../../src/core/fact.ts';
import { type StatusReport, statusOf } from '../../src/watchdog/status.ts';
import { ACTED_ON, HOSTILE } from '../core/hostile-text.ts';
import { attempt, type Change, episode, HOUR, LIMIT, NOW, situation } from '../core/situation.ts';

const style = { zone: 'UTC', width: 200 };

const reportOf = (...changes: Change[]): StatusReport => ({
  now: NOW,
  home: '/home/user/.claude',
  sessions: changes.map((change) => {
    const made = situation(change);
    return statusOf({ situation: made, decision: decide(made) });
  }),
});

const LATER: Change = {
  stop: { reset: { at: NOW + 2 * HOUR, source: 'transcript', suspect: null } },
};
const DONE: Change = { state: { state: 'done', name: null }, stop: null };
const TRIED: Change = {
  history: { episodes: [episode({ attempts: [attempt({ outcome: 'came_back' })] })] },
};

test('shows who goes on first, when the others do, and why the rest is left', () => {
  const lines = statusText(reportOf(DONE, LATER, {}), style).split('\n');
  const why = "You've hit your 5-hour limit · resets 11am (UTC)";
  expect(lines).toEqual([
    'SESSION   NAME     STATE    LIFTS                  NEXT                     WHY',
    `ac67d09b  job one  blocked  Dec 1, 11:00 (1h ago)  resume at the next tick  ${why}`,
    `ac67d09b  job one  blocked  Dec 1, 14:00 (in 2h)   resume at Dec 1, 14:01   ${why}`,
    'ac67d09b           done                            left: finished',
    '',
    'at the next tick 1, waiting 1, left 1',
    '',
  ]);
});

test('the attempts so far, where there are any', () => {
  const text = statusText(reportOf(TRIED, {}), style);
  expect(text).toContain('TRIED');
  expect(text).toContain('1, came back');
  expect(statusText(reportOf({}), style)).not.toContain('TRIED');
});

test('a home without sessions', () => {
  expect(statusText(reportOf(), style)).toBe(
    'no background sessions\n\nat the next tick 0, waiting 0, left 0\n',
  );
});

test('a job that cannot be read', () => {
  const text = statusText(reportOf({ job: { state: unknown('is no JSON') } }), style);
  expect(text).toContain('unreadable');
  expect(text).toContain('left: is no JSON');
});

test('the JSON has the keys of a tick, and what is known besides', () => {
  const json = JSON.parse(JSON.stringify(statusJson(reportOf(LATER, TRIED, DONE))));
  expect(Object.keys(json)[0]).toBe('version');
  expect(json).toMatchObject({ version: 1, now: '2026-12-01T12:00:00.000Z', dry_run: true });
  expect(json.decisions[0]).toMatchObject({
    id: 'ac67d09b',
    name: 'job one',
    action: 'wait',
    rule: 'reset',
    state: 'blocked',
    stopped_at: '2026-12-01T09:00:00.000Z',
    lifts_at: '2026-12-01T14:00:00.000Z',
    next: { what: 'resume', at: '2026-12-01T14:01:30.000Z' },
    attempts: { spent: 0, given_back: 0, last: null },
  });
  expect(json.decisions[1]).toMatchObject({
    next: { what: 'left', at: null },
    attempts: { spent: 1, last: { at: '2026-12-01T11:00:00.000Z', outcome: 'came_back' } },
  });
  expect(json.decisions[2]).toMatchObject({ stopped_at: null, stopped_by: null, lifts_at: null });
  expect(json.summary).toMatchObject({ resumed: 0, waiting: 1, skipped: 2 });
});

const HOSTILE_CHANGE: Change = {
  state: {
    name: HOSTILE,
    cwd: HOSTILE,
    state: 'blocked',
    intent: 'secret',
    queuedPrompt: 'secret',
  },
  stop: { cause: { ...LIMIT, text: HOSTILE } as typeof LIMIT },
  history: {
    episodes: [episode({ id: 'x', attempts: [attempt({ message: HOSTILE, progress: true })] })],
  },
};

test('lets nothing through that acts on a terminal, and no prompt', () => {
  const report = reportOf(HOSTILE_CHANGE, {
    ...HOSTILE_CHANGE,
    state: { state: HOSTILE, name: HOSTILE },
  });
  for (const text of [
    statusText(report, { ...style, width: 1000 }),
    JSON.stringify(statusJson(report)),
  ]) {
    expect(text).not.toMatch(ACTED_ON);
    expect(text).not.toMatch(/owned|secret|\\u/);
  }
  expect(statusText(report, style).split('\n')).toHaveLength(6);
});

test('fits the width of the terminal, wide characters and all', () => {
  const text = fc.oneof(fc.string({ maxLength: 200 }), fc.constant('日本語🚀'.repeat(20)));
  fc.assert(
    fc.property(text, text, fc.integer({ min: 60, max: 200 }), (name, words, width) => {
      const cause = { ...LIMIT, text: words } as typeof LIMIT;
      const report = reportOf({ state: { name }, stop: { cause } }, LATER);
      for (const line of statusText(report, { zone: 'UTC', width }).split('\n')) {
        expect(columnsOf(line)).toBeLessThanOrEqual(width);
      }
    }),
  );
});

test('the clock is that of the zone', () => {
  const text = statusText(reportOf(LATER), { ...style, zone: 'America/New_York' });
  expect(text).toContain('Dec 1, 09:00 (in 2h)');
});

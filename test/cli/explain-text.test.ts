// The explanation as text and as JSON: each rule with its evidence and answer, the decision, and what would change it.
import { expect, test } from 'vitest';
import { columnsOf } from '../../src/cli/columns.ts';
import { adviceOf, explainJson, explainText } from '../../src/cli/explain-text.ts';
import { decide, RULE_NAMES, traceRules } from '../../src/core/decide.ts';
import { known, unknown } from '../../src/core/fact.ts';
import type { Explanation } from '../../src/watchdog/explain.ts';
import { ACTED_ON, HOSTILE } from '../core/hostile-text.ts';
import {
  ALIVE,
  attempt,
  type Change,
  episode,
  HOUR,
  iso,
  LIMIT,
  NOW,
  OUTAGE,
  row,
  situation,
  tail,
} from '../core/situation.ts';

const style = { zone: 'UTC', width: 100 };

function explanationOf(change: Change = {}): Explanation {
  const made = situation(change);
  return {
    now: NOW,
    home: '/home/user/.claude',
    situation: made,
    decision: decide(made),
    rules: traceRules(made),
    isListingRead: true,
  };
}

const LATER: Change = {
  stop: { reset: { at: NOW + 2 * HOUR, source: 'transcript', suspect: null } },
};

test('tells rule by rule what was seen, then the decision, then what would change it', () => {
  expect(explainText(explanationOf(LATER), style).split('\n')).toEqual([
    'ac67d09b "job one" /home/user/project',
    'state blocked',
    '',
    'kind       does not apply',
    '           kind bg; runs on daemon; session ac67d09b-0000-4000-8000-000000000001; listed as',
    '           background',
    'succeeded  does not apply',
    '           no open claim; no successor; no other job; no copies',
    'hold       does not apply',
    '           no hold',
    'human      does not apply',
    '           needs "rate limited — wait and retry · You\'ve hit your 5-hour limit · resets 11am (UTC)";',
    '           no tool call is open',
    'state      does not apply',
    '           state blocked; process gone',
    'cause      does not apply',
    '           limit (session); "You\'ve hit your 5-hour limit · resets 11am (UTC)"; an error record ends',
    '           it',
    'moved_on   does not apply',
    '           no real record after its stop',
    "reset      wait until Dec 1, 14:01: You've hit your 5-hour limit · resets 11am (UTC)",
    '           stop shown at Dec 1, 09:00 (timeline); reset Dec 1, 14:00 (transcript); margin 1m30s',
    '',
    'decision: resume at Dec 1, 14:01 (in 2h2m) (rule reset)',
    'to change it: wait until Dec 1, 14:01 (in 2h2m), or `secondwind resume-now ac67d09b`',
    '',
  ]);
});

test('says that files alone settled it', () => {
  const text = explainText({ ...explanationOf(LATER), isListingRead: false }, style);
  expect(text).toContain('the client was not asked');
});

test('a session that is resumed passes all rules', () => {
  const text = explainText(explanationOf(), style);
  expect(text.match(/does not apply/g)).toHaveLength(RULE_NAMES.length);
  expect(text).toContain('decision: resume at the next tick (no rule keeps it back)');
});

test('a job that cannot be read', () => {
  const text = explainText(explanationOf({ job: { state: unknown('is no JSON') } }), style);
  expect(text).toContain('its state cannot be read');
  expect(text).toContain('decision: left: is no JSON (rule kind)');
});

const SPENT = { history: { episodes: [episode({ attempts: [attempt()] })] } };

test.each<[string, Change, string]>([
  ['nothing', {}, '`secondwind hold ac67d09b` would'],
  ['kind', { state: { template: 'exec' } }, 'only background agents'],
  ['succeeded', { claim: { message: 'open' } }, 'the next tick settles the open claim'],
  ['succeeded', { job: { copies: known(['bbbbbbbb']) } }, 'never resumed twice'],
  ['hold', { hold: { until: null, reason: '' } }, '`secondwind release ac67d09b`'],
  ['human', { job: { row: known(row({ waitingFor: 'input' })) } }, 'answer it in `claude agents`'],
  ['state', { state: { state: 'done' } }, 'nothing needs it'],
  ['cause', { stop: { cause: { kind: 'budget', text: 'x' } } }, 'do what its message asks for'],
  ['cause', { stop: { isUnconfirmed: true } }, 'what cannot be read is never resumed'],
  ['moved_on', { job: { transcript: known(tail({ hasMovedOn: true })) } }, 'it went on'],
  [
    'alive',
    { ...ALIVE, policy: { liveGraceMs: 9 * HOUR } },
    'wait until 2026-12-01T20:01:30.000Z, or',
  ],
  ['old', { policy: { maxAgeMs: 0 } }, 'raise `--max-age`'],
  [
    'place',
    { job: { place: known({ hasCwd: false, hasTranscript: false }) } },
    'bring its directory',
  ],
  ['place', { machine: { hasLogin: known(false) } }, '/login'],
  ['place', { machine: { freeDiskBytes: known(0) } }, 'free some disk'],
  ['attempts', SPENT, '`secondwind forget ac67d09b`'],
  [
    'attempts',
    {
      stop: { cause: OUTAGE, reset: null, shown: { at: NOW, source: 'timeline' } },
      history: {
        episodes: [
          episode({ id: 'x', cause: 'overload', attempts: [attempt({ progress: false })] }),
        ],
      },
    },
    'wait until',
  ],
  ['budget', { policy: { maxPerDay: 0 } }, '--max-per-day'],
])('what would change it: %s, %j', (_, change, text) => {
  expect(adviceOf(explanationOf(change), iso)).toContain(text);
});

test('a command to copy names the session by its id, and nothing that a shell would act on', () => {
  const made = explanationOf({ hold: { until: null, reason: '' } });
  const decision = { ...made.decision, jobId: '$(reboot)' };
  expect(adviceOf({ ...made, decision }, iso)).toContain('`secondwind release SESSION`');
});

test('the JSON: version first, instants in UTC, every rule with its answer', () => {
  const json = JSON.parse(JSON.stringify(explainJson(explanationOf(LATER))));
  expect(Object.keys(json)[0]).toBe('version');
  expect(json.decision).toMatchObject({ id: 'ac67d09b', rule: 'reset', next: { what: 'resume' } });
  expect(json.rules).toHaveLength(8);
  expect(json.rules[0]).toMatchObject({ rule: 'kind', answer: null });
  expect(json.rules[7]).toMatchObject({
    rule: 'reset',
    evidence: expect.stringContaining('reset 2026-12-01T14:00:00.000Z (transcript)'),
    answer: { action: 'wait', until: '2026-12-01T14:01:30.000Z', reason: { code: 'usage_cap' } },
  });
});

test.each([60, 80, 200])('lets no hostile text and no prompt through, in %i columns', (width) => {
  const state = {
    name: HOSTILE,
    cwd: HOSTILE,
    needs: HOSTILE,
    template: HOSTILE,
    intent: 'secret',
    queuedPrompt: 'secret',
  };
  for (const change of [
    { state },
    {
      state: { ...state, template: null, needs: '' },
      stop: { cause: { ...LIMIT, text: HOSTILE } },
    },
    { state: { ...state, template: null, state: HOSTILE } },
    { state: { ...state, template: null, needs: `approve Bash: ${HOSTILE}` } },
    { state: { ...state, template: null }, hold: { until: null, reason: HOSTILE } },
  ] as Change[]) {
    const text = explainText(explanationOf(change), { zone: 'UTC', width });
    for (const shown of [text, JSON.stringify(explainJson(explanationOf(change)))]) {
      expect(shown).not.toMatch(ACTED_ON);
      expect(shown).not.toMatch(/owned|secret/);
    }
    for (const line of text.split('\n')) expect(columnsOf(line)).toBeLessThanOrEqual(width);
  }
});

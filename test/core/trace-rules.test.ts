// The trace of a decision: each rule up to the first that answers, and never another answer than the decision's.
import { expect, test } from 'vitest';
import { decide, RULE_NAMES, traceRules } from '../../src/core/decide.ts';
import { unknown } from '../../src/core/fact.ts';
import { ALIVE, type Change, HOUR, NOW, situation } from './situation.ts';

const lastOf = (change: Change) => traceRules(situation(change)).at(-1);

test('names every rule, none of which applies, for a session that is resumed', () => {
  const trace = traceRules(situation());
  expect(trace.map(({ rule }) => rule)).toEqual(RULE_NAMES);
  expect(trace.every(({ verdict }) => verdict === null)).toBe(true);
});

test.each<[string, Change]>([
  ['kind', { state: { backend: 'cloud' } }],
  ['hold', { hold: { until: null, reason: 'mine' } }],
  ['state', { state: { state: 'done' } }],
  ['reset', { stop: { reset: { at: NOW + HOUR, source: 'transcript', suspect: null } } }],
  ['alive', { ...ALIVE, policy: { live: 'wait' } }],
  ['budget', { policy: { maxPerDay: 0 } }],
])('ends with %s, the first that answers, as the decision does', (rule, change) => {
  const decision = decide(situation(change));
  const trace = traceRules(situation(change));
  expect(lastOf(change)).toMatchObject({ rule, verdict: { action: decision.action } });
  expect(lastOf(change)?.verdict?.reason).toEqual(decision.reason);
  expect(decision.rule).toBe(rule);
  expect(trace.map((one) => one.rule)).toEqual(RULE_NAMES.slice(0, trace.length));
  expect(trace.slice(0, -1).every(({ verdict }) => verdict === null)).toBe(true);
});

test('a state that cannot be read is answered before any rule could look at it', () => {
  const change: Change = { job: { state: unknown('state.json is no JSON') } };
  expect(traceRules(situation(change))).toEqual([
    { rule: 'kind', verdict: expect.objectContaining({ action: 'skip' }) },
  ]);
  expect(lastOf(change)?.verdict?.reason).toEqual(decide(situation(change)).reason);
});

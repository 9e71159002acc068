// The order of the rules, and the promise that what could not be read never resumes.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decide, decideFromFiles, RULE_NAMES, type Situation } from '../../src/core/decide.ts';
import { known, unknown } from '../../src/core/fact.ts';
import { DEFAULT_POLICY } from '../../src/core/policy.ts';
import type { JobEvidence } from '../../src/core/session.ts';
import {
  ALIVE,
  attempt,
  type Change,
  episode,
  HOUR,
  jobEvidence,
  NOW,
  OUTAGE,
  RESET_AT,
  row,
  situation,
  tail,
} from './situation.ts';

/** For each rule a change that it answers and that no other rule looks at. */
const ANSWERED: readonly (readonly [string, Change])[] = [
  ['kind', { state: { backend: 'cloud' } }],
  ['succeeded', { claim: { message: 'open' } }],
  ['hold', { hold: { until: null, reason: '' } }],
  ['human', { job: { row: known(row({ waitingFor: 'permission prompt' })) } }],
  ['state', { state: { state: 'hibernating' } }],
  ['cause', { stop: { isUnconfirmed: true } }],
  ['moved_on', { job: { transcript: known(tail({ hasMovedOn: true })) } }],
  ['reset', { stop: { reset: { at: NOW, source: 'transcript', suspect: null } } }],
  ['policy', { policy: { on: { ...DEFAULT_POLICY.on, five_hour: 'hold' } } }],
  ['alive', { job: { process: known('restarting') } }],
  ['old', { policy: { maxAgeMs: 0 } }],
  ['place', { job: { place: known({ hasCwd: false, hasTranscript: false }) } }],
  ['attempts', { history: { episodes: [episode({ attempts: [attempt()] })] } }],
  ['budget', { launchesOfTick: 1, policy: { maxPerRun: 1 } }],
];

function merged(a: Change, b: Change): Change {
  const both: Record<string, unknown> = { ...a, ...b };
  for (const key of ['state', 'job', 'stop', 'policy', 'machine'] as const) {
    if (a[key] != null && b[key] != null) both[key] = { ...a[key], ...b[key] };
  }
  return both as Change;
}

test('the rules stand in the order of the design', () => {
  expect(RULE_NAMES).toEqual(ANSWERED.map(([name]) => name));
});

describe('where two rules would answer', () => {
  const pairs = ANSWERED.flatMap(([first, a], index) =>
    ANSWERED.slice(index + 1).map(([second, b]) => [first, second, merged(a, b)] as const),
  );
  test.each(pairs)('%s wins over %s', (first, _second, change) => {
    expect(decide(situation(change)).rule).toBe(first);
  });

  test.each(ANSWERED)('%s alone answers by itself', (name, change) => {
    expect(decide(situation(change)).rule).toBe(name);
  });
});

test('what files settle, they settle without the listing, and in the same way', () => {
  const byFiles = ANSWERED.slice(0, 9);
  const unasked: Partial<JobEvidence> = { process: null, place: null, copies: null };
  for (const [name, change] of byFiles) {
    // A row is the listing's own news.
    if (name === 'human') continue;
    const blind = situation(merged(change, { job: { ...unasked, row: null } }));
    expect(decideFromFiles(blind)).toEqual(decide(situation(change)));
  }
  for (const [, change] of ANSWERED.slice(9)) {
    expect(decideFromFiles(situation(change))).toBeNull();
  }
});

type Blinding = (one: Situation) => Situation;
const onJob =
  (over: Partial<JobEvidence>): Blinding =>
  (one) => ({
    ...one,
    conversation: { ...one.conversation, job: { ...one.conversation.job, ...over } },
  });
const onMachine =
  (over: Partial<Situation['machine']>): Blinding =>
  (one) => ({ ...one, machine: { ...one.machine, ...over } });
const cannot = unknown('cannot be read (EIO)');
const BLINDED: Record<string, Blinding> = {
  state: onJob({ state: cannot }),
  timeline: onJob({ timeline: cannot }),
  transcript: onJob({ transcript: cannot }),
  process: onJob({ process: cannot }),
  row: onJob({ row: cannot }),
  place: onJob({ place: cannot }),
  copies: onJob({ copies: cannot }),
  freeDiskBytes: onMachine({ freeDiskBytes: cannot }),
  hasLogin: onMachine({ hasLogin: cannot }),
  'process of another job': (one) => ({
    ...one,
    conversation: { ...one.conversation, others: [jobEvidence({ process: cannot })] },
  }),
};
const BLINDED_ALIVE: Record<string, Blinding> = {
  ...BLINDED,
  hasTerminalClient: onMachine({ hasTerminalClient: cannot }),
};

/** Situations that are resumed. */
const resumable = fc.record({
  isAlive: fc.boolean(),
  isOutage: fc.boolean(),
  hasOther: fc.boolean(),
  processState: fc.constantFrom('gone' as const, 'none' as const),
  laterMs: fc.integer({ min: HOUR, max: 40 * HOUR }),
});

function resumableOf(one: typeof resumable extends fc.Arbitrary<infer T> ? T : never): Situation {
  const base = situation({
    ...(one.isAlive ? ALIVE : { job: { process: known(one.processState) } }),
    ...(one.isOutage ? { stop: { cause: OUTAGE, reset: null } } : {}),
    now: RESET_AT + one.laterMs,
  });
  const others = one.hasOther ? [jobEvidence({ id: 'bbbbbbbb' })] : [];
  return { ...base, conversation: { ...base.conversation, others } };
}

test('replacing any one fact by unknown never resumes', () => {
  fc.assert(
    fc.property(resumable, (one) => {
      const whole = resumableOf(one);
      expect(decide(whole).action).toBe('resume');
      for (const [name, blind] of Object.entries(one.isAlive ? BLINDED_ALIVE : BLINDED)) {
        const decision = decide(blind(whole));
        expect(`${name}: ${decision.action} ${decision.reason.code}`).toBe(`${name}: skip unknown`);
      }
    }),
  );
});

test.each(['process', 'row', 'place', 'copies'] as const)(
  'a listing fact that nobody asked for counts as unknown: %s',
  (name) => {
    expect(decide(onJob({ [name]: null })(situation())).action).not.toBe('resume');
  },
);

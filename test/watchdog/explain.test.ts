// One session explained over sample homes, and the evidence that each rule shows of hand-made situations.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { RULE_NAMES } from '../../src/core/decide.ts';
import { known, unknown } from '../../src/core/fact.ts';
import { type Explanation, evidenceOf, explain } from '../../src/watchdog/explain.ts';
import { HOSTILE } from '../core/hostile-text.ts';
import {
  ALIVE,
  attempt,
  type Change,
  episode,
  HOUR,
  iso,
  jobEvidence,
  NOW,
  RESET_AT,
  row,
  SHOWN_AT,
  situation,
  tail,
} from '../core/situation.ts';
import { requestFor, type TickOptions } from '../run-tick.ts';
import { type Home, makeHome, makeJob, readCalls } from '../stand-in.ts';

describe('over a sample home', () => {
  let made: Home;
  beforeEach(() => {
    made = makeHome();
  });
  afterEach(() => made.remove());
  const past = () => ({ shownAt: Date.now() - 3 * HOUR, resetsAt: Date.now() - HOUR });

  async function explained(text: string, options: TickOptions = {}): Promise<Explanation> {
    const result = await explain(requestFor(made.home, options), text);
    if (!result.ok) throw new Error(result.failure.message);
    return result.value;
  }

  test('a session that waits for its reset is settled from files', async () => {
    makeJob(made.home, { name: 'due', ...past() });
    const job = makeJob(made.home, {
      name: 'mine',
      shownAt: Date.now(),
      resetsAt: Date.now() + HOUR,
    });
    const explanation = await explained('mine');
    expect(explanation.decision).toMatchObject({ jobId: job.id, action: 'wait', rule: 'reset' });
    expect(explanation.rules.map(({ rule }) => rule)).toEqual(RULE_NAMES.slice(0, 8));
    expect(explanation.isListingRead).toBe(false);
    expect(readCalls(made.home)).toEqual([]);
  });

  test('one that is due passes every rule, with the listing read', async () => {
    const job = makeJob(made.home, past());
    const explanation = await explained(job.id);
    expect(explanation.decision).toMatchObject({ action: 'resume', rule: null });
    expect(explanation.rules.map(({ rule }) => rule)).toEqual(RULE_NAMES);
    expect(explanation.isListingRead).toBe(true);
  });

  test('those that are due before it count against the tick', async () => {
    makeJob(made.home, { name: 'first', ...past(), shownAt: Date.now() - 4 * HOUR });
    makeJob(made.home, { name: 'second', ...past() });
    const { decision, rules } = await explained('second', { policy: { maxPerRun: 1 } });
    expect(decision).toMatchObject({ action: 'wait', rule: 'budget' });
    expect(rules.at(-1)).toMatchObject({ rule: 'budget', verdict: { action: 'wait' } });
  });

  test('an unknown name, and an empty home, are refused', async () => {
    const refused = await explain(requestFor(made.home), 'nobody');
    expect(refused).toMatchObject({ ok: false, failure: { kind: 'usage' } });
  });

  test('no client: a failure only where it has to be asked', async () => {
    makeJob(made.home, { name: 'due', ...past() });
    makeJob(made.home, { name: 'later', shownAt: Date.now(), resetsAt: Date.now() + HOUR });
    const request = requestFor(made.home, { client: { path: '/nonexistent/claude' } });
    expect(await explain(request, 'due')).toMatchObject({ ok: false });
    expect(await explain(request, 'later')).toMatchObject({ ok: true });
  });
});

const seen = (rule: (typeof RULE_NAMES)[number], change: Change = {}) =>
  evidenceOf(rule, situation(change), iso);

test.each<[(typeof RULE_NAMES)[number], Change, string]>([
  ['kind', { state: { template: 'exec', backend: null } }, 'kind exec; runs on what is not stated'],
  ['kind', { job: { row: known(null) } }, 'not listed'],
  ['succeeded', {}, 'no open claim; no successor; no other job; no copies'],
  ['succeeded', { claim: { message: 'a continuation is not settled yet' } }, 'not settled yet'],
  ['succeeded', { job: { copies: unknown('too large') } }, 'not known: too large'],
  ['hold', {}, 'no hold'],
  ['hold', { hold: { until: NOW, reason: 'mine' } }, `held until ${iso(NOW)}; mine`],
  ['hold', { hold: { until: null, reason: '' } }, 'held until it is released'],
  [
    'human',
    { state: { needs: 'approve Bash: make' } },
    'needs "approve Bash: make"; no tool call is open',
  ],
  ['human', { job: { transcript: known(tail({ hasOpenToolCall: true })) } }, 'a tool call is open'],
  ['human', { job: { row: known(row({ waitingFor: 'input' })) } }, 'waits for input'],
  ['state', {}, 'state blocked; process gone'],
  ['state', { state: { state: '' }, job: { process: null } }, 'its process was not looked at'],
  ['cause', {}, 'limit (session); "You\'ve hit your 5-hour limit'],
  ['cause', { stop: null }, 'no stop was read'],
  ['moved_on', {}, 'no real record after its stop'],
  ['moved_on', { job: { transcript: known(null) } }, 'it has no transcript'],
  ['moved_on', { job: { transcript: null } }, 'its transcript was not read'],
  [
    'reset',
    {},
    `stop shown at ${iso(SHOWN_AT)} (timeline); reset ${iso(RESET_AT)} (transcript); margin 1m30s`,
  ],
  [
    'reset',
    { stop: { reset: { at: NOW, source: 'timeline', suspect: 'beyond its window' } } },
    'doubtful: beyond its window',
  ],
  ['reset', { stop: { reset: null, resetProblem: 'no such zone' } }, 'no reset: no such zone'],
  ['policy', {}, '--on five_hour=resume'],
  ['alive', ALIVE, 'process alive; listed as idle; in flight 0; terminal client not open'],
  ['alive', { state: { queuedPrompt: 'secret' } }, 'a prompt is queued'],
  ['old', {}, '--max-age 2d'],
  [
    'place',
    {},
    'its directory is there; its transcript is there; login present; 10GB free of 500MB',
  ],
  ['attempts', {}, '0 of 1 spent at this stop'],
  [
    'attempts',
    {
      history: {
        episodes: [episode({ given_back: 2, attempts: [attempt({ outcome: 'launching' })] })],
      },
    },
    '1 of 1 spent at this stop; the last one launching; 2 given back',
  ],
  ['budget', { launchesOfDay: [NOW], launchesOfTick: 2 }, '1 of 50 launches in 24 h; 2 before it'],
])('the evidence of %s, %j', (rule, change, text) => {
  expect(seen(rule, change)).toContain(text);
});

test('no rule shows a prompt, whatever is known', () => {
  const state = { intent: 'secret', queuedPrompt: 'secret', detail: 'secret', needs: 'secret' };
  const cause = { kind: 'unknown', text: 'secret' } as const;
  for (const rule of RULE_NAMES)
    expect(seen(rule, { state, stop: { cause } })).not.toContain('secret');
});

test('each rule has evidence where nothing could be read', () => {
  const why = unknown('not readable');
  const bare = jobEvidence({
    timeline: why,
    transcript: why,
    process: why,
    row: why,
    place: why,
    copies: why,
  });
  for (const rule of RULE_NAMES) expect(seen(rule, { job: bare, stop: null })).not.toBe('');
  for (const rule of RULE_NAMES) expect(seen(rule, { job: { state: why } })).toBeNull();
});

test('the others of a conversation are named with their processes', () => {
  const base = situation();
  const others = [jobEvidence({ id: 'bbbbbbbb', process: known('alive') })];
  const both = { ...base, conversation: { ...base.conversation, others } };
  expect(evidenceOf('succeeded', both, iso)).toContain('job bbbbbbbb (alive)');
});

test('a long text in it is bounded', () => {
  const needs = `approve Bash: ${HOSTILE.repeat(1000)}`;
  expect(seen('human', { state: { needs } })?.length).toBeLessThan(300);
});

// Jobs grouped into conversations: what must never run twice is decided about once, by the newest of its line.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { groupConversations } from '../../src/core/conversation.ts';
import { known, unknown } from '../../src/core/fact.ts';
import type { JobEvidence, JobState } from '../../src/core/session.ts';
import { jobEvidence, jobState } from './situation.ts';

const job = (id: string, over: Partial<JobState> = {}): JobEvidence =>
  jobEvidence({
    id,
    state: known(jobState({ sessionId: `${id}-s`, resumeSessionId: null, ...over })),
  });
const none = new Map<string, string>();
const shown = (jobs: JobEvidence[], successors: ReadonlyMap<string, string> = none) =>
  groupConversations(jobs, successors).map(
    (one) => `${one.key}: ${one.job.id} [${one.others.map(({ id }) => id).join(' ')}]`,
  );

test('two sessions are two conversations', () => {
  expect(shown([job('a'), job('b')])).toEqual(['a-s: a []', 'b-s: b []']);
});

test('the conversation is the session resumed, where the two differ', () => {
  expect(shown([job('a', { sessionId: 'x', resumeSessionId: 'conv' })])).toEqual(['conv: a []']);
});

test('of two jobs of one conversation the younger is decided about', () => {
  const jobs = [
    job('a', { resumeSessionId: 'conv', createdAt: 1 }),
    job('b', { resumeSessionId: 'conv', createdAt: 2 }),
  ];
  expect(shown(jobs)).toEqual(['conv: b [a]']);
  expect(shown(jobs.reverse())).toEqual(['conv: b [a]']);
});

test('a copy of ours belongs to its origin and stands before it, whatever their ages', () => {
  const successors = new Map([['copy-s', 'husk-s']]);
  const jobs = [job('husk', { createdAt: 9 }), job('copy', { createdAt: 1 })];
  expect(shown(jobs, successors)).toEqual(['husk-s: copy [husk]']);
});

test('a copy of a copy belongs to the first of the line', () => {
  const successors = new Map([
    ['b-s', 'a-s'],
    ['c-s', 'a-s'],
  ]);
  const jobs = [job('a', { createdAt: 1 }), job('b', { createdAt: 2 }), job('c', { createdAt: 3 })];
  expect(shown(jobs, successors)).toEqual(['a-s: c [b a]']);
});

test('jobs that cannot be read, or name no session, stand for themselves', () => {
  const jobs = [
    jobEvidence({ id: 'a', state: unknown('cut short') }),
    jobEvidence({ id: 'b', state: unknown('cut short') }),
    job('c', { sessionId: null }),
  ];
  expect(shown(jobs)).toEqual(['job:a: a []', 'job:b: b []', 'job:c: c []']);
});

test('every job is in exactly one conversation, and no key comes twice', () => {
  const jobs = fc.array(
    fc.record({
      session: fc.constantFrom('s1', 's2', 's3', null),
      resumed: fc.constantFrom('s1', 's4', null),
      isKnown: fc.boolean(),
      at: fc.option(fc.nat(5)),
    }),
    { maxLength: 8 },
  );
  const successors = fc.constantFrom(none, new Map([['s2', 's1']]), new Map([['s4', 's3']]));
  fc.assert(
    fc.property(jobs, successors, (made, lines) => {
      const all = made.map(({ session, resumed, isKnown, at }, index) =>
        isKnown
          ? job(`j${index}`, { sessionId: session, resumeSessionId: resumed, createdAt: at })
          : jobEvidence({ id: `j${index}`, state: unknown('x') }),
      );
      const groups = groupConversations(all, lines);
      const ids = groups.flatMap((one) => [one.job, ...one.others]).map(({ id }) => id);
      expect(ids.sort()).toEqual(all.map(({ id }) => id).sort());
      expect(new Set(groups.map(({ key }) => key)).size).toBe(groups.length);
    }),
  );
});

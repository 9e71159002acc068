// Which session a text names: by id, name or the beginning of a session id, and never one of several.
import { expect, test } from 'vitest';
import type { Situation } from '../../src/core/decide.ts';
import { unknown } from '../../src/core/fact.ts';
import type { JobState } from '../../src/core/session.ts';
import { findSession } from '../../src/watchdog/find-session.ts';
import { ACTED_ON, HOSTILE } from '../core/hostile-text.ts';
import { jobEvidence, situation } from '../core/situation.ts';

const sessionId = (start: string) => `${start}-0000-4000-8000-000000000001`;

function named(id: string, name: string | null, state: Partial<JobState> = {}): Situation {
  const session = sessionId(id);
  const made = situation({
    state: { name, sessionId: session, resumeSessionId: session, ...state },
    job: {},
  });
  const job = { ...made.conversation.job, id };
  return { ...made, conversation: { ...made.conversation, key: session, job } };
}

const ONE = named('aaaa1111', 'fix the build');
const TWO = named('aaaa2222', 'write docs', { state: 'done' });
const THREE = named('cccc3333', 'write docs');
const ALL = [ONE, TWO, THREE];

const idOf = (text: string, all = ALL): string => {
  const found = findSession(all, text);
  return found.ok ? found.value.conversation.job.id : found.failure.message;
};

test.each([
  ['a job id', 'aaaa2222', 'aaaa2222'],
  ['a name', 'fix the build', 'aaaa1111'],
  ['a name with other white space', ' fix  the\tbuild ', 'aaaa1111'],
  ['a name as a table cuts it', 'fix the b…', 'aaaa1111'],
  ['the beginning of a session id', 'cccc', 'cccc3333'],
  ['the same in capitals', 'CCCC3333-00', 'cccc3333'],
  ['a whole session id', sessionId('aaaa1111'), 'aaaa1111'],
])('finds it by %s', (_, text, id) => {
  expect(idOf(text)).toBe(id);
});

test('a job id goes before a name, a name before the beginning of a session id', () => {
  expect(idOf('cccc3333', [named('dddd4444', 'cccc3333'), THREE])).toBe('cccc3333');
  expect(idOf('aaaa', [ONE, TWO, named('dddd4444', 'aaaa')])).toBe('dddd4444');
});

test('finds a conversation by the job that it has left behind', () => {
  const conversation = { ...ONE.conversation, others: [jobEvidence({ id: 'eeee5555' })] };
  expect(idOf('eeee5555', [{ ...ONE, conversation }, TWO])).toBe('aaaa1111');
});

test('lists the candidates when several are meant', () => {
  expect(idOf('write docs')).toBe(
    '"write docs" means 2 sessions: aaaa2222 "write docs" (done), cccc3333 "write docs" (blocked); name one by its job id',
  );
  expect(idOf('aaaa')).toContain('means 2 sessions: aaaa1111');
});

test('bounds the list', () => {
  const many = Array.from({ length: 30 }, (_, index) =>
    named(`${(index + 10_000_000).toString()}`, 'same'),
  );
  expect(idOf('same', many)).toMatch(/means 30 sessions: .*, and 22 more; /);
  expect(idOf('same', many).length).toBeLessThan(600);
});

test('says so when there is none, and which names are near', () => {
  expect(idOf('nothing like it')).toBe('no session is called "nothing like it"');
  expect(idOf('fix teh build')).toBe(
    'no session is called "fix teh build"; near to it: "fix the build"',
  );
  expect(idOf('DOCS')).toContain('near to it: "write docs"');
  expect(idOf('aaa')).toBe('no session is called "aaa"');
});

test('shows five near names at most', () => {
  const many = Array.from({ length: 9 }, (_, index) => named(`1000000${index}`, `job ${index}`));
  expect(idOf('job', many).match(/"job \d"/g)).toHaveLength(5);
});

test.each(['', '  ', '\u001b[2J\u200b'])('an empty text %j names nothing', (text) => {
  expect(findSession([named('aaaa1111', '')], text)).toMatchObject({
    ok: false,
    failure: { kind: 'usage', message: expect.stringContaining('job id') },
  });
});

test('no home, a job without a name, a job that cannot be read: no throw', () => {
  const broken = situation({ job: { state: unknown('is no JSON') } });
  const bare = named('aaaa1111', null, { sessionId: null, resumeSessionId: null });
  expect(idOf('x', [])).toBe('no session is called "x"');
  expect(idOf('null', [broken, bare])).toContain('no session');
  expect(idOf('ac67d09b', [broken])).toBe('ac67d09b');
});

test('nothing of a session, or of what was typed, acts on a terminal', () => {
  const hostile = [named('aaaa1111', HOSTILE), named('aaaa2222', HOSTILE, { state: HOSTILE })];
  for (const text of [HOSTILE, 'aaaa', 'name', `${HOSTILE} not`]) {
    expect(idOf(text, hostile)).not.toMatch(ACTED_ON);
    expect(idOf(text, hostile)).not.toMatch(/owned|\n/);
  }
});

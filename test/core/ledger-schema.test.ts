// The ledger's types and its schema on disk agree, in both directions, and the compiled validator is of that schema.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { Attempt, Episode, Ledger, Outcome } from '../../src/core/ledger.ts';
import { REASON_CODES, type ReasonSource } from '../../src/core/reason.ts';
import type { LimitKind } from '../../src/core/session.ts';
import { validate } from '../../src/store/ledger-validator.generated.mjs';
import { attempt, episode, JOB_ID } from './situation.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const schema = JSON.parse(readFileSync(`${root}ledger.schema.json`, 'utf8'));
const { definitions } = schema;

// Complete by type: a member that is missing or foreign here is a type error.
const OUTCOMES: Record<Outcome, true> = {
  launching: true,
  woken: true,
  copied: true,
  came_back: true,
  unconfirmed: true,
  failed: true,
  kept: true,
};
const CAUSES: Record<Episode['cause'], true> = {
  limit: true,
  api: true,
  overload: true,
  network: true,
  throttle: true,
};
const LIMITS: Record<LimitKind, true> = {
  session: true,
  weekly: true,
  opus: true,
  sonnet: true,
  fable: true,
  extra_usage: true,
  credits: true,
  spend: true,
  org: true,
  untyped: true,
};
const SOURCES: Record<ReasonSource, true> = {
  transcript: true,
  timeline: true,
  first_seen: true,
  updated_at: true,
  none: true,
};
const ATTEMPT: Required<Attempt> = attempt({
  successor: { job_id: JOB_ID, session_id: 's' },
  progress: true,
});
const EPISODE: Required<Episode> = episode({
  attempts: [ATTEMPT],
  reason: {
    code: 'usage_cap',
    detail: 'x',
    resumes_at: '2026-12-01T14:50:00.000Z',
    source: 'timeline',
  },
  suspect: 'late',
  waited_until: '2026-12-01T10:00:00.000Z',
  stopping: { job_id: JOB_ID, at: '2026-12-01T10:00:00.000Z' },
});
const FULL: Required<Ledger> = {
  version: 1,
  launches: ['2026-12-01T10:00:00.000Z'],
  conversations: { c: { episodes: [EPISODE] } },
};

type Path = readonly (string | number)[];
/** The paths of all fixed keys: those of `conversations` are free. */
function pathsIn(value: unknown, at: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const here = [...at, Array.isArray(value) ? Number(key) : key];
    const isFree = Array.isArray(value) || at.at(-1) === 'conversations';
    return [...(isFree ? [] : [here]), ...pathsIn(inner, here)];
  });
}

function changed(path: Path, change: (owner: Record<string, unknown>, key: string) => void) {
  const copy = structuredClone(FULL) as unknown as Record<string, unknown>;
  let owner = copy;
  for (const key of path.slice(0, -1)) owner = owner[key] as Record<string, unknown>;
  change(owner, String(path.at(-1)));
  return copy;
}

describe('a fully populated ledger', () => {
  test('is valid, with and without what may be null', () => {
    expect(validate(FULL), JSON.stringify(validate.errors)).toBe(true);
    const bare = { ...FULL, conversations: { c: { episodes: [episode({ limit: null })] } } };
    expect(validate(bare), JSON.stringify(validate.errors)).toBe(true);
  });

  test.each(pathsIn(FULL).map((path) => [path.join('.'), path] as const))(
    'is invalid without %s',
    (_, path) => {
      expect(validate(changed(path, (owner, key) => delete owner[key]))).toBe(false);
    },
  );

  test.each(pathsIn(FULL).map((path) => [path.join('.'), path] as const))(
    'is invalid with a foreign %s',
    (_, path) => {
      const foreign = changed(path, (owner, key) => {
        owner[key] = [[]];
      });
      expect(validate(foreign)).toBe(false);
    },
  );

  test('may hold keys that later versions add', () => {
    const newer = { ...FULL, later: 1, conversations: { c: { episodes: [{ ...EPISODE, x: 1 }] } } };
    expect(validate(newer)).toBe(true);
  });
});

test.each([
  ['no object', []],
  ['null', null],
  ['a later version', { ...FULL, version: 2 }],
  ['a launch that is no instant', { ...FULL, launches: ['yesterday'] }],
  ['a launch as a number', { ...FULL, launches: [1796084400] }],
  ['an instant of a 13th month', { ...FULL, launches: ['2026-13-01T10:00:00.000Z'] }],
  ['an instant of a 32nd day', { ...FULL, launches: ['2026-12-32T10:00:00.000Z'] }],
  ['an instant in the 25th hour', { ...FULL, launches: ['2026-12-01T25:00:00.000Z'] }],
  ['a leap second', { ...FULL, launches: ['2026-12-31T23:59:60Z'] }],
  ['an instant without a zone', { ...FULL, launches: ['2026-12-01T10:00:00'] }],
  ['a job id that is a path', withAttempt({ job_id: '../../x' })],
  ['a nonce that is too short', withAttempt({ nonce: '0123' })],
  ['a negative count', withEpisode({ given_back: -1 })],
  ['a source of none for an instant', withEpisode({ shown_source: 'none' })],
  ['an episode without a name', withEpisode({ id: '' })],
])('a ledger with %s is invalid', (_, document) => {
  expect(validate(document)).toBe(false);
});

function withEpisode(over: object) {
  return { ...FULL, conversations: { c: { episodes: [{ ...EPISODE, ...over }] } } };
}

function withAttempt(over: object) {
  return withEpisode({ attempts: [{ ...ATTEMPT, ...over }] });
}

test.each<[string, unknown[], readonly unknown[]]>([
  ['reason codes', definitions.reason.properties.code.enum, REASON_CODES],
  ['outcomes', definitions.attempt.properties.outcome.enum, Object.keys(OUTCOMES)],
  ['causes', definitions.episode.properties.cause.enum, Object.keys(CAUSES)],
  ['limits', definitions.episode.properties.limit.enum, [...Object.keys(LIMITS), null]],
  ['sources', definitions.source.enum, Object.keys(SOURCES)],
  [
    'sources of an instant',
    definitions.episode.properties.shown_source.enum,
    Object.keys(SOURCES).filter((source) => source !== 'none'),
  ],
])('the schema knows the same %s as the types', (_, inSchema, inTypes) => {
  expect([...inSchema].sort()).toEqual([...inTypes].sort());
});

test('the compiled validator is up to date', () => {
  const check = () =>
    execFileSync(process.execPath, [`${root}scripts/compile-schema.mjs`, '--check'], {
      stdio: 'pipe',
    });
  expect(check).not.toThrow();
});

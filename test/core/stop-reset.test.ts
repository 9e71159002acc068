// When a stop lifts, which stops are our own, and the record that is made of one.
import { describe, expect, test } from 'vitest';
import { known } from '../../src/core/fact.ts';
import type { History } from '../../src/core/ledger.ts';
import type { JobEvidence } from '../../src/core/session.ts';
import { readStop, type StopContext } from '../../src/core/stop.ts';
import { episodeOf } from '../../src/core/stop-episode.ts';
import {
  context,
  filesOnly,
  history,
  oldTail,
  queries,
  READ_AT,
  stopIn,
  withTail,
} from './read-stop.ts';
import {
  episode,
  errorRecord,
  HOUR,
  iso,
  JOB_ID,
  jobEvidence,
  jobState,
  MINUTE,
  NOW,
  RESET_AT,
  SHOWN_AT,
  situation,
} from './situation.ts';

describe('when it lifts', () => {
  test('the client’s own instant counts before any text', () => {
    const stop = stopIn(jobEvidence(), { readReset: null });
    expect(stop.reset).toEqual({ at: RESET_AT, source: 'transcript', suspect: null });
  });

  test('a text is read against the instant it was shown, in the session’s zone', () => {
    queries.length = 0;
    const zoned = { state: known(jobState({ zone: 'Asia/Tokyo' })) };
    const stop = stopIn(withTail({ ...oldTail, statedZone: 'UTC' }, zoned));
    expect(stop.reset).toEqual({ at: READ_AT, source: 'timeline', suspect: 'odd' });
    expect(queries).toEqual([
      expect.objectContaining({
        shownAt: SHOWN_AT,
        limit: 'session',
        sessionZone: 'Asia/Tokyo',
        machineZone: 'Europe/Paris',
      }),
    ]);
    stopIn(withTail({ ...oldTail, statedZone: 'Europe/Rome' }));
    expect(queries[1]?.sessionZone).toBe('Europe/Rome');
  });

  test('what was read at the first sighting is kept, and not read again', () => {
    const seen = episode({ reset_at: iso(NOW + 5), reset_source: 'timeline', suspect: 'late' });
    const stop = stopIn(withTail(oldTail), { history: history(seen), readReset: null });
    expect(stop.reset).toEqual({ at: NOW + 5, source: 'timeline', suspect: 'late' });
  });

  test('a text that has to be read asks for the reader', () => {
    expect(readStop(withTail(oldTail), context({ readReset: null }))).toEqual({
      kind: 'needs-reader',
    });
  });

  test.each<[string, Partial<StopContext>, string]>([
    ['a text without a reset', { readReset: () => ({ kind: 'none' }) }, 'no reset is stated'],
    ['no clock', { readReset: () => ({ kind: 'unreadable', why: '13am' }) }, '13am'],
  ])('%s is a problem, and no reset', (_, over, problem) => {
    expect(stopIn(withTail(oldTail), over)).toMatchObject({ reset: null, resetProblem: problem });
  });

  test('an outage has no reset, and nothing is read', () => {
    const text = 'API Error: 529 Overloaded.';
    const error = errorRecord({ error: 'overloaded', status: 529, text, quota: null });
    const state = known(jobState({ detail: text, needs: `API unavailable — retry · ${text}` }));
    expect(stopIn(withTail({ error }, { state }), { readReset: null })).toMatchObject({
      cause: { kind: 'transient', family: 'overload' },
      reset: null,
      resetProblem: null,
    });
  });
});

describe('a stop of our own', () => {
  const stopping = { job_id: JOB_ID, at: iso(NOW - MINUTE) };
  const stopped = (endedAt: number | null, over: Partial<JobEvidence> = {}) =>
    jobEvidence({
      state: known(
        jobState({ state: 'stopped', detail: 'stopped', needs: '', updatedAt: endedAt }),
      ),
      ...over,
    });
  const ours = { history: history(episode({ stopping })) };

  test('is still the limit that it stopped at', () => {
    const stop = stopIn(stopped(NOW - MINUTE + 500), ours);
    expect(stop).toMatchObject({
      isOurStop: true,
      episodeId: 'record-1',
      cause: { kind: 'limit' },
    });
  });

  test('is still it where only the ledger remembers the limit', () => {
    const job = stopped(NOW - MINUTE + 500, { timeline: known(null), transcript: known(null) });
    expect(stopIn(job, ours)).toMatchObject({ isOurStop: true, reset: { at: RESET_AT } });
  });

  test.each<[string, JobEvidence, History]>([
    [
      'of another job',
      stopped(NOW - MINUTE),
      history(episode({ stopping: { ...stopping, job_id: 'bbbbbbbb' } })),
    ],
    [
      'long after our mark',
      stopped(NOW),
      history(episode({ stopping: { ...stopping, at: iso(NOW - HOUR) } })),
    ],
    ['before our mark', stopped(NOW - 2 * HOUR), ours.history],
    ['that nobody marked', stopped(NOW - MINUTE), history(episode())],
  ])('is not one %s', (_, job, seen) => {
    expect(readStop(job, context({ history: seen }))).toEqual({ kind: 'no-stop' });
  });
});

test('a limit in texts that a readable transcript does not show is unconfirmed', () => {
  expect(stopIn(withTail({ error: null })).isUnconfirmed).toBe(true);
  expect(stopIn(jobEvidence()).isUnconfirmed).toBe(false);
  expect(stopIn(filesOnly()).isUnconfirmed).toBe(false);
});

describe('the record of a stop', () => {
  test('is made of it at its first sighting, and kept afterwards', () => {
    const made = episodeOf(situation({ now: SHOWN_AT + MINUTE }), SHOWN_AT + MINUTE);
    expect(made).toMatchObject({ ...episode(), reason: { code: 'usage_cap' } });
    const seen = situation({ history: history(episode({ given_back: 2 })) });
    expect(episodeOf(seen, NOW)).toMatchObject({ given_back: 2 });
  });

  test.each([
    ['a job that is not stopped', situation({ stop: null })],
    ['a stop that no waiting lifts', situation({ stop: { cause: { kind: 'budget', text: 'x' } } })],
  ])('is not made of %s', (_, one) => {
    expect(episodeOf(one, NOW)).toBeNull();
  });
});

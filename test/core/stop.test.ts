// When a session stopped, and which episode that is: which evidence counts, in which order.
import { describe, expect, test } from 'vitest';
import { known, unknown } from '../../src/core/fact.ts';
import type { History } from '../../src/core/ledger.ts';
import type { JobEvidence } from '../../src/core/session.ts';
import { readStop } from '../../src/core/stop.ts';
import { episodeOf } from '../../src/core/stop-episode.ts';
import { context, filesOnly, history, stopIn, withTail } from './read-stop.ts';
import {
  attempt,
  episode,
  errorRecord,
  HOUR,
  iso,
  jobEvidence,
  LIMIT_TEXT,
  NOW,
  SHOWN_AT,
  situation,
} from './situation.ts';

describe('what is no stop', () => {
  test.each(['working', 'done', 'failed', 'stopped', ''])('a job that reads %j', (state) => {
    expect(readStop(filesOnly({ state }), context())).toEqual({ kind: 'no-stop' });
  });

  test('a job that cannot be read', () => {
    const job = jobEvidence({ state: unknown('cut short') });
    expect(readStop(job, context())).toEqual({ kind: 'no-stop' });
  });
});

describe('when it was shown', () => {
  const line = (at: number) => ({ timeline: known({ at, text: LIMIT_TEXT }) });
  test.each<[string, JobEvidence, number, string]>([
    ['the timeline says so first', withTail({}, line(SHOWN_AT - 5)), SHOWN_AT - 5, 'timeline'],
    [
      'a much younger record is another stop',
      withTail({}, line(SHOWN_AT - HOUR)),
      SHOWN_AT,
      'transcript',
    ],
    ['then the record', withTail({}, { timeline: known(null) }), SHOWN_AT, 'transcript'],
    ['then the file', filesOnly({ updatedAt: SHOWN_AT + 7 }), SHOWN_AT + 7, 'updated_at'],
    ['else nothing but this look', filesOnly({ updatedAt: null }), NOW, 'first_seen'],
  ])('%s', (_, job, at, source) => {
    expect(stopIn(job).shown).toEqual({ at, source });
  });

  test('stays at its first sighting though the file is rewritten after the reset', () => {
    const seen = episode({ id: 'e', record_uuid: null, shown_source: 'updated_at' });
    const stop = stopIn(filesOnly({ updatedAt: NOW }), { history: history(seen) });
    expect(stop).toMatchObject({ episodeId: 'e', shown: { at: SHOWN_AT, source: 'first_seen' } });
  });
});

describe('which episode it is', () => {
  test('its record, else the instant it was shown', () => {
    expect(stopIn(jobEvidence()).episodeId).toBe('record-1');
    expect(stopIn(filesOnly()).episodeId).toBe(`shown:${iso(SHOWN_AT)}`);
  });

  test.each<[string, JobEvidence, History, string]>([
    [
      'a new record is a new stop',
      withTail({ error: errorRecord({ uuid: 'record-2', at: NOW }) }, { timeline: known(null) }),
      history(episode()),
      'record-2',
    ],
    [
      'a refusal at once, with its line, too',
      withTail(
        { error: errorRecord({ uuid: 'record-2', at: NOW }) },
        { timeline: known({ at: NOW, text: LIMIT_TEXT }) },
      ),
      history(episode()),
      'record-2',
    ],
    [
      'the instant links a stop first seen without its record',
      jobEvidence(),
      history(episode({ id: 'shown:x', record_uuid: null })),
      'shown:x',
    ],
    [
      'and one whose record cannot be read any more',
      jobEvidence({ transcript: known(null) }),
      history(episode({ id: 'record-1' })),
      'record-1',
    ],
    [
      'another text in a rewritten file is another stop',
      filesOnly({ updatedAt: NOW }),
      history(
        episode({ id: 'e', record_uuid: null, shown_source: 'updated_at', message: 'other' }),
      ),
      `shown:${iso(NOW)}`,
    ],
    [
      'the same text after a try is another stop',
      filesOnly({ updatedAt: NOW }),
      history(
        episode({ id: 'e', record_uuid: null, shown_source: 'updated_at', attempts: [attempt()] }),
      ),
      `shown:${iso(NOW)}`,
    ],
    [
      'the same text from before the try is the same',
      filesOnly({ updatedAt: NOW - 2 * HOUR }),
      history(
        episode({ id: 'e', record_uuid: null, shown_source: 'updated_at', attempts: [attempt()] }),
      ),
      'e',
    ],
  ])('%s', (_, job, seen, expected) => {
    expect(stopIn(job, { history: seen }).episodeId).toBe(expected);
  });

  test('two looks at a stop without any instant are one episode', () => {
    const job = filesOnly({ updatedAt: null });
    const first = stopIn(job);
    const seen = episodeOf(situation({ stop: first }), NOW);
    if (seen === null) throw new Error('not seen');
    const later = stopIn(job, { history: history(seen), now: NOW + HOUR });
    expect(later).toMatchObject({ episodeId: first.episodeId, shown: { at: NOW } });
  });
});

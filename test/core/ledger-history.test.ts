// What a ledger keeps of earlier stops, for how long, and what it answers about them.
import { describe, expect, test } from 'vitest';
import {
  conversationBySuccessor,
  EMPTY_LEDGER,
  failuresInARow,
  historyOf,
  judgeProgress,
  type Ledger,
  launchesOfDay,
  successorOf,
} from '../../src/core/ledger.ts';
import { prune, recordSighting, recordWait } from '../../src/core/ledger-transitions.ts';
import { reasonOf } from '../../src/core/reason.ts';
import {
  attempt,
  DAY,
  episode,
  fruitless,
  HOUR,
  iso,
  MINUTE,
  NOW,
  SESSION_ID,
} from './situation.ts';

const KEY = SESSION_ID;
const SEEN = recordSighting(EMPTY_LEDGER, KEY, episode());

describe('recordSighting and recordWait', () => {
  test('keep the first sighting of a stop', () => {
    const again = recordSighting(SEEN, KEY, episode({ shown_at: iso(NOW), reset_at: null }));
    expect(again).toBe(SEEN);
  });

  test('write a wait once an hour, and at once when its code changes', () => {
    const wait = (ledger: Ledger, now: number, code: 'budget' | 'disk_low') =>
      recordWait(ledger, KEY, 'record-1', { now, reason: reasonOf(code) });
    const first = wait(SEEN, NOW, 'budget');
    expect(wait(first, NOW + HOUR - 1, 'budget')).toBe(first);
    expect(historyOf(wait(first, NOW + HOUR, 'budget'), KEY).episodes[0]?.waited_until).toBe(
      iso(NOW + HOUR),
    );
    expect(historyOf(wait(first, NOW + MINUTE, 'disk_low'), KEY).episodes[0]?.reason).toMatchObject(
      { code: 'disk_low' },
    );
    expect(wait(EMPTY_LEDGER, NOW, 'budget')).toBe(EMPTY_LEDGER);
  });
});

describe('prune', () => {
  test('drops launches of yesterday and episodes of five weeks ago, and nothing younger', () => {
    const old = { shown_at: iso(NOW - 40 * DAY), first_seen_at: iso(NOW - 40 * DAY) };
    const ledger: Ledger = {
      version: 1,
      launches: [iso(NOW - DAY), iso(NOW - DAY + 1)],
      conversations: {
        gone: { episodes: [episode({ ...old, reset_at: null })] },
        waits: { episodes: [episode({ ...old, reset_at: iso(NOW + DAY) })] },
        tried: { episodes: [episode({ ...old, reset_at: null, attempts: [attempt()] })] },
      },
    };
    const pruned = prune(ledger, NOW);
    expect(pruned.launches).toEqual([iso(NOW - DAY + 1)]);
    expect(Object.keys(pruned.conversations)).toEqual(['waits', 'tried']);
  });
});

describe('what a ledger is asked', () => {
  test('launches of the rolling day, oldest first, none of the future', () => {
    const launches = [NOW, NOW - DAY + 1, NOW - DAY, NOW + 1].map(iso);
    expect(launchesOfDay({ ...EMPTY_LEDGER, launches }, NOW)).toEqual([NOW - DAY + 1, NOW]);
  });

  test('successors, by the last attempt that left one', () => {
    const to = (job: string) => ({ job_id: job, session_id: `${job}-s` });
    const one = episode({
      attempts: [
        attempt({ successor: to('00000001') }),
        attempt({ successor: to('00000002') }),
        attempt(),
      ],
    });
    expect(successorOf(one)).toEqual(to('00000002'));
    expect(successorOf(episode())).toBeNull();
    const ledger = recordSighting(EMPTY_LEDGER, KEY, one);
    expect([...conversationBySuccessor(ledger)]).toEqual([
      ['00000001-s', KEY],
      ['00000002-s', KEY],
    ]);
  });

  test.each([
    ['three fruitless ones', ['n', 'n', 'n'], 3],
    ['progress ends the row', ['n', 'y', 'n'], 1],
    ['one not judged yet ends the row', ['n', '?', 'n'], 1],
    ['a stop that was never tried does not count, nor end it', ['n', '-', 'n'], 2],
    ['another kind of cause ends the row', ['n', 'o', 'n'], 1],
    ['nothing before it', [], 0],
  ])('failures in a row: %s', (_, kinds, expected) => {
    const progress = { n: false, y: true, '?': null, o: false };
    const episodes = kinds.map((kind, index) =>
      fruitless(`e${index}`, {
        cause: kind === 'o' ? 'network' : 'limit',
        attempts:
          kind === '-' ? [] : [attempt({ progress: progress[kind as keyof typeof progress] })],
      }),
    );
    const history = { episodes: [...episodes, episode({ id: 'now' }), fruitless('later')] };
    expect(failuresInARow(history, 'now', (one) => one.cause === 'limit')).toBe(expected);
  });

  test.each([
    ['an assistant record after the prompt', NOW, true],
    ['one before it only', NOW - 2 * HOUR, false],
    ['none at all', null, false],
  ])('progress is judged once a later stop is seen: %s', (_, last, expected) => {
    const history = { episodes: [episode({ attempts: [attempt()] })] };
    const judged = judgeProgress(history, 'record-2', last);
    expect(judged.episodes[0]?.attempts[0]?.progress).toBe(expected);
    expect(judgeProgress(judged, 'record-2', NOW)).toBe(judged);
    expect(judgeProgress(history, 'record-1', last)).toBe(history);
  });
});

// Each rule's verdicts, one cell a row: what is changed of a session that could go on now, and what that makes of it.
import { describe, expect, test } from 'vitest';
import { decide, decideFromFiles, RULE_NAMES } from '../../src/core/decide.ts';
import { known } from '../../src/core/fact.ts';
import { REASON_CODES } from '../../src/core/reason.ts';
import { PLACE_CELLS } from './decide-place-cells.ts';
import { type Cell, STOP_CELLS } from './decide-stop-cells.ts';
import {
  ALIVE,
  type Change,
  DAY,
  episode,
  fruitless,
  HOUR,
  iso,
  LIMIT_TEXT,
  MINUTE,
  NOW,
  OUTAGE,
  RESET_AT,
  row,
  SESSION_ID,
  SHOWN_AT,
  situation,
} from './situation.ts';

const CELLS = { ...STOP_CELLS, ...PLACE_CELLS };
const verdict = (change: Change) => {
  const { action, rule, reason } = decide(situation(change));
  return `${action} ${rule ?? '-'} ${reason.code}`;
};

test('resumes a session whose limit has lifted, and says why', () => {
  expect(decide(situation())).toEqual({
    conversation: SESSION_ID,
    jobId: 'ac67d09b',
    sessionId: SESSION_ID,
    name: 'job one',
    cwd: '/home/user/project',
    action: 'resume',
    rule: null,
    until: null,
    reason: {
      code: 'usage_cap',
      detail: LIMIT_TEXT,
      resumes_at: iso(RESET_AT),
      source: 'transcript',
    },
  });
  expect(decideFromFiles(situation())).toBeNull();
});

test('resumes after an outage, as transient', () => {
  expect(verdict({ stop: { cause: OUTAGE, reset: null } })).toBe('resume - transient');
});

describe.each(Object.entries(CELLS))('rule %s', (rule, cells) => {
  test.each(cells as readonly Cell[])('$0', (_, change, expected) => {
    const [action, code] = expected.split(' ');
    expect(verdict(change)).toBe(
      action === 'resume' ? `resume - ${code}` : `${action} ${rule} ${code}`,
    );
  });
});

test('every rule and every reason code that a decision can meet has its row', () => {
  expect(Object.keys(CELLS)).toEqual([...RULE_NAMES]);
  const codes = Object.values(CELLS).flatMap((cells) => cells.map((cell) => cell[2].split(' ')[1]));
  // The others are the runner's that the set comes from; a state that was not persisted is exit status 74.
  const foreign = [
    'token_budget',
    'cancelled',
    'plan_only',
    'uncommitted_work',
    'disk_limit',
    'state_not_persisted',
  ];
  expect([...new Set(codes)].sort()).toEqual(
    REASON_CODES.filter((code) => !foreign.includes(code)).sort(),
  );
});

describe('the instants of a wait', () => {
  const until = (change: Change) => decide(situation(change)).until;
  const early = { stop: { reset: { at: NOW, source: 'transcript', suspect: null } as const } };

  test('a reset is waited for with its margin, to the exact millisecond', () => {
    expect(until(early)).toBe(NOW + 90_000);
    expect(verdict({ ...early, now: NOW + 90_000 - 1 })).toBe('wait reset usage_cap');
    expect(verdict({ ...early, now: NOW + 90_000 })).toBe('resume - usage_cap');
    expect(decide(situation(early)).reason.resumes_at).toBe(iso(NOW));
  });

  test.each([
    [0, 1],
    [1, 2],
    [2, 4],
    [3, 5],
  ])(
    'an unreadable reset after %d failures is waited for %d h after it was shown',
    (failures, hours) => {
      const episodes = Array.from({ length: failures }, (_, index) =>
        fruitless(`e${index}`, { reset_at: null, cause: 'limit' }),
      );
      const change: Change = {
        stop: { reset: null, resetProblem: '13am is no clock' },
        history: { episodes },
        now: SHOWN_AT + MINUTE,
      };
      expect(until(change)).toBe(SHOWN_AT + hours * HOUR + 90_000);
      expect(decide(situation(change)).reason).toMatchObject({ resumes_at: null, source: 'none' });
      expect(decide(situation(change)).reason.detail).toContain('13am is no clock');
    },
  );

  test.each([
    [0, 0],
    [1, 15],
    [2, 30],
    [3, 60],
    [4, 60],
  ])(
    'an outage after %d fruitless continuations rests %d min after it was shown',
    (failures, minutes) => {
      const episodes = Array.from({ length: failures }, (_, index) =>
        fruitless(`e${index}`, { cause: 'network' }),
      );
      const at = (now: number) =>
        decide(situation({ stop: { cause: OUTAGE, reset: null }, history: { episodes }, now }));
      if (minutes > 0) {
        expect(at(SHOWN_AT + minutes * MINUTE - 1)).toMatchObject({
          action: 'wait',
          rule: 'attempts',
          until: SHOWN_AT + minutes * MINUTE,
          reason: { code: 'transient', source: 'timeline' },
        });
      }
      expect(at(SHOWN_AT + minutes * MINUTE).action).toBe('resume');
    },
  );

  test('a living one is waited for until its grace is over', () => {
    const graceEndsAt = RESET_AT + 90_000 + 10 * MINUTE;
    expect(until({ ...ALIVE, now: graceEndsAt - 1 })).toBe(graceEndsAt);
    expect(verdict({ ...ALIVE, now: graceEndsAt })).toBe('resume - usage_cap');
  });

  test('a full day frees as many launches as are needed', () => {
    const launchesOfDay = [NOW - 5 * HOUR, NOW - 4 * HOUR, NOW - 3 * HOUR];
    expect(until({ policy: { maxPerDay: 3 }, launchesOfDay })).toBe(NOW - 5 * HOUR + DAY);
    expect(until({ policy: { maxPerDay: 2 }, launchesOfDay })).toBe(NOW - 4 * HOUR + DAY);
    expect(until({ policy: { maxPerDay: 0 }, launchesOfDay })).toBeNull();
  });
});

describe('what does not age a stop', () => {
  const old = { now: RESET_AT + 90_000 + 48 * HOUR + 1 };

  test('time under a hold, a policy or a wait', () => {
    expect(verdict(old)).toBe('skip old stale');
    const kept = { ...old, history: { episodes: [episode({ waited_until: iso(NOW + DAY) })] } };
    expect(verdict(kept)).toBe('resume - usage_cap');
  });
});

test('once low, the disk has to come back to a tenth above its floor', () => {
  const low = { code: 'disk_low', detail: '', resumes_at: null, source: 'none' } as const;
  const withFree = (free: number): Change => ({
    machine: { freeDiskBytes: known(free) },
    history: { episodes: [episode({ reason: low })] },
  });
  expect(verdict({ machine: { freeDiskBytes: known(500e6) } })).toBe('resume - usage_cap');
  expect(verdict(withFree(549e6))).toBe('wait place disk_low');
  expect(verdict(withFree(550e6))).toBe('resume - usage_cap');
});

test('prints no control character of a name, a text or a path', () => {
  const evil = '\u001b[2Jevil\u0007\u202e';
  const changes: Change[] = [
    { hold: { until: null, reason: evil } },
    { state: { template: evil } },
    { state: { state: evil } },
    { state: { state: 'failed', detail: evil } },
    { job: { row: known(row({ waitingFor: evil })) } },
    { job: { place: known({ hasCwd: false, hasTranscript: true }) }, state: { cwd: evil } },
    { stop: { cause: { kind: 'budget', text: evil } } },
    { stop: { reset: null, resetProblem: evil }, now: SHOWN_AT },
  ];
  for (const change of changes) {
    expect(decide(situation(change)).reason.detail).not.toMatch(
      /[\u0000-\u001f\u007f-\u009f\u202e]/,
    );
  }
});

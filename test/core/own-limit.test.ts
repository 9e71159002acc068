// The short way of reading a limit gives what the whole reading gives, and nothing but the client's own words take it.
import { expect, test } from 'vitest';
import { causeOf, namesHuman } from '../../src/core/cause.ts';
import { ownLimitOf } from '../../src/core/own-limit.ts';
import type { ErrorRecord } from '../../src/core/session.ts';

const record = (
  text: string,
  limitType: string,
  resetsAt: number | null = 1_796_084_400_000,
): ErrorRecord => ({
  uuid: 'u',
  at: 1,
  error: 'rate_limit',
  status: 429,
  text,
  quota: { resetsAt, limitType, overageDisabledReason: null },
});
const evidence = (text: string, limitType: string) => ({
  detail: text,
  needs: `rate limited — wait and retry · ${text}`,
  error: record(text, limitType),
});

test.each([
  ["You've hit your 5-hour limit · resets 12:58am (UTC)", 'five_hour', 'session'],
  ["You've hit your session limit · resets 4:40am (Asia/Qyzylorda)", 'five_hour', 'session'],
  ["You've hit your weekly limit · resets Dec 4, 10pm (UTC)", 'seven_day', 'weekly'],
  ["You've hit your Opus limit · resets Dec 3, 10pm (UTC)", 'seven_day_opus', 'opus'],
  [
    "You've hit your Fable limit · resets Dec 2, 10pm (UTC). /model to switch models.",
    'seven_day_overage_included',
    'fable',
  ],
])('%s is a limit by either way', (text, limitType, limit) => {
  const own = evidence(text, limitType);
  expect(ownLimitOf(own)).toBe(limit);
  const short = causeOf(own);
  // Other words in `needs` send the same stop the long way.
  expect(causeOf({ ...own, needs: '' })).toEqual(short);
  expect(namesHuman({ ...own, waitingFor: null })).toBeNull();
});

test.each([
  [
    'a detail of other words',
    { ...evidence("You've hit your weekly limit · resets 3am (UTC)", 'seven_day'), detail: 'x' },
  ],
  [
    'needs that name a person',
    {
      ...evidence("You've hit your weekly limit · resets 3am (UTC)", 'seven_day'),
      needs: 'approve Bash: ls',
    },
  ],
  [
    'words behind the reset',
    evidence(
      "You've hit your weekly limit · resets 3am (UTC) · awaiting your decision",
      'seven_day',
    ),
  ],
  [
    'a spend limit',
    evidence(
      "You've hit your monthly spend limit · your session limit resets 2:40pm (UTC)",
      'five_hour',
    ),
  ],
  [
    'a type that is not known',
    evidence("You've hit your weekly limit · resets 3am (UTC)", 'new_type'),
  ],
  ['no exact reset', { ...evidence('', ''), error: record('', 'five_hour', null) }],
  [
    'no record',
    { ...evidence("You've hit your weekly limit · resets 3am (UTC)", 'seven_day'), error: null },
  ],
])('%s is read in full', (_title, other) => {
  expect(ownLimitOf(other)).toBeNull();
});

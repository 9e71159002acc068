// Reports of a tick, made of a few words, for the three ways of showing one.
import type { Decision } from '../../src/core/decide.ts';
import { reasonOf, reasonUntil } from '../../src/core/reason.ts';
import type { ResumeOutcome } from '../../src/resume/outcome.ts';
import type { DecidedSession, TickReport } from '../../src/watchdog/tick.ts';
import { HOSTILE } from '../core/hostile-text.ts';
import { HOUR, NOW } from '../core/situation.ts';

export const decision = (over: Partial<Decision> = {}): Decision => ({
  conversation: 'c',
  jobId: 'ac67d09b',
  sessionId: 's-1',
  name: 'job one',
  cwd: '/home/user/project',
  action: 'wait',
  rule: 'reset',
  until: NOW + 2 * HOUR + 90_000,
  reason: reasonUntil('usage_cap', '5-hour limit', NOW + 2 * HOUR, 'transcript'),
  ...over,
});

export const session = (
  over: Partial<Decision> = {},
  rest: { outcome?: ResumeOutcome; isNew?: boolean } = {},
): DecidedSession => ({ decision: decision(over), outcome: null, isNew: false, ...rest });

export const report = (sessions: DecidedSession[], over: Partial<TickReport> = {}): TickReport => ({
  now: NOW,
  home: '/home/user/.claude',
  isDryRun: false,
  unnamed: { skipped: 0, waiting: 0, nextAt: null },
  sessions,
  notices: [],
  failure: null,
  ...over,
});

export const RESUME = { action: 'resume', rule: null, until: null } as const;
export const PARKED = {
  action: 'skip',
  rule: 'human',
  until: null,
  reason: reasonOf('approval', 'permission prompt'),
} as const;
export const WOKEN: ResumeOutcome = { result: 'woken', id: 'ac67d09b', message: 'woken in place' };

/** One of each, with hostile texts wherever a session can put one. */
export const hostileReport = (over: Partial<TickReport> = {}): TickReport => {
  const reason = reasonUntil('usage_cap', HOSTILE, NOW + HOUR, 'timeline');
  const texts = { name: HOSTILE, cwd: HOSTILE, sessionId: HOSTILE, reason };
  return report(
    [
      session({ ...texts, ...RESUME }, { outcome: { ...WOKEN, message: HOSTILE }, isNew: true }),
      session(texts, { isNew: true }),
      session({ ...texts, action: 'skip', rule: 'cause', until: null }, { isNew: true }),
    ],
    { notices: [HOSTILE], ...over },
  );
};

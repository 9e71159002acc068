// The few ways in which a rule answers, so that every answer carries a code and a text.
import type { Verdict } from './decide.ts';
import { type ReasonCode, type ReasonSource, reasonOf, reasonUntil } from './reason.ts';

export const skip = (code: ReasonCode, detail: string): Verdict => ({
  action: 'skip',
  until: null,
  reason: reasonOf(code, detail),
});

/** What could not be read: never resumes. */
export const unreadable = (detail: string): Verdict => skip('unknown', detail);

/** Waits until `until` (epoch ms; null: nobody knows), for a reason that nobody can date. */
export const wait = (code: ReasonCode, detail: string, until: number | null): Verdict => ({
  action: 'wait',
  until,
  reason: reasonOf(code, detail),
});

/** Waits until `until` for a stated reset. */
export const waitForReset = (
  detail: string,
  reset: { until: number; resetAt: number | null; source: ReasonSource },
): Verdict => ({
  action: 'wait',
  until: reset.until,
  reason: reasonUntil('usage_cap', detail, reset.resetAt, reset.source),
});

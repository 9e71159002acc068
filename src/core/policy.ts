// The knobs of a decision and their defaults; where each comes from (flag, variable, config) is cli's business.
import type { Hours } from './hours.ts';

/**
 * Kinds of stop that an owner may want treated apart: the 5-hour limit, the weekly one, those of a model, limits that
 * name no window, and what has no reset at all.
 */
export const STOP_KINDS = ['five_hour', 'weekly', 'model', 'untyped', 'transient'] as const;
export type StopKind = (typeof STOP_KINDS)[number];
export type OnStop = Readonly<Record<StopKind, 'resume' | 'hold'>>;

/** Durations in ms, sizes in bytes. */
export interface Policy {
  /** Added to every stated reset: the very second of a reset is often refused again. */
  readonly marginMs: number;
  /** What happens to a stopped session whose process still lives: stop and resume it, or leave it. */
  readonly live: 'restart' | 'wait';
  /** How long after its reset a live one is given to go on by itself. */
  readonly liveGraceMs: number;
  /** Eligible for longer than this: its owner has moved on. */
  readonly maxAgeMs: number;
  readonly minFreeDiskBytes: number;
  /** Between two launches of one tick, so that not everything starts at once. */
  readonly staggerMs: number;
  /** Launches per episode (one stop of one conversation). */
  readonly maxAttempts: number;
  /** Launches in a rolling 24 h, all sessions together. */
  readonly maxPerDay: number;
  /** Launches of one tick; 0 = no bound. */
  readonly maxPerRun: number;
  readonly prompt: string;
  readonly on: OnStop;
  /** Its zone is named: the machine's own is filled in where none was stated. Null: at any hour. */
  readonly hours: Hours | null;
}

export const DEFAULT_PROMPT =
  'This is an automatic continuation after an interruption (a usage limit or a temporary failure). ' +
  'No person has read or answered anything in between: it grants no new permission and agrees to nothing ' +
  'that you asked. First check the state of the work: files, branches and background tasks may have changed. ' +
  'If the work is already done, say so and stop. Otherwise go on with what you were asked to do.';

export const DEFAULT_POLICY: Policy = {
  marginMs: 90_000,
  live: 'restart',
  liveGraceMs: 600_000,
  maxAgeMs: 48 * 3_600_000,
  minFreeDiskBytes: 500_000_000,
  staggerMs: 5_000,
  maxAttempts: 1,
  maxPerDay: 50,
  maxPerRun: 0,
  prompt: DEFAULT_PROMPT,
  on: {
    five_hour: 'resume',
    weekly: 'resume',
    model: 'resume',
    untyped: 'resume',
    transient: 'resume',
  },
  hours: null,
};

const MINUTE_MS = 60_000;

/** How long a cause without a reset rests after it was shown: by the continuations in a row that failed. */
export function backOffMs(failuresInARow: number): number {
  return ([0, 15, 30][failuresInARow] ?? 60) * MINUTE_MS;
}

/** How long a known limit rests whose reset cannot be read: an hour, then two, four …, never past its window. */
export function unreadableWaitMs(failuresInARow: number, windowMs: number): number {
  return Math.min(60 * MINUTE_MS * 2 ** Math.min(failuresInARow, 20), windowMs);
}

/** The prompt with the claim's nonce. It stands first: short views keep it, and no prompt can look like a flag. */
export function promptWithNonce(prompt: string, nonce: string): string {
  return `[secondwind ${nonce}] ${prompt}`;
}

/** All nonces that stand in a text as `promptWithNonce` writes them. */
export function noncesIn(text: string): string[] {
  return [...text.matchAll(/\[secondwind ([0-9a-f]{16})\]/g)].map((match) => match[1] ?? '');
}

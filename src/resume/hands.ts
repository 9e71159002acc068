// What the one door works with: the client, the state folder, a clock, and how its steps are bounded.
import type { Client } from '../claude/agents.ts';
import { bootId, readProcess } from '../claude/process.ts';
import type { Claim } from '../store/claims.ts';
import type { SurveyContext } from './survey.ts';

export interface Clock {
  /** Epoch ms. */
  readonly now: () => number;
  readonly sleep: (durationMs: number) => Promise<void>;
}

/** In ms. */
export interface Bounds {
  /** Between the first look and the second: for some seconds a dead session still counts as running. */
  readonly lookAgainMs: number;
  /** How long a stop may take until all pids are gone, and the rest after it. */
  readonly stopMs: number;
  readonly afterStopMs: number;
  readonly confirmMs: number;
  readonly pollMs: number;
  /** A claim younger than this, of a dead holder, may still have its client at work. */
  readonly claimMs: number;
  /** After this, a session that lives without our prompt is taken to have lost it. */
  readonly lostMs: number;
}

export const DEFAULT_BOUNDS: Bounds = {
  lookAgainMs: 5_000,
  stopMs: 30_000,
  afterStopMs: 3_000,
  confirmMs: 30_000,
  pollMs: 300,
  claimMs: 90_000,
  lostMs: 600_000,
};

export interface Hands {
  readonly context: SurveyContext;
  readonly client: Client;
  readonly clock: Clock;
  readonly bounds: Bounds;
  /** The client's version, asked for once a tick at most. */
  readonly version: () => Promise<string | null>;
}

/** This very process, as a claim or a lock names its holder. */
export function ownHolder(): Claim['holder'] {
  return { pid: process.pid, boot_id: bootId(), start: readProcess(process.pid)?.start ?? null };
}

/** Whether a recorded process surely does not run any more: another boot, no such pid, or another process there. */
export function isSurelyDead(holder: {
  pid: number;
  boot_id?: string | null;
  start: string | null;
}): boolean {
  const boot = bootId();
  if (holder.boot_id != null && boot !== null && holder.boot_id !== boot) return true;
  const running = readProcess(holder.pid);
  if (running === null || running.isZombie) return true;
  return holder.start !== null && running.start !== null && running.start !== holder.start;
}

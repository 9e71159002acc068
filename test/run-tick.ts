// Runs a tick in this process over a sample home, with waits cut short.
import { join } from 'node:path';
import type { Client } from '../src/claude/agents.ts';
import type { Ledger } from '../src/core/ledger.ts';
import { DEFAULT_POLICY, type Policy } from '../src/core/policy.ts';
import type { Bounds } from '../src/resume/hands.ts';
import { readClaims } from '../src/store/claims.ts';
import { readLedger } from '../src/store/ledger-file.ts';
import { type TickReport, type TickRequest, tick } from '../src/watchdog/tick.ts';
import { STAND_IN } from './stand-in.ts';

export const FAST: Bounds = {
  lookAgainMs: 0,
  stopMs: 3000,
  afterStopMs: 0,
  confirmMs: 400,
  pollMs: 20,
  claimMs: 90_000,
  lostMs: 600_000,
};

export interface TickOptions {
  readonly policy?: Partial<Policy>;
  readonly bounds?: Partial<Bounds>;
  readonly client?: Partial<Client>;
  readonly now?: () => number;
  readonly sleep?: (durationMs: number) => Promise<void>;
  readonly isDryRun?: boolean;
  readonly namesAll?: boolean;
  readonly replayAt?: number;
}

export const folderOf = (home: string): string => join(home, 'secondwind');

export function requestFor(home: string, options: TickOptions = {}): TickRequest {
  const env = { PATH: process.env['PATH'], HOME: join(home, '..'), LANG: 'C.UTF-8' };
  const claudeHome = { path: home, isDefault: true };
  const client: Client = {
    path: STAND_IN,
    home: claudeHome,
    env,
    recordedPath: null,
    ...options.client,
  };
  return {
    context: {
      home: claudeHome,
      folder: folderOf(home),
      policy: { ...DEFAULT_POLICY, staggerMs: 0, ...options.policy },
      env,
      machineZone: () => 'UTC',
    },
    client,
    clock: {
      now: options.now ?? (() => Date.now()),
      sleep: options.sleep ?? ((durationMs) => new Promise((done) => setTimeout(done, durationMs))),
    },
    bounds: { ...FAST, ...options.bounds },
    isDryRun: options.isDryRun ?? false,
    namesAll: options.namesAll ?? true,
    version: '0',
    replayAt: options.replayAt ?? null,
  };
}

/** Runs one tick and expects it to run to its end. */
export async function runTick(home: string, options: TickOptions = {}): Promise<TickReport> {
  const result = await tick(requestFor(home, options));
  if (!result.ok) throw new Error(`${result.failure.kind}: ${result.failure.message}`);
  return result.value;
}

export function ledgerOf(home: string): Ledger {
  const ledger = readLedger(folderOf(home));
  if (!ledger.ok) throw new Error(ledger.failure.message);
  return ledger.value;
}

/** `id → action/rule/code`, and the outcome where there is one. */
export function decisionsOf(report: TickReport): Record<string, string> {
  return Object.fromEntries(
    report.sessions.map(({ decision, outcome }) => [
      decision.jobId,
      [
        decision.action,
        decision.rule ?? '-',
        decision.reason.code,
        ...(outcome ? [outcome.result] : []),
      ].join(' '),
    ]),
  );
}

/** Phases of the claims that are not settled. */
export function openClaims(home: string): string[] {
  const claims = readClaims(folderOf(home));
  if (!claims.ok) throw new Error(claims.failure.message);
  return claims.value.map(({ phase }) => phase).filter((phase) => phase !== 'closed');
}

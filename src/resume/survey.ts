// Reads a home into situations that can be decided on: the same reading for a tick's first look and for each later one.
import { withListing, withProcesses, withStopEvidence } from '../claude/evidence.ts';
import type { ClaudeHome, HomeFailure } from '../claude/home.ts';
import { readProcessTable } from '../claude/process-table.ts';
import { hasLogin, readFreeDisk } from '../claude/settings.ts';
import { hasTerminalClient } from '../claude/terminal-client.ts';
import { groupConversations } from '../core/conversation.ts';
import type { Machine, Situation } from '../core/decide.ts';
import { known } from '../core/fact.ts';
import { conversationBySuccessor, type Ledger, launchesOfDay } from '../core/ledger.ts';
import type { Policy } from '../core/policy.ts';
import { ok, type Result } from '../core/result.ts';
import type { JobEvidence, ListingRow } from '../core/session.ts';
import { type Claim, readClaims } from '../store/claims.ts';
import type { StoreFailure } from '../store/files.ts';
import { type Holds, readHolds } from '../store/holds-file.ts';
import { readLedger } from '../store/ledger-file.ts';
import type { QuietJobs } from '../store/quiet-jobs.ts';
import { type Scan, scanAll, scanChanged } from './scan.ts';
import { situationsOf } from './situation.ts';

export interface SurveyContext {
  readonly home: ClaudeHome;
  /** `<home>/secondwind`. */
  readonly folder: string;
  readonly policy: Policy;
  readonly env: NodeJS.ProcessEnv;
  /** IANA zone of this machine; asked for only when a text has to be read: that loads the zone tables. */
  readonly machineZone: () => string;
}

export interface SurveyOptions {
  readonly now: number;
  /** Null: files alone. */
  readonly rows: readonly ListingRow[] | null;
  /** A recorded home, decided as of another instant. */
  readonly isReplay?: boolean;
  readonly launchesOfTick?: number;
  /** What an earlier look found quiet: those need not be read again. Null: read every job. */
  readonly remembered?: QuietJobs | null;
  /** The nonce of our own open claim. */
  readonly ownClaim?: string;
}

export interface Survey {
  readonly situations: readonly Situation[];
  readonly scan: Scan;
  readonly ledger: Ledger;
  readonly claims: readonly Claim[];
}

export type SurveyFailure = HomeFailure | StoreFailure;

/** Reads everything once. */
export async function survey(
  context: SurveyContext,
  options: SurveyOptions,
): Promise<Result<Survey, SurveyFailure>> {
  const state = readState(context);
  if (!state.ok) return state;
  const { ledger, claims } = state.value;
  const ourStops = stoppedByUs(ledger);
  const successors = conversationBySuccessor(ledger);
  const { holds } = state.value;
  const scan = options.remembered
    ? scanChanged(
        {
          home: context.home,
          successors,
          ourStops,
          hasHolds: holds.all !== null || Object.keys(holds.conversations).length > 0,
          now: options.now,
        },
        options.remembered,
      )
    : scanAll(context.home);
  if (!scan.ok) return scan;
  const first = scan.value.jobs.map((job) =>
    isStopped(job, ourStops) ? withStopEvidence(context.home, job) : job,
  );
  const jobs = addProcesses(context, first, options, ourStops);
  const whole = {
    ...state.value,
    conversations: groupConversations(jobs, successors),
    machine: readMachine(context, jobs, options),
    launchesOfDay: launchesOfDay(ledger, options.now),
  };
  // The reader of reset texts is loaded only when some text has not been read before.
  const situations =
    situationsOf(whole, context, options, null) ??
    situationsOf(whole, context, options, (await import('../core/reset-time.ts')).readResetTime) ??
    [];
  return ok({ situations, scan: scan.value, ledger, claims });
}

function readState({
  folder,
}: SurveyContext): Result<{ ledger: Ledger; claims: Claim[]; holds: Holds }, StoreFailure> {
  const ledger = readLedger(folder);
  if (!ledger.ok) return ledger;
  const claims = readClaims(folder);
  if (!claims.ok) return claims;
  const holds = readHolds(folder);
  if (!holds.ok) return holds;
  return ok({ ledger: ledger.value, claims: claims.value, holds: holds.value });
}

function stoppedByUs(ledger: Ledger): Set<string> {
  const ids = new Set<string>();
  for (const { episodes } of Object.values(ledger.conversations)) {
    for (const { stopping } of episodes) if (stopping !== null) ids.add(stopping.job_id);
  }
  return ids;
}

const isStopped = ({ id, state }: JobEvidence, ourStops: ReadonlySet<string>): boolean =>
  state.known &&
  (state.value.state === 'blocked' || (state.value.state === 'stopped' && ourStops.has(id)));

const isAtWork = ({ state }: JobEvidence): boolean =>
  state.known && state.value.state === 'working';

/**
 * Adds processes where a decision can turn on them: a job at work whose recorded process has died, and, with a listing,
 * every job, since another one of a conversation may live.
 */
function addProcesses(
  context: SurveyContext,
  jobs: readonly JobEvidence[],
  options: SurveyOptions,
  ourStops: ReadonlySet<string>,
): readonly JobEvidence[] {
  const { rows, isReplay } = options;
  if (rows === null && !jobs.some(isAtWork)) return jobs;
  const table = readProcessTable(context.home);
  if (rows === null) {
    if (!table.known || table.value.jobs.size === 0) return jobs;
    const { jobs: recorded } = table.value;
    return jobs.map((job) =>
      isAtWork(job) && recorded.has(job.id) ? withProcesses(job, table) : job,
    );
  }
  const facts = { rows, table, isReplay: isReplay === true };
  return jobs.map((job) =>
    isStopped(job, ourStops)
      ? withListing(context.home, job, facts, jobs)
      : withProcesses(job, table),
  );
}

function readMachine(
  { home, env }: SurveyContext,
  jobs: readonly JobEvidence[],
  { rows, isReplay }: SurveyOptions,
): Machine {
  if (rows === null) {
    const unread = { known: false as const, why: 'not looked at' };
    return { freeDiskBytes: unread, hasLogin: unread, hasTerminalClient: null };
  }
  const someoneLives = jobs.some(
    (job) => job.row !== null && job.process?.known === true && job.process.value === 'alive',
  );
  return {
    freeDiskBytes: readFreeDisk(home.path),
    hasLogin: hasLogin(home, env),
    hasTerminalClient:
      isReplay === true ? known(false) : someoneLives ? hasTerminalClient(home) : null,
  };
}

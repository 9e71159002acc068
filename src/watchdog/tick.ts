// One tick: read everything, decide everything, resume what is to be resumed, and account for all of it.
import { type Client, readVersion } from '../claude/agents.ts';
import { type Decision, decideFromFiles, type Situation } from '../core/decide.ts';
import { prune } from '../core/ledger-transitions.ts';
import { failed, ok, type Result } from '../core/result.ts';
import { type Bounds, type Clock, type Hands, isSurelyDead, ownHolder } from '../resume/hands.ts';
import type { ResumeEnd, ResumeOutcome } from '../resume/outcome.ts';
import { NOBODY, type PassedOver } from '../resume/scan.ts';
import { type Survey, type SurveyContext, type SurveyFailure, survey } from '../resume/survey.ts';
import { changeLedger } from '../store/ledger-file.ts';
import type { Lock } from '../store/lock.ts';
import { act } from './act.ts';
import { inTurn, lookWithListing, nowOf, type Seen } from './look.ts';
import { noteSightings } from './note.ts';
import { recall, remember } from './quiet.ts';

export interface TickRequest {
  readonly context: SurveyContext;
  readonly client: Client;
  readonly clock: Clock;
  readonly bounds: Bounds;
  readonly isDryRun: boolean;
  /** The report is to name every session; else it may only count those on which nothing turns. */
  readonly namesAll: boolean;
  /** The program's version: what another one remembered of quiet jobs does not count. */
  readonly version: string;
  /** Decide as of this instant (epoch ms; dry runs only): the home is then a recorded one. */
  readonly replayAt: number | null;
}

export interface DecidedSession {
  readonly decision: Decision;
  readonly outcome: ResumeOutcome | null;
  /** Its stop was seen for the first time. */
  readonly isNew: boolean;
}

export interface TickReport {
  readonly now: number;
  readonly home: string;
  readonly isDryRun: boolean;
  readonly sessions: readonly DecidedSession[];
  /** Conversations that are not among `sessions`. */
  readonly unnamed: PassedOver;
  /** What a reader should know besides: another tick is running, what was dropped between two looks. */
  readonly notices: readonly string[];
  /** What stopped the tick half-way; what was done before it stands, and is in `sessions`. */
  readonly failure: TickFailure | null;
}

export type TickFailure =
  | SurveyFailure
  | { readonly kind: 'client-not-found' | 'listing-unreadable'; readonly message: string }
  | { readonly kind: 'lock-stuck'; readonly message: string };

/** Runs one tick. A failure means that the tick stopped there; what had been settled by then is on disk. */
export async function tick(request: TickRequest): Promise<Result<TickReport, TickFailure>> {
  const { context, isDryRun } = request;
  const now = nowOf(request);
  const remembered = request.namesAll ? null : recall(request);
  const first = await survey(context, { now, rows: null, remembered });
  if (!first.ok) return first;
  const settled = first.value.situations.map(decideFromFiles);
  const needsListing = settled.some((decision) => decision === null);
  if (isDryRun) {
    if (!needsListing) return ok(quietReport(request, now, first.value, settled));
    return dryTick(request, now);
  }
  const isAnyOpen = first.value.claims.some(
    ({ phase, settled: how }) => phase !== 'closed' || how !== null,
  );
  if (!needsListing && !isAnyOpen) {
    return quietTick(request, now, first.value, settled);
  }
  return underLock(request, now, (lock) => actingTick(request, lock));
}

const decided = (found: Survey, settled: readonly (Decision | null)[]): DecidedSession[] =>
  settled.flatMap((decision, index) =>
    decision === null
      ? []
      : [{ decision, outcome: null, isNew: isNew(found.situations[index], decision) }],
  );

/** Seen for the first time, and noted: what is left for good is not noted, and said at each look only in full views. */
const isNew = (situation: Situation | undefined, { action }: Decision): boolean =>
  action !== 'skip' &&
  situation?.stop != null &&
  !situation.history.episodes.some((one) => one.id === situation.stop?.episodeId);

function reportOf(
  { context, isDryRun }: TickRequest,
  now: number,
  sessions: readonly DecidedSession[],
  notices: readonly string[] = [],
): TickReport {
  return {
    now,
    home: context.home.path,
    isDryRun,
    sessions,
    unnamed: NOBODY,
    notices,
    failure: null,
  };
}

const quietReport = (
  request: TickRequest,
  now: number,
  found: Survey,
  settled: readonly (Decision | null)[],
): TickReport => ({
  ...reportOf(request, now, decided(found, settled)),
  unnamed: found.scan.passedOver,
});

async function dryTick(
  request: TickRequest,
  now: number,
): Promise<Result<TickReport, TickFailure>> {
  const seen = await lookWithListing(request, now);
  return seen.ok ? ok(reportOf(request, now, seen.value.map(undone))) : seen;
}

const undone = ({ situation, decision }: Seen): DecidedSession => ({
  decision,
  outcome: null,
  isNew: isNew(situation, decision),
});

/** Nothing can be resumed: at most a first sighting or a wait is written down. */
async function quietTick(
  request: TickRequest,
  now: number,
  found: Survey,
  settled: readonly (Decision | null)[],
): Promise<Result<TickReport, TickFailure>> {
  const report = quietReport(request, now, found, settled);
  const note = noteSightings(found.situations, settled, now);
  if (note(found.ledger) === found.ledger) {
    if (!request.namesAll) remember(request, now, found, settled);
    return ok(report);
  }
  return underLock(request, now, async () => {
    const written = changeLedger(request.context.folder, note);
    return written.ok ? ok(report) : written;
  });
}

async function underLock(
  request: TickRequest,
  now: number,
  run: (lock: Lock) => Promise<Result<TickReport, TickFailure>>,
): Promise<Result<TickReport, TickFailure>> {
  const { takeLock } = await import('../store/lock.ts');
  const taken = await takeLock({
    folder: request.context.folder,
    holder: ownHolder(),
    now: request.clock.now(),
    isDead: isSurelyDead,
  });
  if (!taken.ok) {
    if (taken.failure.kind !== 'held') return failed(taken.failure);
    if (taken.failure.isStuck)
      return failed({ kind: 'lock-stuck', message: taken.failure.message });
    return ok(reportOf(request, now, [], [taken.failure.message]));
  }
  try {
    return await run(taken.value);
  } finally {
    await taken.value.release();
  }
}

async function actingTick(
  request: TickRequest,
  lock: Lock,
): Promise<Result<TickReport, TickFailure>> {
  let version: Promise<string | null> | null = null;
  const hands: Hands = {
    context: request.context,
    client: request.client,
    clock: request.clock,
    bounds: request.bounds,
    version: () => {
      version ??= readVersion(request.client);
      return version;
    },
  };
  const acted = await act(hands, lock);
  if (!acted.ok) return acted;
  const { found, now, ends, notices, failure } = acted.value;
  const sessions = inTurn(found.situations).map((seen) => withEnd(undone(seen), ends));
  const decisions = new Map(sessions.map(({ decision }) => [decision.conversation, decision]));
  const written = changeLedger(request.context.folder, (ledger) =>
    prune(
      noteSightings(
        found.situations,
        found.situations.map((one) => decisions.get(one.conversation.key) ?? null),
        now,
      )(ledger),
      now,
    ),
  );
  const report = reportOf(request, now, sessions, notices);
  return ok({ ...report, failure: failure ?? (written.ok ? null : written.failure) });
}

function withEnd(session: DecidedSession, ends: ReadonlyMap<string, ResumeEnd>): DecidedSession {
  const end = ends.get(session.decision.conversation);
  return end?.kind === 'outcome' ? { ...session, outcome: end.outcome } : session;
}

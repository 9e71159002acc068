// How a tick, and whoever shows what one would do, look at all sessions with the client's listing, each in its turn.
import { listAgents } from '../claude/agents.ts';
import { type Decision, decide, type Situation } from '../core/decide.ts';
import { ok, type Result } from '../core/result.ts';
import { survey } from '../resume/survey.ts';
import type { TickFailure, TickRequest } from './tick.ts';

/** What a look needs of a tick's request. */
export type LookRequest = Pick<TickRequest, 'context' | 'client' | 'clock' | 'replayAt'>;

export interface Seen {
  /** With the launches that are due before it counted in. */
  readonly situation: Situation;
  readonly decision: Decision;
}

export const nowOf = ({ replayAt, clock }: Pick<LookRequest, 'clock' | 'replayAt'>): number =>
  replayAt ?? clock.now();

/** Everything with the client's listing, in the order in which a tick acts; nothing is written. */
export async function lookWithListing(
  request: LookRequest,
  now: number,
): Promise<Result<Seen[], TickFailure>> {
  // The zone tables that what is shown needs are loaded while the client works.
  const [rows] = await Promise.all([
    listAgents(request.client),
    atNextTurn(request.context.machineZone),
  ]);
  if (!rows.ok) return rows;
  const isReplay = request.replayAt !== null;
  const found = await survey(request.context, { now, rows: rows.value, isReplay });
  return found.ok ? ok(inTurn(found.value.situations)) : found;
}

const atNextTurn = (run: () => unknown): Promise<unknown> =>
  new Promise((done) => {
    setImmediate(() => done(run()));
  });

/** Oldest stop first, each resume counted against the day and the tick. */
export function inTurn(situations: readonly Situation[]): Seen[] {
  let launches = 0;
  return oldestFirst(situations).map((bare) => {
    const due = Array<number>(launches).fill(bare.now);
    const situation: Situation = {
      ...bare,
      launchesOfTick: launches,
      launchesOfDay: [...bare.launchesOfDay, ...due],
    };
    const decision = decide(situation);
    if (decision.action === 'resume') launches += 1;
    return { situation, decision };
  });
}

const oldestFirst = (situations: readonly Situation[]): Situation[] =>
  [...situations].sort((a, b) => (a.stop?.shown.at ?? Infinity) - (b.stop?.shown.at ?? Infinity));

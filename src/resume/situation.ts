// Puts what was read of a home together into one situation for each conversation.
import type { Hold, Machine, Situation } from '../core/decide.ts';
import { historyOf, judgeProgress, type Ledger } from '../core/ledger.ts';
import { type Conversation, lastAssistantAtOf } from '../core/session.ts';
import { readStop, type StopContext } from '../core/stop.ts';
import type { Claim } from '../store/claims.ts';
import type { Holds } from '../store/holds-file.ts';
import type { SurveyContext, SurveyOptions } from './survey.ts';

export interface WholeHome {
  readonly conversations: readonly Conversation[];
  readonly machine: Machine;
  readonly ledger: Ledger;
  readonly claims: readonly Claim[];
  readonly holds: Holds;
  readonly launchesOfDay: readonly number[];
}

/** All situations; null when a reset text has to be read and `readReset` is null. */
export function situationsOf(
  whole: WholeHome,
  context: SurveyContext,
  options: SurveyOptions,
  readReset: StopContext['readReset'],
): Situation[] | null {
  const situations: Situation[] = [];
  const { now } = options;
  for (const conversation of whole.conversations) {
    const recorded = historyOf(whole.ledger, conversation.key);
    const reading = readStop(conversation.job, {
      history: recorded,
      now,
      machineZone: context.machineZone,
      readReset,
    });
    if (reading.kind === 'needs-reader') return null;
    const stop = reading.kind === 'stop' ? reading.stop : null;
    situations.push({
      conversation,
      stop,
      history:
        stop === null
          ? recorded
          : judgeProgress(recorded, stop.episodeId, lastAssistantAtOf(conversation.job)),
      hold: holdOf(whole.holds, conversation, now),
      claim: openClaimOf(whole.claims, conversation.key, options.ownClaim),
      policy: context.policy,
      machine: whole.machine,
      launchesOfDay: whole.launchesOfDay,
      launchesOfTick: options.launchesOfTick ?? 0,
      now,
    });
  }
  return situations;
}

function openClaimOf(
  claims: readonly Claim[],
  conversation: string,
  ownNonce: string | undefined,
): Situation['claim'] {
  const claim = claims.find(
    (one) => one.conversation === conversation && one.phase !== 'closed' && one.nonce !== ownNonce,
  );
  return claim === undefined
    ? null
    : { message: `a continuation of ${claim.at} is not settled yet` };
}

/** A hold names the conversation, or the job that stands for it now. */
function holdOf(holds: Holds, { key, job }: Conversation, now: number): Hold | null {
  const named = [key, job.id].find((name) => Object.hasOwn(holds.conversations, name));
  const own = named === undefined ? null : (holds.conversations[named] ?? null);
  const isOver = own?.until != null && own.until <= now;
  return own !== null && !isOver ? own : holds.all;
}

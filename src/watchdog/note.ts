// Writes down what a later tick must find unchanged: the first sighting of a stop, and that it was kept back.
import type { Decision, RuleName, Situation } from '../core/decide.ts';
import type { Ledger } from '../core/ledger.ts';
import { recordProgress, recordSighting, recordWait } from '../core/ledger-transitions.ts';
import { lastAssistantAtOf } from '../core/session.ts';
import { episodeOf } from '../core/stop-episode.ts';

/** Rules whose answer keeps a stop back for a reason outside of it: that time does not age it. */
const KEEPS_BACK: ReadonlySet<RuleName> = new Set([
  'hold',
  'policy',
  'alive',
  'place',
  'attempts',
  'budget',
]);

/** The change of the ledger that a look at all sessions asks for; applied to a ledger that has it, nothing. */
export function noteSightings(
  situations: readonly Situation[],
  decisions: readonly (Decision | null)[],
  now: number,
): (ledger: Ledger) => Ledger {
  return (ledger) => {
    let noted = ledger;
    for (const [index, situation] of situations.entries()) {
      const decision = decisions[index] ?? null;
      if (decision !== null) noted = note(noted, situation, decision, now);
    }
    return noted;
  };
}

function note(ledger: Ledger, situation: Situation, decision: Decision, now: number): Ledger {
  const { key, job } = situation.conversation;
  const isOfInterest = mayResume(decision) || decision.action === 'resume';
  const episode =
    isOfInterest && situation.claim === null ? episodeOf(situation, now, decision) : null;
  if (episode === null) return ledger;
  const sighted = recordSighting(ledger, key, episode);
  const seen = recordProgress(sighted, key, episode.id, lastAssistantAtOf(job));
  const isKeptBack = decision.rule !== null && KEEPS_BACK.has(decision.rule) && mayResume(decision);
  return isKeptBack ? recordWait(seen, key, episode.id, { now, reason: decision.reason }) : seen;
}

/** Kept back only: by itself it would go on now or later. */
const mayResume = ({ action, rule }: Decision): boolean =>
  action === 'wait' || rule === 'hold' || rule === 'policy';

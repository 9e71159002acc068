// The ledger's record of a stop, made at its first sighting.
import { type Decision, decideFromFiles, type Situation } from './decide.ts';
import type { Episode } from './ledger.ts';
import { normalize } from './reason.ts';
import { messageOf } from './stop.ts';

/** The episode of a stop that could lift, as first seen at `now` (epoch ms), or as the ledger has it; else null. */
export function episodeOf(
  situation: Situation,
  now: number,
  decision: Decision | null = decideFromFiles(situation),
): Episode | null {
  const { stop, history } = situation;
  if (stop === null) return null;
  const known = history.episodes.find((one) => one.id === stop.episodeId);
  if (known !== undefined) return known;
  if (stop.cause.kind !== 'limit' && stop.cause.kind !== 'transient') return null;
  const { state } = situation.conversation.job;
  return {
    id: stop.episodeId,
    record_uuid: stop.recordUuid,
    shown_at: new Date(stop.shown.at).toISOString(),
    shown_source: stop.shown.source,
    first_seen_at: new Date(now).toISOString(),
    message: messageOf(
      state.known && state.value.detail !== '' ? state.value.detail : stop.cause.text,
    ),
    cause: stop.cause.kind === 'limit' ? 'limit' : stop.cause.family,
    limit: stop.cause.kind === 'limit' ? stop.cause.limit : null,
    reset_at: stop.reset === null ? null : new Date(stop.reset.at).toISOString(),
    reset_source: stop.reset?.source ?? 'none',
    suspect: stop.reset?.suspect ?? null,
    reason: normalize('paused', decision?.reason ?? null),
    waited_until: null,
    stopping: null,
    attempts: [],
    given_back: 0,
  };
}

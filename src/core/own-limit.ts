// The one stop that needs no reading: the client's record of a usage limit, with its exact reset, and both texts of the
// job repeating it word for word. It is by far the most frequent, and the tables of forms cost milliseconds to load.
import type { ErrorRecord, LimitKind } from './session.ts';

// `quotaLimits.rateLimitType` (2.1.332; also the header `…-representative-claim`).
export const LIMIT_OF_TYPE: ReadonlyMap<string, LimitKind> = new Map([
  ['five_hour', 'session'],
  ['seven_day', 'weekly'],
  ['seven_day_opus', 'opus'],
  ['seven_day_sonnet', 'sonnet'],
  ['seven_day_overage_included', 'fable'],
  ['overage', 'credits'],
]);

const FILED = 'rate limited — wait and retry · ';
const OWN_WORDS =
  /^You've hit your (?:session|5-hour|weekly|Opus|Sonnet|Fable) limit · resets [\w:, ]{2,24}(?: \([\w/+-]{2,40}\))?(?:\. \/model to switch models\.)?$/;

/** The limit of such a stop; null for every other, which is then read in full. */
export function ownLimitOf(evidence: {
  readonly detail: string;
  readonly needs: string;
  readonly error: ErrorRecord | null;
}): LimitKind | null {
  const { detail, needs, error } = evidence;
  if (error === null || error.error !== 'rate_limit' || error.quota === null) return null;
  const { resetsAt, limitType } = error.quota;
  if (resetsAt === null || error.text !== detail || needs !== FILED + detail) return null;
  if (!OWN_WORDS.test(detail)) return null;
  const limit = LIMIT_OF_TYPE.get(limitType ?? '');
  return limit === undefined || limit === 'credits' ? null : limit;
}

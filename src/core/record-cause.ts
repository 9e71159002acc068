// The cause that the client's own error record states: its class and quota, with its text read as any message's.
import type { FatalFamily } from './api-forms.ts';
import type { Cause } from './cause.ts';
import { causeOfMessage, isNote } from './message-cause.ts';
import { LIMIT_OF_TYPE } from './own-limit.ts';
import type { ErrorRecord, LimitKind } from './session.ts';

/** Kinds whose own reset `resetsAt` is; beside a spend limit it can be another limit's. */
const COUNTED = new Set<LimitKind>(['session', 'weekly', 'opus', 'sonnet', 'fable', 'untyped']);

// The client's error classes (2.1.170 to 2.1.332) that no waiting lifts.
const FATAL_CLASSES: ReadonlyMap<string, FatalFamily> = new Map([
  ['authentication_failed', 'login'],
  ['oauth_org_not_allowed', 'login'],
  ['account_on_hold', 'login'],
  ['verification_required', 'login'],
  ['cloud_credential_error', 'login'],
  ['invalid_request', 'setup'],
  ['model_not_found', 'model'],
  ['max_output_tokens', 'too_large'],
]);
/** Of these the text can still say that it passes: "This may be a temporary network issue", a slow credential helper. */
const PASSING_CLASSES = new Set(['authentication_failed', 'cloud_credential_error']);
// The API's names for the same classes, as other tools write them.
const CLASS_OF_TYPE: ReadonlyMap<string, string> = new Map([
  ['authentication_error', 'authentication_failed'],
  ['permission_error', 'authentication_failed'],
  ['invalid_request_error', 'invalid_request'],
  ['not_found_error', 'model_not_found'],
  ['rate_limit_error', 'rate_limit'],
  ['overloaded_error', 'overloaded'],
  ['api_error', 'server_error'],
]);

/** The record's class, one name for each. */
export const classOf = (record: ErrorRecord): string | null =>
  record.error === null ? null : (CLASS_OF_TYPE.get(record.error) ?? record.error);

/** What the record says. A text that names a person, money or a fatal error wins over its class. */
export function causeOfRecord(record: ErrorRecord): Cause {
  const said = causeOfMessage(record.text);
  const named = classOf(record);
  if (said.kind === 'fatal' || said.kind === 'budget' || said.kind === 'human') return said;
  if (said.kind === 'in_flight' || isNote(record.text)) return said;
  if (named === 'billing_error') return { kind: 'budget', text: said.text };
  const fatal = named === null ? undefined : FATAL_CLASSES.get(named);
  if (fatal !== undefined) return causeOfFatalClass(said, { named: named ?? '', family: fatal });
  if (named === 'rate_limit' || (named === null && record.status === 429)) {
    return causeOfRateLimit(said, record);
  }
  if (said.kind !== 'unknown') return said;
  const isServer = named === 'server_error' || named === 'overloaded';
  if (isServer || (named === null && (record.status ?? 0) >= 500)) {
    const isOverload = named === 'overloaded' || record.status === 529;
    return { kind: 'transient', family: isOverload ? 'overload' : 'api', text: said.text };
  }
  return said;
}

function causeOfFatalClass(said: Cause, error: { named: string; family: FatalFamily }): Cause {
  if (said.kind === 'transient' && PASSING_CLASSES.has(error.named)) return said;
  // "You have reached your specified API usage limits. You will regain access on …" comes as a 400.
  if (said.kind === 'limit' && said.statesReset && error.named === 'invalid_request') return said;
  return { kind: 'fatal', family: error.family, text: said.text };
}

/**
 * Clients since 2.1.260 or so write `quotaLimits` beside every usage limit. One without `resetsAt`, under a text that
 * states no reset either, has been a credit cap: a person. No quota at all says nothing (an older client, or a
 * throttle): the text decides alone, and a limit without a reset is tried again ever more rarely.
 */
function causeOfRateLimit(said: Cause, { quota }: ErrorRecord): Cause {
  const resetsAt = quota?.resetsAt ?? null;
  const typed = LIMIT_OF_TYPE.get(quota?.limitType ?? '');
  if (said.kind === 'limit') {
    if (quota !== null && resetsAt === null && !said.statesReset) {
      return { kind: 'budget', text: said.text };
    }
    const limit = COUNTED.has(said.limit) ? (typed ?? said.limit) : said.limit;
    return { ...said, limit, statesReset: said.statesReset || resetsAt !== null };
  }
  // A new wording does not hide a limit that the client itself counted.
  if (said.kind === 'unknown' && resetsAt !== null) {
    return { kind: 'limit', limit: typed ?? 'untyped', statesReset: true, text: said.text };
  }
  return said;
}

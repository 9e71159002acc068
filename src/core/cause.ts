// Why a session stopped, from the heads of its messages and the client's own error record; what is not known never resumes.
import type { FatalFamily, TransientFamily } from './api-forms.ts';
import { cleanLine } from './clean-text.ts';
import { causeOfMessage } from './message-cause.ts';
import { headOf } from './message-head.ts';
import { saysHuman } from './names-human.ts';
import { ownLimitOf } from './own-limit.ts';
import { causeOfRecord, classOf } from './record-cause.ts';
import type { ErrorRecord, LimitKind } from './session.ts';

/**
 * `limit`: waiting helps; `statesReset`: something says when, readable or not. `transient`: lifts by itself at an
 * unknown time. `budget`, `fatal`, `human`: a person has to act. `in_flight`: the client goes on by itself.
 * `unknown`: notes, prose, other programs' words. `text`: the message's head, one line, fit to print.
 */
export type Cause =
  | { kind: 'limit'; limit: LimitKind; statesReset: boolean; text: string }
  | { kind: 'transient'; family: TransientFamily; text: string }
  | { kind: 'budget'; text: string }
  | { kind: 'fatal'; family: FatalFamily; text: string }
  | { kind: 'human'; text: string }
  | { kind: 'in_flight'; text: string }
  | { kind: 'unknown'; text: string };

/** The cause that one message states. Only its head counts, in known forms; throws on nothing. */
export function causeOfText(text: string): Cause {
  return causeOfMessage(text);
}

/**
 * The cause that all evidence together states. `error` ends the transcript and is the client's own structured word;
 * `detail` and `needs` are texts of state.json, which a small model or the prompt may have written. What stops for
 * good anywhere wins; then the record; then the texts, which may not contradict each other.
 */
export function causeOf(evidence: {
  readonly detail: string;
  readonly needs: string;
  readonly error: ErrorRecord | null;
}): Cause {
  const own = ownLimitOf(evidence);
  if (own !== null) return { kind: 'limit', limit: own, statesReset: true, text: evidence.detail };
  const { error } = evidence;
  const detail = isCutShort(evidence.detail, error) ? '' : evidence.detail;
  const texts = causeOfTexts(detail, evidence.needs);
  if (error === null) return texts;
  const record = causeOfRecord(error);
  if (isFinal(record)) return record;
  if (isFinal(texts)) return texts;
  if (record.kind !== 'unknown') return record;
  // The record's words are not known. Only a class that agrees with what the texts say lets them speak for it.
  return agrees(classOf(error), texts) ? underQuota(texts, error) : record;
}

/** A detail that was kept cut short has lost the reset behind its advice; the record has the whole of it. */
function isCutShort(detail: string, error: ErrorRecord | null): boolean {
  const head = headOf(detail);
  if (error === null || !head.endsWith('…')) return false;
  return headOf(error.text).startsWith(head.slice(0, -1));
}

const isFinal = ({ kind }: Cause): boolean =>
  kind === 'fatal' || kind === 'human' || kind === 'budget' || kind === 'in_flight';

const AGREEING: ReadonlyMap<string, readonly Cause['kind'][]> = new Map([
  ['rate_limit', ['limit', 'transient']],
  ['server_error', ['transient']],
  ['overloaded', ['transient']],
  ['unknown', ['limit', 'transient']],
]);

const agrees = (named: string | null, { kind }: Cause): boolean =>
  named === null || (AGREEING.get(named)?.includes(kind) ?? false);

/** The same rule as for the record's own text: a quota without a reset has been a credit cap. */
function underQuota(texts: Cause, { quota }: ErrorRecord): Cause {
  const isCap = quota !== null && quota.resetsAt === null;
  const isOpen = texts.kind === 'limit' && !texts.statesReset;
  return isCap && isOpen ? { kind: 'budget', text: texts.text } : texts;
}

/**
 * Both texts come from one hand: the client writes the error into `detail` and files it in `needs`, or a small model
 * writes both. So prose in either one means that the other's words are a model's too, and nothing is known.
 */
function causeOfTexts(detail: string, needs: string): Cause {
  const [said, filed] = [causeOfText(detail), causeOfText(needs)];
  if (filed.text === '') return said;
  if (said.text === '') return filed;
  if (isFinal(said)) return said;
  if (isFinal(filed)) return filed;
  if (said.kind === 'unknown') return said;
  if (filed.kind === 'unknown') return filed;
  if (filed.kind === 'limit' && filed.statesReset) {
    return said.kind === 'limit' && said.statesReset ? said : filed;
  }
  return said;
}

/**
 * The text that names a human, as one line to print; null when none does. `waitingFor` is the client's listing and
 * always does. Looks at whole heads, not only their beginning: it wins over a limit named beside it.
 */
export function namesHuman(evidence: {
  readonly detail: string;
  readonly needs: string;
  readonly waitingFor: string | null;
}): string | null {
  const waitingFor = cleanLine(evidence.waitingFor ?? '');
  if (waitingFor !== '') return waitingFor;
  for (const text of [evidence.needs, evidence.detail]) {
    const head = headOf(text);
    if (saysHuman(head) || causeOfText(text).kind === 'human') return cleanLine(head);
  }
  return null;
}

// One message's cause, from its head in known forms: wrappers are taken off, and what stands inside decides.
import {
  type ApiError,
  apiErrorOf,
  statusOfType,
  statusVerdict,
  transientFamilyOf,
} from './api-forms.ts';
import type { Cause } from './cause.ts';
import {
  BUDGET,
  fatalFamilyOf,
  HUMAN,
  IN_FLIGHT,
  isCertificateError,
  isPassingLoginError,
  NOTE,
} from './cause-forms.ts';
import { type LimitForm, limitFormOf } from './limit-forms.ts';
import { headOf } from './message-head.ts';

/** The cause that one message states; `unknown` for a note, for prose, for nothing. */
export function causeOfMessage(text: string): Cause {
  return causeOfHead(headOf(text), 3);
}

/** Whether a message only reports: a warning, a usage panel, an answer of the client. Nothing stopped for it. */
export function isNote(text: string): boolean {
  const head = headOf(text);
  return NOTE.test(head) || limitFormOf(head)?.kind === 'note';
}

// What `needs` begins with where the client itself files an API error (2.1.170 to 2.1.332). `check plan` and
// `run /login` need no entry: their own words are in the tables.
const FILED =
  /^(rate limited|api overloaded|api unavailable) [—–-] (?:wait and )?retry(?:[.…]?$| ?[·∙•|:] ?)/i;
const LOGIN_FILED = /^login required [—–-] run \/login ?[·∙•|:] ?/i;
// "Error: " is Node's; a subagent's end names what its parent met.
const WRAPPER = /^(?:error(?: in non-streaming fallback)?: |lower-priority mode ended · )/i;
const SUBAGENT = /^agent terminated early due to an api error(?:: ?|[.…]?$)/i;
const REJECTED = /^request rejected \(429\)(?: ?[·∙•|] ?|[.…]?$)/i;

function causeOfHead(head: string, depth: number): Cause {
  if (head === '' || depth === 0) return { kind: 'unknown', text: head };
  if (IN_FLIGHT.test(head)) return { kind: 'in_flight', text: head };
  const filed = FILED.exec(head);
  if (filed !== null)
    return causeOfFiled(filed[1] ?? '', head.slice(filed[0].length), { head, depth });
  const login = LOGIN_FILED.exec(head);
  if (login !== null && isPassingLoginError(head.slice(login[0].length))) {
    return causeOfHead(head.slice(login[0].length), depth - 1);
  }
  const limit = limitFormOf(head);
  if (limit !== null) return causeOfLimit(limit, head);
  const plain = plainCause(head);
  return plain.kind === 'unknown' ? causeInside(head, depth) : plain;
}

/** The tables, in this order: a certificate error begins like a network error, a slow keychain like a login. */
function plainCause(head: string): Cause {
  if (HUMAN.test(head)) return { kind: 'human', text: head };
  if (BUDGET.test(head)) return { kind: 'budget', text: head };
  if (isPassingLoginError(head)) return { kind: 'transient', family: 'network', text: head };
  if (isCertificateError(head)) return { kind: 'fatal', family: 'setup', text: head };
  const transient = transientFamilyOf(head);
  if (transient !== null) return { kind: 'transient', family: transient, text: head };
  const fatal = fatalFamilyOf(head);
  return fatal === null
    ? { kind: 'unknown', text: head }
    : { kind: 'fatal', family: fatal, text: head };
}

function causeInside(head: string, depth: number): Cause {
  const inside = (form: RegExp): Cause | null => {
    const match = form.exec(head);
    return match === null ? null : causeOfHead(headOf(head.slice(match[0].length)), depth - 1);
  };
  const wrapped = inside(WRAPPER);
  if (wrapped !== null && wrapped.kind !== 'unknown') return { ...wrapped, text: head };
  const subagent = inside(SUBAGENT);
  if (subagent?.kind === 'unknown') return { kind: 'transient', family: 'api', text: head };
  const rejected = inside(REJECTED);
  if (rejected?.kind === 'unknown') return { kind: 'transient', family: 'throttle', text: head };
  const found = subagent ?? rejected;
  if (found !== null) return { ...found, text: head };
  const error = apiErrorOf(head);
  return error === null ? { kind: 'unknown', text: head } : causeOfApiError(error, head, depth);
}

function causeOfApiError(error: ApiError, head: string, depth: number): Cause {
  const inner: Cause = { ...causeOfHead(headOf(error.message), depth - 1), text: head };
  const status = error.status ?? statusOfType(error.type);
  if (status === null || isPassingLoginError(error.message)) return inner;
  // `429 … Extra usage is required`, `400 Prompt is too long`: the body knows better than its status.
  if (inner.kind !== 'unknown' && inner.kind !== 'transient') return inner;
  const verdict = statusVerdict(status, error);
  return verdict === null ? { kind: 'unknown', text: head } : { ...verdict, text: head };
}

function causeOfLimit(form: LimitForm, head: string): Cause {
  switch (form.kind) {
    case 'limit':
      return { kind: 'limit', limit: form.limit, statesReset: form.statesReset, text: head };
    case 'throttle':
      return { kind: 'transient', family: 'throttle', text: head };
    case 'too_large':
      return { kind: 'fatal', family: 'too_large', text: head };
    case 'note':
      return { kind: 'unknown', text: head };
    default:
      return { kind: form.kind, text: head };
  }
}

interface Within {
  readonly head: string;
  readonly depth: number;
}

/** The client's own words first, then the error's: those decide. An error in words that nobody knows stays unknown. */
function causeOfFiled(filedAs: string, tail: string, { head, depth }: Within): Cause {
  const isLimit = /^rate/i.test(filedAs);
  const family = /overloaded/i.test(filedAs) ? 'overload' : 'api';
  if (tail === '') {
    return isLimit
      ? { kind: 'limit', limit: 'untyped', statesReset: false, text: head }
      : { kind: 'transient', family, text: head };
  }
  const cause = causeOfHead(headOf(tail), depth - 1);
  const isApiError = !isLimit && /^api error: /i.test(tail) && !isNote(tail);
  return cause.kind === 'unknown' && isApiError ? { kind: 'transient', family, text: head } : cause;
}

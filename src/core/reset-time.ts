// A limit message and the instant it was shown make the instant its limit lifts, or a reason why not; the same each time.

import { GRACE_MS, resolveReset, SLACK_MS } from './reset-day.ts';
import { type ResetClause, resetClausesOf } from './reset-forms.ts';
import { readWords } from './reset-words.ts';
import type { LimitKind } from './session.ts';
import { windowMsOf } from './window.ts';
import { parseZone, wallOf, type Zone } from './zone.ts';

/** `shownAt`: epoch ms. `sessionZone` and `machineZone`: zone names, for messages that state none. */
export interface ResetQuery {
  readonly text: string;
  readonly shownAt: number;
  readonly limit: LimitKind;
  readonly sessionZone: string | null;
  readonly machineZone: string;
}

/**
 * `at`: `resetAt` in epoch ms; `zone` as it was named, null where none was needed; `assumed`: what the text left
 * open and how that was filled; `suspect`: why the instant is doubtful, or null.
 * `none`: the text states no reset. `unreadable`: it states one that no clock shows or no zone has.
 */
export type ResetReading =
  | {
      readonly kind: 'at';
      readonly resetAt: number;
      readonly zone: string | null;
      readonly zoneFrom: 'stated' | 'session' | 'machine' | 'none';
      readonly assumed: readonly string[];
      readonly suspect: string | null;
    }
  | { readonly kind: 'none' }
  | { readonly kind: 'unreadable'; readonly why: string };

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const LATEST_SHOWN = Date.UTC(9000, 0, 1);

/** Reads the reset that `text` states, from the known forms of the client; throws on nothing. */
export function readResetTime(query: ResetQuery): ResetReading {
  const clause = clauseFor(resetClausesOf(query.text), query.limit);
  if (clause === null) return { kind: 'none' };
  const { shownAt } = query;
  if (!(shownAt >= 0 && shownAt < LATEST_SHOWN)) {
    return { kind: 'unreadable', why: 'it is not known when this was shown' };
  }
  const found = zoneFor(clause, query);
  if (found === null) return { kind: 'unreadable', why: `no zone is called ${clause.zone}` };
  const spoken = readWords(clause.words, wallOf(found.zone, shownAt));
  if (spoken.kind === 'unreadable') return spoken;
  const limit = clause.owner ?? query.limit;
  const isZoneSure = found.from !== 'machine';
  const resolved = resolveReset(spoken, { shownAt, limit, zone: found.zone, isZoneSure });
  if ('why' in resolved) return { kind: 'unreadable', why: resolved.why };
  const { resetAt, assumed } = resolved;
  const isZoned = spoken.kind !== 'instant' && spoken.kind !== 'after';
  return {
    kind: 'at',
    resetAt,
    zone: isZoned ? found.zone.name : null,
    zoneFrom: isZoned ? found.from : 'none',
    assumed: isZoned && found.zone.assumed !== null ? [...assumed, found.zone.assumed] : assumed,
    suspect: doubtOf(resetAt, shownAt, limit),
  };
}

/**
 * Two resets can stand in one message. A spend limit's own comes next month; the session's or week's beside it
 * (`your session limit resets 2:40pm`, since 2.1.239) is when the session can go on.
 */
function clauseFor(clauses: readonly ResetClause[], limit: LimitKind): ResetClause | null {
  const own = clauses.find((clause) => clause.owner === limit);
  const isNamed = !['spend', 'credits', 'extra_usage', 'org', 'untyped'].includes(limit);
  const next = clauses.find((clause) => (clause.owner === null) === isNamed);
  return own ?? next ?? clauses[0] ?? null;
}

type FoundZone = { readonly zone: Zone; readonly from: 'stated' | 'session' | 'machine' };

function zoneFor(clause: ResetClause, query: ResetQuery): FoundZone | null {
  if (clause.zone !== null && !/\b(?:local|your) time\b|^local$/i.test(clause.zone)) {
    const zone = parseZone(clause.zone);
    return zone === null ? null : { zone, from: 'stated' };
  }
  const session = query.sessionZone === null ? null : parseZone(query.sessionZone);
  if (session !== null) return { zone: session, from: 'session' };
  const machine = parseZone(query.machineZone);
  if (machine !== null) return { zone: machine, from: 'machine' };
  const assumed = 'the zone of this machine is not known: UTC';
  return { zone: { name: 'UTC', assumed, offsetMsAt: () => 0 }, from: 'machine' };
}

function doubtOf(resetAt: number, shownAt: number, limit: LimitKind): string | null {
  if (resetAt < shownAt - GRACE_MS) return 'it had passed when this was shown';
  const windowMs = windowMsOf(limit);
  if (resetAt <= shownAt + windowMs + SLACK_MS) return null;
  const window =
    windowMs < DAY_MS ? `${windowMs / HOUR_MS} hours` : `${Math.round(windowMs / DAY_MS)} days`;
  return `it lies more than ${window} after this was shown`;
}

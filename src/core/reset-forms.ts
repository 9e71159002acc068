// Finds where a message states when its limit lifts, and in which words; says nothing about what the words mean.
import { headOf } from './message-head.ts';
import type { LimitKind } from './session.ts';
import { endAt, hasOnlyParticles, timeWordsEnd } from './time-words.ts';

/** One statement of a reset. `index` and `end` are offsets into the head it was found in. */
export interface ResetClause {
  /** `your session limit resets …` names its limit; null: the limit that the message is about. */
  readonly owner: LimitKind | null;
  /** The words about the time, without the zone: `Dec 18 at 5am`, `in 3d 2h`, `1748268000`; '' for `soon`. */
  readonly words: string;
  /** The zone as printed, behind the time; null when there is none. */
  readonly zone: string | null;
  readonly index: number;
  readonly end: number;
}

// Claude Code before 1.0.84: `Claude AI usage limit reached|1748268000`, the epoch in seconds (tools: in ms).
const EPOCH = /\blimit reached ?\| ?(\d{9,13})(?!\d)/i;

// The limit's name: `session`, `5-hour`, `Fable 5.1`; never over a full stop into the next sentence.
const NAME = String.raw`\w[\w'-]{0,20}(?:\.\d{1,2})?(?: \w[\w'-]{0,20}(?:\.\d{1,2})?){0,3}`;
// `reset reason: connection timeout` is a proxy's (Envoy's) word about a socket.
const LEADS = [
  String.raw`(?:(?:your|the|this|its) (?:(${NAME}) )?limits? )?(?:will )?(?:be )?(?:auto(?:matically)? )?resets?(?! reason)\b:?`,
  '(?:please )?try again (?=(?:at|in|on|after) )',
  'available again (?=(?:at|in|on|after) )',
  '(?:will )?regain access (?=(?:at|in|on) )',
].join('|');

// Found first, by itself: one expression for a lead and all that can stand behind it takes 40 ms to compile.
const LEAD = new RegExp(String.raw`(?<![\w-])(?:${LEADS})`, 'gi');
// Words that no form knows (`5 Uhr`), but with a zone behind them as only the client prints it.
const ZONED_WORDS = /\d[^·∙•|()]{0,30}?(?= ?\((?:UTC|GMT|[a-z]+\/[\w/+ -]{2,40})\))/iy;
const VAGUE = /(?:soon|shortly|later)\b/iy;
// A zone stands in brackets, or bare: `UTC`, `EST`, `America/New_York`. `(429)` is a status, not a zone.
const BRACKETED_ZONE = /^ ?\(([a-z][\w/+:. -]{0,40})\)/i;
const BARE_ZONE =
  /^ ?((?:UTC|GMT)(?:[+-]\d{1,2}(?::?\d{2})?)?(?!\w)|Z\b|(?:[ECMP][SD]T|AK[SD]T|HST|CES?T|EES?T|WES?T|[BIJK]ST|A[EC][SD]T)\b|[A-Z][A-Za-z]+\/[A-Za-z_]+(?:\/[A-Za-z_]+)?\b)/;

/** Every reset that the head of `text` states, in order. Knows forms only: a clause may well be unreadable. */
export function resetClausesOf(text: string): readonly ResetClause[] {
  return resetClausesBehind(headOf(text), 0);
}

/** The resets that `head` states behind the offset `from`: past its name, a limit cannot lend it to a reset. */
export function resetClausesBehind(head: string, from: number): readonly ResetClause[] {
  const clauses: ResetClause[] = [];
  const epoch = EPOCH.exec(head);
  const pipe = epoch === null ? -1 : epoch.index + epoch[0].indexOf('|');
  if (epoch !== null && pipe >= from) {
    const end = epoch.index + epoch[0].length;
    clauses.push({ owner: null, words: epoch[1] ?? '', zone: null, index: pipe, end });
  }
  const behind = head.slice(from);
  LEAD.lastIndex = 0;
  for (let match = LEAD.exec(behind); match !== null; match = LEAD.exec(behind)) {
    const told = whenToldAt(behind, match.index + match[0].length);
    if (told === null) {
      LEAD.lastIndex = match.index + 1;
      continue;
    }
    LEAD.lastIndex = told.end;
    // `try again in a moment` leads to no time at all.
    if (hasOnlyParticles(told.words)) continue;
    const index = from + match.index;
    const end = index + withoutTail(behind.slice(match.index, told.end)).length;
    const next = head.slice(end, end + 60);
    const zone = BRACKETED_ZONE.exec(next) ?? BARE_ZONE.exec(next);
    clauses.push({
      owner: match[1] === undefined ? null : ownerOf(match[1]),
      words: withoutTail(told.words),
      zone: zone?.[1] ?? null,
      index,
      end: end + (zone?.[0].length ?? 0),
    });
  }
  return clauses;
}

/** What stands behind a lead at `at`, and where it ends: words about a time, or a vague one, which are none; else null. */
function whenToldAt(text: string, at: number): { words: string; end: number } | null {
  const from = text[at] === ' ' ? at + 1 : at;
  const zoned = endAt(ZONED_WORDS, text, from);
  const end = zoned ?? timeWordsEnd(text, from);
  if (end !== null) return { words: text.slice(from, end), end };
  const vague = endAt(VAGUE, text, from);
  return vague === null ? null : { words: '', end: vague };
}

const withoutTail = (words: string): string => words.replace(/[ ,]+$/, '');

function ownerOf(name: string): LimitKind | null {
  const words = name.toLowerCase();
  if (/\b(?:session|5-hour|five-hour)\b/.test(words)) return 'session';
  const model = /\b(opus|sonnet|fable)\b/.exec(words)?.[1];
  if (model === 'opus' || model === 'sonnet' || model === 'fable') return model;
  return /\b(?:weekly|7-day|seven-day)\b/.test(words) ? 'weekly' : null;
}

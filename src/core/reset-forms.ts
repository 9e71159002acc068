// Finds where a message states when its limit lifts, and in which words; says nothing about what the words mean.
import { headOf } from './message-head.ts';
import type { LimitKind } from './session.ts';

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

const MONTHS =
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?';
const DAYS =
  'mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:r(?:s(?:day)?)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?';
const UNITS = 'd|days?|h|hrs?|hours?|m|mins?|minutes?|s|secs?|seconds?|w|weeks?';
const TOKEN = [
  // ISO dates and instants, `2026-08-09 00:00` included.
  String.raw`\d{4}-\d{2}-\d{2}(?:[T ]\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)?(?:z\b|[+-]\d{2}:?\d{2}\b)?`,
  String.raw`\d{1,2}/\d{1,2}(?:/\d{2,4})?\b`,
  // Clocks, the impossible ones too: `3pm`, `3:45 p.m.`, `18:00`, `13am`.
  String.raw`\d{1,2}(?::\d{2}){0,2} ?[ap]\.?m\b\.?`,
  String.raw`\d{1,2}(?::\d{2}){1,2}(?![\w:])`,
  String.raw`\d{1,4}(?:\.\d{1,2})? ?(?:${UNITS})\b`,
  String.raw`an? (?:day|hour|minute|week)\b`,
  String.raw`(?:${MONTHS})\b\.?`,
  String.raw`(?:${DAYS})\b\.?`,
  String.raw`\d{1,2}(?:st|nd|rd|th)\b`,
  String.raw`\d{9,13}(?!\d)`,
  String.raw`\d{1,4}(?![\w:%])`,
  String.raw`(?:today|tonight|tomorrow|noon|midnight|next|this|at|on|in|after|about|around|approximately|and)\b`,
  '~',
].join('|');
const TIME_WORDS = `(?:(?:${TOKEN}),? ?){1,14}`;
const VAGUE = String.raw`(?:soon|shortly|later)\b`;
// Words that no token knows (`5 Uhr`), but with a zone behind them as only the client prints it.
const ZONED_WORDS = String.raw`\d[^·∙•|()]{0,30}?(?= ?\((?:UTC|GMT|[a-z]+/[\w/+ -]{2,40})\))`;
const CLAUSE = new RegExp(
  String.raw`(?<![\w-])(?:${LEADS}) ?(?:(${ZONED_WORDS})|(${TIME_WORDS})|${VAGUE})`,
  'gi',
);
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
  for (const match of head.slice(from).matchAll(CLAUSE)) {
    const [whole, owner, zoned, words] = match;
    // `try again in a moment` leads to no time at all.
    if (
      words !== undefined &&
      /^(?:(?:next|this|at|on|in|after|about|around|and)\b[ ,]*)+$/i.test(words)
    )
      continue;
    const index = from + match.index;
    const end = index + withoutTail(whole).length;
    const behind = head.slice(end, end + 60);
    const zone = BRACKETED_ZONE.exec(behind) ?? BARE_ZONE.exec(behind);
    clauses.push({
      owner: owner === undefined ? null : ownerOf(owner),
      words: withoutTail(zoned ?? words ?? ''),
      zone: zone?.[1] ?? null,
      index,
      end: end + (zone?.[0].length ?? 0),
    });
  }
  return clauses;
}

const withoutTail = (words: string): string => words.replace(/[ ,]+$/, '');

function ownerOf(name: string): LimitKind | null {
  const words = name.toLowerCase();
  if (/\b(?:session|5-hour|five-hour)\b/.test(words)) return 'session';
  const model = /\b(opus|sonnet|fable)\b/.exec(words)?.[1];
  if (model === 'opus' || model === 'sonnet' || model === 'fable') return model;
  return /\b(?:weekly|7-day|seven-day)\b/.test(words) ? 'weekly' : null;
}

// The forms in which the client says that a usage or spend limit was met; only the head counts, prose behind it does not pass.
import { pattern } from './pattern.ts';
import { type ResetClause, resetClausesBehind } from './reset-forms.ts';
import type { LimitKind } from './session.ts';

/**
 * What a limit message says. `limit`: waiting helps. `budget`: a person has to pay or allow. `throttle`: a rate
 * limit, no usage limit. `too_large`: a context or output limit. `in_flight`: the client continues by itself.
 * `note`: work goes on. `human`: a question stands open.
 */
export type LimitForm =
  | { readonly kind: 'limit'; readonly limit: LimitKind; readonly statesReset: boolean }
  | { readonly kind: 'budget' | 'throttle' | 'too_large' | 'in_flight' | 'note' | 'human' };

// "You've hit your org's monthly spend limit", "You've reached your Fable 5 limit", "you have reached your weekly usage limit"
const YOU_HIT =
  /^you(?:'ve| have|ve) (?:just |already |now )?(?:hit|reached|exceeded|exhausted|maxed out|used up) (?:your|the|our) ([\w.' -]{0,60}?)(?:limits?|budget|allowance|quota|cap)(?![\w'-])/i;
// "Claude AI usage limit reached", "5-hour limit reached", "Your usage limit has been reached", "spend limit reached"
const IS_REACHED =
  /^(?:your )?([\w.' -]{0,50}?)(?:limits?|budget|quota) (?:has been |have been |was |is )?(?:reached|hit|exceeded|exhausted)(?![\w'-])/i;
// "You're out of extra usage", "Out of usage credits", "Your org is out of usage"
const OUT_OF =
  /^(?:you(?:'re| are) )?out of ((?:extra )?usage(?: credits?)?|credits?)(?![\w'-])|^your ([\w-]{2,20}) is out of (?:extra )?(?:usage(?: credits?)?|credits?)(?![\w'-])/i;

const CONTINUES =
  /\b(?:continu\w+|resum\w+|retry\w*) (?:automatically|shortly|now\b|when it)|\bwrapping up\b/i;
const UNANSWERED = /\bwent unanswered\b|\banswer it where\b/i;
const GOES_ON =
  /\b(?:now using|switch(?:ed|ing) to|falling back|fell back|continuing (?:with|on)|using (?:extra usage|usage credits))\b/i;
const NEEDS_PLAN = /^\W*check (?:your )?plan\b/i;
const NEEDS_ADMIN =
  /\b(?:admin(?:istrator)?|owner)\b|\b(?:add|buy|purchase|raise|increase) \w|\/usage-credits|\/extra-usage|\busage credits?\b/i;

// What the client and its users' tools print behind a limit. A message goes on with one of these or is prose.
const ADVICE = pattern(
  `^(?:${[
    String.raw`\/[a-z][a-z-]+\b`,
    String.raw`(?:or )?(?:please )?(?:run|use|try|type|see|visit|go to|open) (?:\/[a-z]|https?:|claude(?:\.ai)?\b|usage\b|--\w)`,
    '(?:or )?(?:please )?(?:try again|wait)(?: later| until| for| and|[.…]|$| at| in| on| after)',
    '(?:or )?(?:please )?(?:upgrade (?:to|your)|switch (?:to|models?\\b)|contact (?:your|an|support)|ask your|raise (?:it|the)|add funds|buy more|get more|turn on|manage |learn more|consider upgrading)',
    'an? (?:org|workspace|team) (?:owner|admin)',
    'out of (?:extra )?usage|progress saved|https?:|claude\\.ai|for help\\b|what do you want to do',
    'check (?:your )?plan\\b',
    "your [\\w' -]{1,30} limit (?:will )?resets? ",
    String.raw`\(?\d{3}\)(?=[\s.…]*(?:$|[·∙•|]))`,
  ].join('|')})`,
  'i',
);
const SEPARATORS = /^[\s.,;:!…·∙•|()–—*-]*/;
const LEAD_IN =
  /^(?:(?:daily|weekly|monthly|hourly|yearly)[;,:]? )?(?:(?:it|your (?:limit|usage|access)|you) )?$/i;

/** The limit that `head` (see `headOf`) is about; null when it is in none of the forms. */
export function limitFormOf(head: string): LimitForm | null {
  const outOf = OUT_OF.exec(head);
  if (outOf !== null) {
    const name = outOf[1]?.toLowerCase() ?? '';
    const limit = name === '' ? 'org' : name === 'extra usage' ? 'extra_usage' : 'credits';
    return judge(head, outOf[0].length, { limit, needsReset: true });
  }
  const hit = YOU_HIT.exec(head);
  const reached = hit ?? IS_REACHED.exec(head);
  if (reached === null) return null;
  const named = limitNamed(reached[1] ?? '', hit !== null, /[a-z]/.test(head));
  if (named === null) return null;
  const model = FOR_MODEL.exec(head.slice(reached[0].length));
  const end = reached[0].length + (model?.[0].length ?? 0);
  if (typeof named !== 'string') return judge(head, end, modelNamed(model?.[1]) ?? named);
  const form = judge(head, end, { limit: 'untyped', needsReset: false });
  const isTimed = form?.kind === 'limit' && form.statesReset && named === 'throttle';
  return form === null || isTimed ? form : { kind: named };
}

interface Named {
  readonly limit: LimitKind;
  /** Without a stated reset it is a matter of money: reports of model and spend limits where waiting did not help. */
  readonly needsReset: boolean;
}

const MODEL = /^(?:claude )?(opus|sonnet|fable|haiku|mythos)(?: \d[\d.]*)?$/;
// "Usage limit reached for Opus 4"
const FOR_MODEL = /^ for (?:claude )?(opus|sonnet|haiku|fable|mythos)(?: [\d.]+)?(?![\w'-])/i;
// `org's monthly spend`, `team's shared`, `usage credit`, `specified API`, whole: any words can stand before "spend".
const MONEY =
  /^(?:[\w-]{2,20}'s )?(?:(?:daily|weekly|monthly|hourly|individual|personal) )?(spend|spending|shared|pooled(?: group)?|specified api|extra|(?:usage )?credits?)$/;
// Names that look like a model's but are other limits; work goes on, or waiting does not lift them.
const NO_MODEL =
  /\b(?:fast|sub-?agents?|agents?|turns?|tools?|tool-use|files?|uploads?|images?|pdf|requests?|concurren\w+|connections?|time|size|length|line|search|web|mcp|retry|memory|disk|thread|task|test|login|password|character|word|speed|age|depth|message|storage|cache)\b/;

function limitNamed(
  printed: string,
  isYours: boolean,
  hasCase: boolean,
): Named | 'throttle' | 'too_large' | 'note' | null {
  const name = printed
    .trim()
    .replace(/^claude(?: (?:ai|code|max|pro|team|enterprise|free))*(?= |$)/i, '')
    .replace(/\busage\b(?! credits?)/gi, '')
    .replace(/ +/g, ' ')
    .trim();
  const words = name.toLowerCase();
  if (/\bfast\b/.test(words)) return 'note';
  if (/\b(?:context|token|output|window)\b/.test(words)) return 'too_large';
  if (words === '') return { limit: 'untyped', needsReset: false };
  if (words === 'rate') return 'throttle';
  const money = MONEY.exec(words)?.[1];
  if (money !== undefined) return { limit: moneyNamed(money), needsReset: true };
  if (/^(?:[\w-]{2,20}'s(?: (?:daily|weekly|monthly))?|individual|monthly)$/.test(words)) {
    return { limit: 'org', needsReset: true };
  }
  if (/^(?:session|5-? ?hour|five-hour|5h)(?: session)?$/.test(words)) {
    return { limit: 'session', needsReset: false };
  }
  if (/^(?:weekly|7-day|seven-day)(?: \(?all models\)?)?$/.test(words)) {
    return { limit: 'weekly', needsReset: false };
  }
  if (/^(?:daily|hourly|\d{1,2}-hour|\d{1,2}-day|plan|account|subscription|api)$/.test(words)) {
    return { limit: 'untyped', needsReset: false };
  }
  const model = modelNamed(
    MODEL.exec(words.replace(/^(?:weekly|daily) | (?:weekly|daily)$/g, ''))?.[1],
  );
  if (model !== null) return model;
  if (NO_MODEL.test(words)) return null;
  // A model that is not known yet: `[A-Z][\w. ]*` behind "your", with a number where any word could begin the line.
  const isNamed = /^[A-Z][\w.]*(?: [\w.]+){0,2}$/.test(name) && hasCase;
  return isNamed && (isYours || /\d/.test(name)) ? { limit: 'untyped', needsReset: true } : null;
}

const moneyNamed = (name: string): LimitKind =>
  name.startsWith('extra') ? 'extra_usage' : name.includes('credit') ? 'credits' : 'spend';

function modelNamed(model: string | undefined): Named | null {
  if (model === undefined) return null;
  const name = model.toLowerCase();
  const isCounted = name === 'opus' || name === 'sonnet' || name === 'fable';
  return { limit: isCounted ? name : 'untyped', needsReset: true };
}

/**
 * What stands behind the name of the limit, from `end` on: a reset, advice, the end; or prose: null. A money limit with
 * a stated reset lifts at it, and counts as the limit whose reset stands beside it.
 */
function judge(head: string, end: number, named: Named): LimitForm | null {
  const rest = head.slice(end);
  if (UNANSWERED.test(rest)) return { kind: 'human' };
  if (CONTINUES.test(rest)) return { kind: 'in_flight' };
  const clauses = resetClausesBehind(head, end);
  if (!isContinuation(head, end, clauses)) return null;
  if (GOES_ON.test(rest)) return { kind: 'note' };
  if (NEEDS_PLAN.test(rest)) return { kind: 'budget' };
  const beside = named.needsReset ? clauses.find((clause) => clause.owner !== null) : undefined;
  const limit = beside?.owner ?? named.limit;
  if (clauses.length > 0) {
    const isUsable = !named.needsReset || clauses.some((clause) => clause.words !== '');
    return isUsable ? { kind: 'limit', limit, statesReset: true } : { kind: 'budget' };
  }
  const needsPerson = named.needsReset || (named.limit === 'untyped' && NEEDS_ADMIN.test(rest));
  return needsPerson ? { kind: 'budget' } : { kind: 'limit', limit, statesReset: false };
}

function isContinuation(head: string, end: number, clauses: readonly ResetClause[]): boolean {
  const rest = head.slice(end);
  const gap = SEPARATORS.exec(rest)?.[0] ?? '';
  const behind = rest.slice(gap.length);
  if (behind === '') return true;
  if (!clauses.every((clause) => endsWell(head.slice(clause.end)))) return false;
  const [first] = clauses;
  const between = head.slice(end + gap.length, first?.index ?? head.length);
  if (first !== undefined && LEAD_IN.test(between)) return true;
  // Without a break between, "You've hit your session limit handler" is prose; a wrapped line has only a space.
  return ADVICE.test(behind);
}

/** Behind a whole reset the client's own dot, a new command or the end may follow, and anything behind those. */
function endsWell(rest: string): boolean {
  if (/^[\s.,;:!)\]*…]*(?:$|[·∙•|])/.test(rest)) return true;
  return ADVICE.test(rest.slice(SEPARATORS.exec(rest)?.[0].length ?? 0));
}

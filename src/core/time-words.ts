// How far the words about a time go on (`Dec 18 at 5am`, `in 3d 2h`), word by word; what they mean is read elsewhere.

// In this order: what is longer comes first.
const NUMBERS: readonly RegExp[] = [
  // ISO dates and instants, `2026-08-09 00:00` included.
  /\d{4}-\d{2}-\d{2}(?:[T ]\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)?(?:z\b|[+-]\d{2}:?\d{2}\b)?/iy,
  /\d{1,2}\/\d{1,2}(?:\/\d{2,4})?\b/iy,
  // Clocks, the impossible ones too: `3pm`, `3:45 p.m.`, `18:00`, `13am`.
  /\d{1,2}(?::\d{2}){0,2} ?[ap]\.?m\b\.?/iy,
  /\d{1,2}(?::\d{2}){1,2}(?![\w:])/y,
  /\d{1,4}(?:\.\d{1,2})? ?(?:d|days?|h|hrs?|hours?|m|mins?|minutes?|s|secs?|seconds?|w|weeks?)\b/iy,
  /\d{1,2}(?:st|nd|rd|th)\b/iy,
  /\d{9,13}(?!\d)/y,
  /\d{1,4}(?![\w:%])/y,
];
const ONE = /an? (?:day|hour|minute|week)\b/iy;
const WORD = /[a-z]+(?!\w)/iy;
const GAP = /,? ?/y;

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.split(' '));
/** A full stop may stand behind them. */
const NAMES = wordsOf(
  'jan january feb february mar march apr april may jun june jul july aug august sep sept september oct october nov ' +
    'november dec december mon monday tue tues tuesday wed wednesday thu thur thurs thursday fri friday sat saturday ' +
    'sun sunday',
);
const PARTICLES = wordsOf('next this at on in after about around and');
const DAYTIMES = wordsOf('today tonight tomorrow noon midnight approximately');
const MAX_WORDS = 14;

/** The end of what a sticky pattern matches at `at`; null when it does not. */
export function endAt(sticky: RegExp, text: string, at: number): number | null {
  sticky.lastIndex = at;
  return sticky.test(text) ? sticky.lastIndex : null;
}

/** Where the words about a time that begin at `from` end, the gap behind the last one included; null: there are none. */
export function timeWordsEnd(text: string, from: number): number | null {
  let end = from;
  for (let count = 0; count < MAX_WORDS; count += 1) {
    const next = wordEnd(text, end);
    if (next === null) break;
    end = endAt(GAP, text, next) ?? next;
  }
  return end === from ? null : end;
}

function wordEnd(text: string, at: number): number | null {
  const first = text[at] ?? '';
  if (first === '~') return at + 1;
  if (first >= '0' && first <= '9') {
    for (const form of NUMBERS) {
      const end = endAt(form, text, at);
      if (end !== null) return end;
    }
    return null;
  }
  const one = endAt(ONE, text, at);
  if (one !== null) return one;
  const end = endAt(WORD, text, at);
  if (end === null) return null;
  const word = text.slice(at, end).toLowerCase();
  if (NAMES.has(word)) return text[end] === '.' ? end + 1 : end;
  return PARTICLES.has(word) || DAYTIMES.has(word) ? end : null;
}

/** Whether the words are but `in`, `at`, `about` …: they lead to no time. */
export const hasOnlyParticles = (words: string): boolean =>
  words !== '' &&
  words.split(/[ ,]+/).every((word) => word === '' || PARTICLES.has(word.toLowerCase()));

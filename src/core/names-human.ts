// Whether a text names a person who has to act: an approval, an answer, a decision. It wins over a limit named beside it.
import { type Pattern, pattern } from './pattern.ts';

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.split(' '));

// `waiting for`, `blocked on`, with a person or a person's word behind it.
const WAITS =
  /\b(?:a?waiting|waits?|await|blocked|paused|parked|pending|holding)(?: (?:for|on))? /gi;
// Not `your usage limit`.
const YOU = /^(?:you\b|your (?!usage|limit|session|weekly|plan|quota|credits))/i;
const NOUN = /^(?:(?:the|an?|further|more) )?([a-z]+(?!\w)(?:-[a-z]+(?!\w))?)/i;
const NOUNS = wordsOf(
  'user human person operator maintainer owner reviewer approval review permission confirmation input answer reply ' +
    'decision direction guidance feedback go-ahead sign-off signoff instruction instructions clarification',
);

const WHAT =
  '(?:input|approval|permission|decision|direction|confirmation|review|answer|attention|guidance|help|go-ahead|intervention|sign-?off|choice|call|feedback|clarification)';
// Not `ask your admin`, `esc or type to cancel`, `/login to switch`: advice that stands beside every limit.
const FORMS: readonly Pattern[] = [
  String.raw`\b(?:needs?|requires?|want) (?:your|the user's|user|human|a human|manual|operator)`,
  String.raw`\b(?:your|user|human) ${WHAT}\b`,
  String.raw`\b${WHAT} (?:is |are )?(?:needed|required)\b|\bneeds input\b|\binput needed\b`,
  String.raw`\b(?:permission prompt|sandbox request|worker request|dialog open|goal proposal)\b`,
  String.raw`\b(?:should|shall|may) I\b|\b(?:do|would) you (?:want|like|prefer)\b|\bwant me to\b|\blet me know\b`,
  String.raw`\bplease (?:confirm|approve|decide|choose|pick|advise|answer|review|clarify)\b|\bup to you\b|\bneed you to\b`,
  String.raw`\bwhat do you want\b|\bwhich (?:one|option|of these|approach)\b.{0,80}\?|\bwent unanswered\b|\banswer it where\b`,
].map((form) => pattern(form, 'i'));

/** Looks at the whole of `head` (see `headOf`), not only at its beginning. */
export const saysHuman = (head: string): boolean =>
  waitsForHuman(head) || FORMS.some((form) => form.test(head));

function waitsForHuman(head: string): boolean {
  for (const match of head.matchAll(WAITS)) {
    const behind = head.slice(match.index + match[0].length, match.index + match[0].length + 60);
    if (YOU.test(behind)) return true;
    const noun = NOUN.exec(behind)?.[1]?.toLowerCase() ?? '';
    // `user-facing` begins with a person too.
    if (NOUNS.has(noun) || NOUNS.has(noun.split('-')[0] ?? '')) return true;
  }
  return false;
}

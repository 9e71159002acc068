// `explain SESSION` for a terminal and as JSON: rule by rule, then the decision and what would change it.
import { cleanLine } from '../core/clean-text.ts';
import type { RuleAnswer, RuleName, Verdict } from '../core/decide.ts';
import { label } from '../core/reason.ts';
import { type Clock, type Explanation, evidenceOf } from '../watchdog/explain.ts';
import { type StatusReport, statusOf } from '../watchdog/status.ts';
import { clockAndDistance, clockIn, lineIn, wrapped } from './columns.ts';
import { nextText, sessionsJson } from './status-text.ts';
import type { TableStyle } from './table.ts';

const INDENT = ' '.repeat(11);

/** The explanation, ended by a line break. */
export function explainText(explanation: Explanation, { zone, width }: TableStyle): string {
  const { now, decision, rules } = explanation;
  const clock: Clock = (at) => clockIn(at, zone);
  const far: Clock = (at) => clockAndDistance(at, now, zone);
  const session = statusOf(explanation);
  const name = decision.name === null ? '' : `"${cleanLine(decision.name, 60)}"`;
  const title = [decision.jobId, name, decision.cwd ?? ''].filter(Boolean).join(' ');
  const state = session.state === null ? 'its state cannot be read' : `state ${session.state}`;
  const listed = explanation.isListingRead ? '' : '; settled from files, the client was not asked';
  return `${[
    ...paragraph(title, width),
    ...paragraph(`${state}${listed}`, width),
    '',
    ...rules.flatMap((answer) => linesOf(answer, explanation, { clock, width })),
    '',
    ...paragraph(`decision: ${nextText(session, far)}${ruleText(decision.rule)}`, width),
    ...paragraph(`to change it: ${adviceOf(explanation, far)}`, width),
  ].join('\n')}\n`;
}

const paragraph = (text: string, width: number): string[] => wrapped(cleanLine(text, 400), width);

const ruleText = (rule: RuleName | null): string =>
  rule === null ? ' (no rule keeps it back)' : ` (rule ${rule})`;

/** The rule and its answer, and below them what it saw. */
function linesOf(
  { rule, verdict }: RuleAnswer,
  { situation }: Explanation,
  { clock, width }: { clock: Clock; width: number },
): string[] {
  const evidence = evidenceOf(rule, situation, clock) ?? 'its job cannot be read';
  return [
    lineIn(rule.padEnd(INDENT.length) + answerText(verdict, clock), width),
    ...wrapped(cleanLine(evidence, 400), width - INDENT.length).map((line) => INDENT + line),
  ];
}

function answerText(verdict: Verdict | null, clock: Clock): string {
  if (verdict === null) return 'does not apply';
  const until = verdict.until === null ? '' : ` until ${clock(verdict.until)}`;
  return cleanLine(`${verdict.action}${until}: ${label(verdict.reason)}`, 100);
}

/** What an operator may do about it; not cleaned. */
export function adviceOf({ situation, decision }: Explanation, clock: Clock): string {
  const { action, rule, until, reason } = decision;
  const id = sessionWord(decision.jobId);
  if (action === 'resume' || rule === null) {
    return `nothing keeps it back; \`secondwind hold ${id}\` would`;
  }
  if (rule === 'place') return PLACE_ADVICE.get(reason.code) ?? 'mend what it names';
  if (reason.code === 'unknown') return `see what it says in \`claude agents\`; ${UNKNOWN}`;
  const wait = action === 'wait' && until !== null ? `wait until ${clock(until)}` : null;
  return [wait, ADVICE[rule](id, situation.claim !== null)].filter(Boolean).join(', or ');
}

const UNKNOWN = 'what cannot be read is never resumed';

/** A job id that a shell takes as one word. */
const sessionWord = (jobId: string): string => (/^[\w-]{1,40}$/.test(jobId) ? jobId : 'SESSION');

const PLACE_ADVICE: ReadonlyMap<string, string> = new Map([
  ['executor_lost', 'bring its directory and its transcript back to where they were'],
  ['starter_unavailable', 'log in: run `claude` and `/login`'],
  ['disk_low', 'free some disk, or set `--min-free-disk` lower'],
]);

const ADVICE: Readonly<Record<RuleName, (id: string, isClaimed: boolean) => string>> = {
  kind: () => 'nothing: only background agents of the local supervisor are resumed',
  succeeded: (_, isClaimed) =>
    isClaimed
      ? 'the next tick settles the open claim'
      : 'nothing: the conversation goes on elsewhere, and is never resumed twice',
  hold: (id) => `release it with \`secondwind release ${id}\` (\`--all\` where all are held)`,
  human: () => 'answer it in `claude agents`',
  state: () => 'nothing needs it; go on with it in `claude agents`',
  cause: () => 'do what its message asks for, then go on with it in `claude agents`',
  moved_on: () => 'nothing: it went on after its stop',
  reset: (id) => `\`secondwind resume-now ${id}\``,
  policy: (id) => `change \`--on\` or \`--only\`, or \`secondwind resume-now ${id}\``,
  alive: () => 'end its process or answer it in `claude agents`; `--live` says what happens to it',
  old: (id) => `raise \`--max-age\`, or \`secondwind resume-now ${id}\``,
  place: () => 'mend what it names',
  attempts: (id) => `give it another chance with \`secondwind forget ${id}\``,
  budget: () => 'raise `--max-per-day` or `--max-per-run`',
};

/** An explanation → its JSON value. */
export function explainJson(explanation: Explanation): Record<string, unknown> {
  const { now, home, situation, rules, isListingRead } = explanation;
  const utc: Clock = (at) => new Date(at).toISOString();
  const report: StatusReport = { now, home, sessions: [statusOf(explanation)] };
  return {
    version: 1,
    now: utc(now),
    home,
    decision: sessionsJson(report)[0],
    listing_read: isListingRead,
    rules: rules.map(({ rule, verdict }) => {
      const evidence = evidenceOf(rule, situation, utc);
      return {
        rule,
        evidence: evidence === null ? null : cleanLine(evidence, 400),
        answer: verdict === null ? null : answerJson(verdict, utc),
      };
    }),
    advice: cleanLine(adviceOf(explanation, utc), 400),
  };
}

const answerJson = ({ action, until, reason }: Verdict, utc: Clock): Record<string, unknown> => ({
  action,
  until: until === null ? null : utc(until),
  reason: { ...reason, detail: cleanLine(reason.detail, 300) },
});

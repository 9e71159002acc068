// `status` for a terminal and as JSON: every session, why it stopped, when that lifts, what happens next.
import { cleanLine } from '../core/clean-text.ts';
import { label } from '../core/reason.ts';
import { NOBODY } from '../resume/scan.ts';
import type { AttemptsSoFar, SessionStatus, StatusReport } from '../watchdog/status.ts';
import type { TickReport } from '../watchdog/tick.ts';
import { alignedLines, clockAndDistance, clockIn, lineIn, withoutEmpty } from './columns.ts';
import { jsonOf } from './json.ts';
import { summaryOf } from './summary.ts';
import type { TableStyle } from './table.ts';

const HEAD = ['SESSION', 'NAME', 'STATE', 'LIFTS', 'NEXT', 'TRIED', 'WHY'] as const;
const ORDER = { resume: 0, wait: 1, skip: 2 } as const;

/** The table, ended by a line break. */
export function statusText(report: StatusReport, { zone, width }: TableStyle): string {
  const rows = [...report.sessions].sort(inOrder).map((session) => rowOf(session, report, zone));
  const body =
    rows.length === 0
      ? ['no background sessions']
      : alignedLines(...withoutEmpty(HEAD, rows), width);
  const { resumed, waiting, skipped } = summaryOf(asDryTick(report));
  const total = `at the next tick ${resumed}, waiting ${waiting}, left ${skipped}`;
  return `${[...body, '', lineIn(total, width)].join('\n')}\n`;
}

/** What goes on first stands first; of those that wait, the one that waits for the shortest. */
function inOrder(a: SessionStatus, b: SessionStatus): number {
  const byAction = ORDER[a.decision.action] - ORDER[b.decision.action];
  // Two that nobody can date would differ by NaN.
  return byAction || (a.next.at ?? Number.MAX_VALUE) - (b.next.at ?? Number.MAX_VALUE);
}

function rowOf(session: SessionStatus, { now }: StatusReport, zone: string): string[] {
  const { decision, state, stopped, liftsAt } = session;
  return [
    cleanLine(decision.jobId, 20),
    cleanLine(decision.name ?? '', 24),
    state === null ? 'unreadable' : cleanLine(state, 12),
    liftsAt === null ? '' : clockAndDistance(liftsAt, now, zone),
    cleanLine(
      nextText(session, (at) => clockIn(at, zone)),
      40,
    ),
    triedText(session.attempts),
    cleanLine(stopped?.why ?? '', 120),
  ];
}

/** What happens next, in a few words; not cleaned. */
export function nextText({ next, decision }: SessionStatus, clock: (at: number) => string): string {
  switch (next.kind) {
    case 'resume':
      return next.at === null ? 'resume at the next tick' : `resume at ${clock(next.at)}`;
    case 'wait':
      return next.at === null
        ? `waits: ${label(decision.reason)}`
        : `waits until ${clock(next.at)}`;
    case 'left':
      return `left: ${label(decision.reason)}`;
  }
}

function triedText({ spent, last }: AttemptsSoFar): string {
  if (last === null) return '';
  const outcome = last.outcome.replace('_', ' ');
  return spent > 0 ? `${spent}, ${outcome}` : `before: ${outcome}`;
}

/** A report → its JSON value: that of a dry tick, and more about each session. */
export function statusJson(report: StatusReport): Record<string, unknown> {
  return { ...jsonOf(asDryTick(report)), decisions: sessionsJson(report) };
}

/** Each session: the keys of a tick's decision, and what is known besides. */
export function sessionsJson(report: StatusReport): Record<string, unknown>[] {
  const decisions = jsonOf(asDryTick(report))['decisions'] as Record<string, unknown>[];
  return report.sessions.map((session, index) => ({
    ...decisions[index],
    id: cleanLine(session.decision.jobId, 40),
    state: session.state === null ? null : cleanLine(session.state, 40),
    stopped_at: iso(session.stopped?.at ?? null),
    stopped_by: session.stopped?.why == null ? null : cleanLine(session.stopped.why, 300),
    lifts_at: iso(session.liftsAt),
    next: { what: session.next.kind, at: iso(session.next.at) },
    attempts: attemptsJson(session.attempts),
  }));
}

const iso = (instant: number | null): string | null =>
  instant === null ? null : new Date(instant).toISOString();

function attemptsJson({ spent, givenBack, last }: AttemptsSoFar): Record<string, unknown> {
  const message = cleanLine(last?.message ?? '', 300);
  return {
    spent,
    given_back: givenBack,
    last:
      last === null
        ? null
        : { at: iso(Date.parse(last.at)), outcome: last.outcome, message, progress: last.progress },
  };
}

const asDryTick = ({ now, home, sessions }: StatusReport): TickReport => ({
  now,
  home,
  isDryRun: true,
  sessions: sessions.map(({ decision }) => ({ decision, outcome: null, isNew: false })),
  unnamed: NOBODY,
  notices: [],
  failure: null,
});

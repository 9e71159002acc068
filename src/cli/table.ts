// The table of a tick for a terminal: what came back, what waits and until when, what stays parked and why.
import { cleanLine } from '../core/clean-text.ts';
import { formatDuration } from '../core/duration.ts';
import { label } from '../core/reason.ts';
import type { DecidedSession, TickReport } from '../watchdog/tick.ts';
import { alignedLines, clockIn, lineIn } from './columns.ts';
import { summaryOf } from './summary.ts';

export interface TableStyle {
  /** IANA zone of the clocks. */
  readonly zone: string;
  /** Columns of the terminal. */
  readonly width: number;
}

const HEAD = ['SESSION', 'NAME', 'WHAT', 'WHEN', 'WHY'] as const;
const ORDER = { resume: 0, wait: 1, skip: 2 } as const;

/** The table, ended by a line break. */
export function tableOf(report: TickReport, { zone, width }: TableStyle): string {
  const rows = [...report.sessions]
    .sort((a, b) => ORDER[a.decision.action] - ORDER[b.decision.action])
    .map((session) => rowOf(session, report, zone));
  const { resumed, waiting, skipped, failures } = summaryOf(report);
  const total = `${report.isDryRun ? 'would resume' : 'resumed'} ${resumed}, waiting ${waiting}, parked ${skipped}${failures > 0 ? `, failed ${failures}` : ''}`;
  const body = rows.length === 0 ? ['no background sessions'] : alignedLines(HEAD, rows, width);
  const notices = report.notices.map((notice) => lineIn(`note: ${cleanLine(notice, 200)}`, width));
  return `${[...body, ...notices, '', total].join('\n')}\n`;
}

function rowOf(session: DecidedSession, report: TickReport, zone: string): string[] {
  const { decision, outcome } = session;
  return [
    cleanLine(decision.jobId, 20),
    cleanLine(decision.name ?? '', 24),
    wordOf(session, report.isDryRun),
    decision.action === 'wait' && outcome === null ? whenOf(decision.until, report.now, zone) : '',
    cleanLine(
      outcome?.message ? `${label(decision.reason)}; ${outcome.message}` : label(decision.reason),
      160,
    ),
  ];
}

function wordOf({ decision, outcome }: DecidedSession, isDryRun: boolean): string {
  if (outcome !== null) return outcome.result.replace('_', ' ');
  if (decision.action === 'resume') return isDryRun ? 'would resume' : 'left alone';
  return decision.action === 'wait' ? 'waits' : 'parked';
}

function whenOf(until: number | null, now: number, zone: string): string {
  if (until === null) return 'next tick';
  const minutes = Math.max(0, Math.ceil((until - now) / 60_000));
  return `${clockIn(until, zone)} (in ${formatDuration(minutes * 60_000)})`;
}

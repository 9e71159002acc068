// The text of a tick for a log: one line for the tick, one for each session that changed.
import { cleanLine } from '../core/clean-text.ts';
import { label, summary } from '../core/reason.ts';
import type { DecidedSession, TickReport } from '../watchdog/tick.ts';
import { summaryOf } from './summary.ts';

export interface LogStyle {
  /** IANA zone of the clocks in session lines; the tick's own instant is UTC. */
  readonly zone: () => string;
  readonly isQuiet: boolean;
}

/** Lines, each ended by a line break; empty when quiet and nothing changed. */
export function logOf(report: TickReport, { zone, isQuiet }: LogStyle): string {
  const { resumed, waiting, skipped, failures, nextResetAt } = summaryOf(report);
  const changed = report.sessions.filter(
    (session) =>
      session.outcome !== null ||
      session.isNew ||
      (report.isDryRun && session.decision.action === 'resume'),
  );
  if (isQuiet && changed.length === 0 && report.notices.length === 0) return '';
  const next = nextResetAt === null ? '' : ` (next ${new Date(nextResetAt).toISOString()})`;
  const parts = [
    `${report.isDryRun ? 'would resume' : 'resumed'} ${resumed}`,
    `waiting ${waiting}${next}`,
    `parked ${skipped}`,
    ...(failures > 0 ? [`failed ${failures}`] : []),
  ];
  const at = new Date(report.now).toISOString().replace(/\.\d+Z$/, 'Z');
  const lines = [
    `${at} ${parts.join(', ')}`,
    ...changed.map((session) => `  ${lineOf(session, zone(), report.now)}`),
    ...report.notices.map((notice) => `  note: ${cleanLine(notice, 200)}`),
  ];
  return `${lines.join('\n')}\n`;
}

function lineOf({ decision, outcome }: DecidedSession, zone: string, now: number): string {
  const name = decision.name === null ? '' : ` "${cleanLine(decision.name, 40)}"`;
  const id = cleanLine(decision.jobId, 40);
  if (outcome !== null) {
    const how = cleanLine(outcome.message, 160);
    return `${id}${name}: ${outcome.result}: ${how} (${cleanLine(label(decision.reason), 100)})`;
  }
  return `${id}${name}: ${decision.action}: ${cleanLine(summary(decision.reason, zone, now), 160)}`;
}

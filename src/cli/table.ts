// The table of a tick for a terminal: what came back, what waits and until when, what stays parked and why.
import { cleanLine } from '../core/clean-text.ts';
import { formatDuration } from '../core/duration.ts';
import { label } from '../core/reason.ts';
import type { DecidedSession, TickReport } from '../watchdog/tick.ts';
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
  const widths = HEAD.map((head, column) =>
    Math.max(head.length, ...rows.map((row) => columnsOf(row[column] ?? ''))),
  );
  const padded = (cells: readonly string[]) => {
    const pad = (cell: string, column: number) =>
      cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - columnsOf(cell)));
    return cutTo(cells.map(pad).join('  ').trimEnd(), Math.max(60, width));
  };
  const { resumed, waiting, skipped, failures } = summaryOf(report);
  const total = `${report.isDryRun ? 'would resume' : 'resumed'} ${resumed}, waiting ${waiting}, parked ${skipped}${failures > 0 ? `, failed ${failures}` : ''}`;
  const body = rows.length === 0 ? ['no background sessions'] : [padded(HEAD), ...rows.map(padded)];
  const notices = report.notices.map((notice) =>
    cutTo(`note: ${cleanLine(notice, 200)}`, Math.max(60, width)),
  );
  return `${[...body, ...notices, '', total].join('\n')}\n`;
}

// Scripts of East Asia and emoji take two columns of a terminal.
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60]|\p{Extended_Pictographic}/u;
const columnsOf = (text: string): number =>
  [...text].reduce((sum, character) => sum + (WIDE.test(character) ? 2 : 1), 0);

/** The text cut to so many columns. */
function cutTo(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
  let kept = '';
  let used = 1;
  for (const character of text) {
    used += WIDE.test(character) ? 2 : 1;
    if (used > columns) break;
    kept += character;
  }
  return `${kept}…`;
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
  const parts: Intl.DateTimeFormatOptions = {
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: zone,
  };
  const minutes = Math.max(0, Math.ceil((until - now) / 60_000));
  return `${new Intl.DateTimeFormat('en-US', parts).format(until)} (in ${formatDuration(minutes * 60_000)})`;
}

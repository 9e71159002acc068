// The JSON document of a tick: snake_case keys, instants ISO 8601 UTC, `version` first; keys are only ever added.
import { cleanLine } from '../core/clean-text.ts';
import type { DecidedSession, TickReport } from '../watchdog/tick.ts';
import { summaryOf } from './summary.ts';

const iso = (instant: number | null): string | null =>
  instant === null ? null : new Date(instant).toISOString();
const clean = (text: string | null): string | null => (text === null ? null : cleanLine(text, 300));

/** A report → its JSON value. */
export function jsonOf(report: TickReport): Record<string, unknown> {
  const { resumed, waiting, skipped, failures, nextResetAt } = summaryOf(report);
  return {
    version: 1,
    now: iso(report.now),
    home: report.home,
    dry_run: report.isDryRun,
    decisions: report.sessions.map(decisionOf),
    notices: report.notices.map((notice) => cleanLine(notice, 300)),
    summary: { resumed, waiting, skipped, failed: failures, next_reset_at: iso(nextResetAt) },
  };
}

function decisionOf({ decision, outcome }: DecidedSession): Record<string, unknown> {
  return {
    id: decision.jobId,
    session_id: clean(decision.sessionId),
    name: clean(decision.name),
    cwd: clean(decision.cwd),
    action: decision.action,
    rule: decision.rule,
    until: iso(decision.until),
    reason: { ...decision.reason, detail: cleanLine(decision.reason.detail, 300) },
    outcome: outcome === null ? null : { ...outcome, message: cleanLine(outcome.message, 300) },
  };
}

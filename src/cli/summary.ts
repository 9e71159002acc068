// A tick in five numbers, for the log line, the table's last line and the JSON alike.
import type { TickReport } from '../watchdog/tick.ts';

export interface TickSummary {
  /** Brought back; in a dry run, would be. */
  readonly resumed: number;
  readonly waiting: number;
  readonly skipped: number;
  readonly failures: number;
  /** The earliest instant (epoch ms) that a waiting session waits for. */
  readonly nextResetAt: number | null;
}

export function summaryOf({ sessions, unnamed, isDryRun }: TickReport): TickSummary {
  const count = (test: (session: TickReport['sessions'][number]) => boolean) =>
    sessions.filter(test).length;
  const named = sessions.flatMap(({ decision, outcome }) =>
    decision.action === 'wait' && outcome === null && decision.until !== null
      ? [decision.until]
      : [],
  );
  const waits = unnamed.nextAt === null ? named : [...named, unnamed.nextAt];
  return {
    resumed: count(({ decision, outcome }) =>
      isDryRun
        ? decision.action === 'resume'
        : outcome?.result === 'woken' || outcome?.result === 'copied',
    ),
    waiting:
      unnamed.waiting +
      count(({ decision, outcome }) => decision.action === 'wait' && outcome === null),
    skipped:
      unnamed.skipped +
      count(({ decision, outcome }) => decision.action === 'skip' && outcome === null),
    failures: count(
      ({ outcome }) => outcome?.result === 'failed' || outcome?.result === 'unconfirmed',
    ),
    nextResetAt: waits.length === 0 ? null : Math.min(...waits),
  };
}

// Exit status, the same for every command (design: 0 done, 1 partly failed, 2 usage, 69, 74, 75).
import type { TickFailure, TickReport } from '../watchdog/tick.ts';

export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  unavailable: 69,
  state: 74,
  stuck: 75,
} as const;

/** The status of a tick that ran to its end. */
export function statusOfReport(report: TickReport): number {
  const isBad = report.sessions.some(
    ({ outcome }) => outcome?.result === 'failed' || outcome?.result === 'unconfirmed',
  );
  return isBad ? EXIT.failed : EXIT.done;
}

/** The status of a tick that could not run. */
export function statusOfFailure(failure: TickFailure): number {
  switch (failure.kind) {
    case 'no-home':
      return EXIT.usage;
    case 'client-not-found':
    case 'listing-unreadable':
      return EXIT.unavailable;
    case 'home-unreadable':
    case 'unreadable':
    case 'unwritable':
    case 'broken':
      return EXIT.state;
    case 'lock-stuck':
      return EXIT.stuck;
  }
}

// Evidence of stops of several kinds, and a reader of reset texts that always answers the same.
import { known } from '../../src/core/fact.ts';
import type { History } from '../../src/core/ledger.ts';
import type { ResetQuery } from '../../src/core/reset-time.ts';
import type { JobEvidence, JobState, TranscriptTail } from '../../src/core/session.ts';
import { readStop, type Stop, type StopContext } from '../../src/core/stop.ts';
import { errorRecord, jobEvidence, jobState, MINUTE, NOW, tail } from './situation.ts';

export const READ_AT = NOW - 30 * MINUTE;
/** What the reader was asked, all tests of a file together. */
export const queries: ResetQuery[] = [];
export const context = (over: Partial<StopContext> = {}): StopContext => ({
  history: { episodes: [] },
  now: NOW,
  machineZone: () => 'Europe/Paris',
  readReset: (query) => {
    queries.push(query);
    return {
      kind: 'at',
      resetAt: READ_AT,
      zone: null,
      zoneFrom: 'none',
      assumed: [],
      suspect: 'odd',
    };
  },
  ...over,
});
export const withTail = (over: Partial<TranscriptTail>, job: Partial<JobEvidence> = {}) =>
  jobEvidence({ transcript: known(tail(over)), ...job });
/** As clients before 2.1.260 write it. */
export const oldTail = { error: errorRecord({ quota: null }) };
export const filesOnly = (state: Partial<JobState> = {}) =>
  jobEvidence({ state: known(jobState(state)), timeline: known(null), transcript: known(null) });
export const history = (...episodes: History['episodes']): History => ({ episodes });

export function stopIn(job: JobEvidence, over: Partial<StopContext> = {}): Stop {
  const reading = readStop(job, context(over));
  if (reading.kind !== 'stop') throw new Error(reading.kind);
  return reading.stop;
}

// What a tick remembers of jobs that it left alone, so that the next one need not read them again.
import type { Decision } from '../core/decide.ts';
import { toRemember } from '../resume/scan.ts';
import type { Survey } from '../resume/survey.ts';
import { type QuietJobs, readQuietJobs, writeQuietJobs } from '../store/quiet-jobs.ts';
import type { TickRequest } from './tick.ts';

/** What an earlier tick of the same program with the same policy remembered. */
export const recall = (request: TickRequest): QuietJobs =>
  readQuietJobs(request.context.folder, keyOf(request));

/** Whoever has nothing to note and nothing to do need not be read again; not remembered, they are. */
export function remember(
  request: TickRequest,
  now: number,
  found: Survey,
  settled: readonly (Decision | null)[],
): void {
  const pairs = found.situations.flatMap((situation, index) => {
    const decision = settled[index] ?? null;
    return decision === null ? [] : [[situation, decision] as const];
  });
  const jobs = toRemember(found.scan, pairs, now);
  if (jobs !== null) writeQuietJobs(request.context.folder, keyOf(request), jobs);
}

const keyOf = ({ version, context }: TickRequest): string =>
  JSON.stringify([version, { ...context.policy, prompt: '' }]);

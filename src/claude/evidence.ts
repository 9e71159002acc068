// Reads the evidence about jobs, no further than a decision needs: states of all, stops of the blocked, processes
// and places of the candidates.
import { statSync } from 'node:fs';
import { type Fact, known, unknown } from '../core/fact.ts';
import type { JobEvidence, JobState, ListingRow, Place } from '../core/session.ts';
import type { ClaudeHome } from './home.ts';
import { readJobState, readTimeline } from './job-state.ts';
import { readProcess } from './process.ts';
import { jobProcessState, type ProcessTable } from './process-table.ts';
import { isInFolderOf, locateTranscript, readFirstUuids, readTranscript } from './transcript.ts';

/** The job with its state alone. */
export function readJob(home: ClaudeHome, id: string): JobEvidence {
  return {
    id,
    state: readJobState(home, id),
    timeline: null,
    transcript: null,
    process: null,
    row: null,
    place: null,
    copies: null,
  };
}

/** Adds what the files say about its stop. */
export function withStopEvidence(home: ClaudeHome, job: JobEvidence): JobEvidence {
  if (!job.state.known) return job;
  const path = locateTranscript(home, job.state.value);
  return {
    ...job,
    timeline: readTimeline(home, job.id),
    transcript: path === null ? known(null) : readTranscript(path),
  };
}

/** Adds whether its recorded processes live. */
export const withProcesses = (job: JobEvidence, table: Fact<ProcessTable>): JobEvidence => ({
  ...job,
  process: table.known ? jobProcessState(table.value, job.id) : unknown(table.why),
});

export interface ListingFacts {
  readonly rows: readonly ListingRow[];
  readonly table: Fact<ProcessTable>;
  /** A recorded home: its pids mean nothing here, so a row is taken as it is. */
  readonly isReplay: boolean;
}

/** Adds its row of the listing, its processes by all evidence, its place, and copies that others made of it. */
export function withListing(
  home: ClaudeHome,
  job: JobEvidence,
  facts: ListingFacts,
  others: readonly JobEvidence[],
): JobEvidence {
  if (!job.state.known) return job;
  const row = rowOf(job, facts.rows);
  return {
    ...job,
    row: known(row),
    process: processOf(job, row, facts),
    place: placeOf(job, job.state.value),
    copies: copiesOf(home, job, others),
  };
}

function rowOf(job: JobEvidence, rows: readonly ListingRow[]): ListingRow | null {
  return rows.find((row) => row.id === job.id) ?? null;
}

function processOf(
  job: JobEvidence,
  row: ListingRow | null,
  facts: ListingFacts,
): JobEvidence['process'] {
  if (facts.isReplay) return known(row?.pid == null ? 'gone' : 'alive');
  if (!facts.table.known) return unknown(facts.table.why);
  const recorded = facts.table.value.jobs.get(job.id) ?? [];
  const state = jobProcessState(facts.table.value, job.id);
  if (row?.pid == null || !state.known || state.value === 'alive') return state;
  // The listing can name a dead pid for some seconds (client.md §2); one that lives and is recorded nowhere else
  // cannot be told from a stranger.
  if (recorded.some((process) => process.pid === row.pid)) return state;
  const running = readProcess(row.pid);
  return running === null || running.isZombie
    ? state
    : unknown(`the listing names process ${row.pid}, no file of the client does`);
}

function placeOf(job: JobEvidence, state: JobState): Fact<Place> {
  if (state.cwd === null) return unknown('it names no directory');
  const transcript = job.transcript?.known === true ? job.transcript.value : null;
  return known({
    hasCwd: isFolder(state.cwd),
    hasTranscript: transcript !== null && isInFolderOf(transcript.path, state.cwd),
  });
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/**
 * Copies of this conversation that somebody else made after its stop: `intent` and shared record uuids are all that
 * tells (client.md §4). Looked for among younger jobs of the same directory.
 */
function copiesOf(
  home: ClaudeHome,
  job: JobEvidence,
  others: readonly JobEvidence[],
): Fact<readonly string[]> {
  if (!job.state.known || job.transcript?.known !== true || job.transcript.value === null)
    return known([]);
  const own = job.state.value;
  const stoppedAt = job.transcript.value.error?.at ?? own.updatedAt ?? 0;
  const younger = others.filter(
    ({ id, state }) =>
      id !== job.id &&
      state.known &&
      state.value.cwd === own.cwd &&
      (state.value.createdAt ?? 0) > stoppedAt &&
      (state.value.resumeSessionId ?? state.value.sessionId) !==
        (own.resumeSessionId ?? own.sessionId),
  );
  if (younger.length === 0) return known([]);
  const uuids = readFirstUuids(job.transcript.value.path);
  if (!uuids.known) return unknown(uuids.why);
  const copies = younger.filter((other) => {
    const path = other.state.known ? locateTranscript(home, other.state.value) : null;
    const theirs = path === null ? null : readFirstUuids(path);
    return theirs?.known === true && theirs.value.some((uuid) => uuids.value.includes(uuid));
  });
  return known(copies.map((other) => other.id));
}

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
    copies: copiesOf(home, job, facts.rows, others),
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
  if (row.pid <= 0) return unknown('the listing names a process that cannot be told');
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
 * Copies of this conversation that somebody else made after its stop: shared record uuids are all that tells
 * (client.md §4). Looked for among younger jobs of the same directory; one that lives there and cannot be read leaves
 * it unknown. A second living job of the very session shows in the listing, whether its files can be read or not.
 */
function copiesOf(
  home: ClaudeHome,
  job: JobEvidence,
  rows: readonly ListingRow[],
  others: readonly JobEvidence[],
): Fact<readonly string[]> {
  if (!job.state.known) return known([]);
  const own = job.state.value;
  const session = own.resumeSessionId ?? own.sessionId;
  const living = rows.filter((row) => row.pid !== null && row.id !== null && row.id !== job.id);
  const doubles = living.filter((row) => row.sessionId === session);
  if (doubles.length > 0) return known(doubles.map((row) => row.id ?? ''));
  const unread = others.find(
    ({ id, state }) => !state.known && living.some((row) => row.id === id && row.cwd === own.cwd),
  );
  if (unread !== undefined) return unknown(`job ${unread.id} lives beside it and cannot be read`);
  const transcript = job.transcript?.known === true ? job.transcript.value : null;
  if (transcript === null) return known([]);
  const younger = youngerBeside(others, own, transcript.error?.at ?? own.updatedAt ?? 0);
  if (younger.length === 0) return known([]);
  const uuids = readFirstUuids(transcript.path);
  if (!uuids.known) return uuids;
  const copies: string[] = [];
  for (const { id, state } of younger) {
    const path = locateTranscript(home, state);
    const theirs = path === null ? known<readonly string[]>([]) : readFirstUuids(path);
    if (!theirs.known) return unknown(`job ${id}: ${theirs.why}`);
    if (theirs.value.some((uuid) => uuids.value.includes(uuid))) copies.push(id);
  }
  return known(copies);
}

/** Jobs of other sessions in the same directory that were made after `stoppedAt`, or nobody knows when. */
function youngerBeside(
  others: readonly JobEvidence[],
  own: JobState,
  stoppedAt: number,
): { id: string; state: JobState }[] {
  const session = own.resumeSessionId ?? own.sessionId;
  return others.flatMap(({ id, state }) => {
    if (!state.known || state.value.cwd !== own.cwd) return [];
    const { createdAt, resumeSessionId, sessionId } = state.value;
    const isYounger = createdAt === null || createdAt > stoppedAt;
    return isYounger && (resumeSessionId ?? sessionId) !== session
      ? [{ id, state: state.value }]
      : [];
  });
}

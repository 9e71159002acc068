// Reads the state of every job of a home, or, for a look at what is to be done, of those alone that may have changed.
import { readJob } from '../claude/evidence.ts';
import {
  type ClaudeHome,
  type HomeFailure,
  isJobFolder,
  listJobIds,
  listJobNames,
} from '../claude/home.ts';
import { stampOf } from '../claude/job-state.ts';
import type { Decision, Situation } from '../core/decide.ts';
import { ok, type Result } from '../core/result.ts';
import type { JobEvidence } from '../core/session.ts';
import {
  type FileStamp,
  isRememberable,
  type QuietJob,
  type QuietJobs,
  sessionNumber,
} from '../store/quiet-jobs.ts';

export interface Scan {
  readonly jobs: readonly JobEvidence[];
  readonly passedOver: PassedOver;
  /** What is remembered of those that were passed over. */
  readonly kept: () => readonly QuietJob[];
  /** How the files of `jobs` looked before they were read; empty where nothing is to be remembered. */
  readonly stamps: ReadonlyMap<string, FileStamp>;
}

/** Conversations that were passed over. */
export interface PassedOver {
  readonly skipped: number;
  readonly waiting: number;
  /** The earliest instant (epoch ms) that one of the latter waits for. */
  readonly nextAt: number | null;
}

export interface ScanRequest {
  readonly home: ClaudeHome;
  /** sessionId of a copy → the conversation it goes on with. */
  readonly successors: ReadonlyMap<string, string>;
  /** Jobs that we stopped: theirs is a `stopped` that goes on. */
  readonly ourStops: ReadonlySet<string>;
  /** Somebody holds sessions: who waits may be held now. */
  readonly hasHolds: boolean;
  readonly now: number;
}

export const NOBODY: PassedOver = { skipped: 0, waiting: 0, nextAt: null };

/** Reads all of them. */
export function scanAll(home: ClaudeHome): Result<Scan, HomeFailure> {
  const ids = listJobIds(home);
  if (!ids.ok) return ids;
  const jobs = ids.value.map((id) => readJob(home, id));
  return ok({ jobs, passedOver: NOBODY, kept: () => [], stamps: new Map() });
}

/**
 * Passes over the remembered ones whose file is as it was, unless another job of their conversation has changed. A
 * job passed over can only be missed, never continued: what is to be continued is read anew with the listing.
 */
export function scanChanged(
  request: ScanRequest,
  remembered: QuietJobs,
): Result<Scan, HomeFailure> {
  const { home, ourStops, hasHolds, now } = request;
  const names = listJobNames(home);
  if (!names.ok) return names;
  const jobs: JobEvidence[] = [];
  const stamps = new Map<string, FileStamp>();
  const places: number[] = [];
  for (const id of names.value) {
    const stamp = stampOf(home, id);
    const place = stamp === null || ourStops.has(id) ? -1 : remembered.find(id, stamp);
    if (place >= 0) {
      const until = remembered.untilAt(place);
      if (until === null || (until > now && !hasHolds)) {
        places.push(place);
        continue;
      }
    }
    if (!isJobFolder(home, id)) continue;
    jobs.push(readJob(home, id));
    if (stamp !== null) stamps.set(id, stamp);
  }
  const origins = originsOf(request.successors);
  const isChanged = conversationsOf(jobs, origins);
  const kept: number[] = [];
  for (const place of places) {
    if (isChanged(remembered.sessionAt(place))) jobs.push(readJob(home, remembered.at(place).id));
    else kept.push(place);
  }
  return ok({
    jobs,
    passedOver: countOf(remembered, kept, origins),
    kept: () => kept.map((place) => remembered.at(place)),
    stamps,
  });
}

/** A session → the one its conversation began with, both as numbers. */
type Origins = (session: number) => number;

function originsOf(successors: ScanRequest['successors']): Origins {
  const origins = new Map<number, number>();
  for (const [session, conversation] of successors) {
    const [from, to] = [sessionNumber(session), sessionNumber(conversation)];
    if (from !== null && to !== null) origins.set(from, to);
  }
  return (session) => origins.get(session) ?? session;
}

/** Whether a session is of one of these jobs' conversations; two that only begin alike are taken for one, and read. */
function conversationsOf(
  jobs: readonly JobEvidence[],
  originOf: Origins,
): (session: number) => boolean {
  const found = new Set<number>();
  for (const job of jobs) {
    const session = sessionOf(job);
    if (session !== null) found.add(originOf(session));
  }
  return found.size === 0 ? () => false : (session) => found.has(originOf(session));
}

function countOf(remembered: QuietJobs, places: readonly number[], originOf: Origins): PassedOver {
  let [alone, waiting] = [0, 0];
  let nextAt: number | null = null;
  const shared = new Set<number>();
  for (const place of places) {
    const until = remembered.untilAt(place);
    if (until !== null) {
      waiting += 1;
      nextAt = Math.min(until, nextAt ?? until);
    } else if (remembered.isAloneAt(place)) alone += 1;
    else shared.add(originOf(remembered.sessionAt(place)));
  }
  return { skipped: alone + shared.size, waiting, nextAt };
}

function sessionOf({ state }: JobEvidence): number | null {
  const session = state.known ? (state.value.resumeSessionId ?? state.value.sessionId) : null;
  return session === null ? null : sessionNumber(session);
}

/** Reading a few small files costs less than writing one. A wait is worth it: it has a transcript besides. */
const WORTH_A_WRITE = 16;
/** A file that changed twice within the grain of its volume's times (FAT: 2 s) looks unchanged. */
const GRAIN_MS = 2000;

/** What the next scan may pass over, by what was decided now; null when that is hardly more than what is remembered. */
export function toRemember(
  scan: Scan,
  decided: readonly (readonly [Situation, Decision])[],
  now: number,
): readonly QuietJob[] | null {
  const fresh = decided.flatMap(([{ conversation }, decision]) => {
    const { job, others } = conversation;
    const waitsUntil = decision.rule === 'reset' && others.length === 0 ? decision.until : null;
    return [job, ...others].flatMap((one) => {
      const stamp = scan.stamps.get(one.id);
      if (stamp === undefined || !isSettled(stamp, now)) return [];
      const quiet = asQuiet(one, waitsUntil);
      return quiet === null ? [] : [{ ...quiet, stamp, isAlone: others.length === 0 }];
    });
  });
  const isWorthIt = fresh.length >= WORTH_A_WRITE || fresh.some(({ until }) => until !== null);
  return isWorthIt ? [...scan.kept(), ...fresh] : null;
}

function asQuiet(
  job: JobEvidence,
  waitsUntil: number | null,
): Pick<QuietJob, 'id' | 'session' | 'until'> | null {
  const { id, state } = job;
  const session = sessionOf(job);
  if (session === null || !state.known || !isRememberable(id)) return null;
  if (state.value.state !== 'blocked') return { id, session, until: null };
  return waitsUntil === null ? null : { id, session, until: waitsUntil };
}

const isSettled = ({ mtimeMs, ctimeMs }: FileStamp, now: number): boolean =>
  Math.max(mtimeMs, ctimeMs) <= now - GRAIN_MS;

// `quiet-jobs.bin`: jobs that are left alone by what their state file said, so that a later tick need not open it while
// it has not changed. It only spares work: without it, or where it cannot be read, every file is read. Numbers, not
// JSON, and looked up without making anything: a thousand jobs take a millisecond or two.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Result } from '../core/result.ts';
import { makePrivateFolder, replaceFile, type StoreFailure } from './files.ts';

/** Of a file, what changes with it: inode, size in bytes, times of content and of inode in epoch ms. */
export interface FileStamp {
  readonly ino: number;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
}

export interface QuietJob {
  readonly id: string;
  /** See `sessionNumber`. */
  readonly session: number;
  /** It was the only job of its conversation. */
  readonly isAlone: boolean;
  /** It waits until this instant (epoch ms); null: nothing but a change of its file makes it go on. */
  readonly until: number | null;
  readonly stamp: FileStamp;
}

/** What is remembered, each job at a place. */
export interface QuietJobs {
  /** The place of a job whose file is as it was; -1 for every other. Fastest in the order of `writeQuietJobs`. */
  readonly find: (id: string, stamp: FileStamp) => number;
  readonly sessionAt: (place: number) => number;
  readonly isAloneAt: (place: number) => boolean;
  readonly untilAt: (place: number) => number | null;
  readonly at: (place: number) => QuietJob;
}

const JOB_ID = /^[0-9a-f]{8}$/;
const SESSION_START = /^[0-9a-f]{8}-[0-9a-f]{4}-/;
// Of one job: id, session, alone, until, inode, size, times of content and inode.
const WIDTH = 8;

const pathOf = (folder: string): string => join(folder, 'quiet-jobs.bin');

/** The first 48 bits of a session's id: enough to find those that may be one conversation. Null: it is none. */
export const sessionNumber = (session: string): number | null =>
  SESSION_START.test(session)
    ? Number.parseInt(session.slice(0, 8) + session.slice(9, 13), 16)
    : null;

/** Whether a job can be remembered: its id is one. */
export const isRememberable = (id: string): boolean => JOB_ID.test(id);

/** What was remembered under the same `key` (one line); anything else there is nothing. */
export function readQuietJobs(folder: string, key: string): QuietJobs {
  const numbers = readNumbers(pathOf(folder), `${key}\n`);
  const number = (place: number, field: number): number => numbers[place * WIDTH + field] ?? 0;
  const placeOf = placesIn(numbers);
  const untilAt = (place: number): number | null => {
    const until = number(place, 3);
    return until === 0 ? null : until;
  };
  return {
    find(id, stamp) {
      const place = placeOf(id);
      const from = place * WIDTH;
      return numbers[from + 4] === stamp.ino &&
        numbers[from + 5] === stamp.size &&
        numbers[from + 6] === stamp.mtimeMs &&
        numbers[from + 7] === stamp.ctimeMs
        ? place
        : -1;
    },
    sessionAt: (place) => number(place, 1),
    isAloneAt: (place) => number(place, 2) === 1,
    untilAt,
    at: (place) => ({
      id: number(place, 0).toString(16).padStart(8, '0'),
      session: number(place, 1),
      isAlone: number(place, 2) === 1,
      until: untilAt(place),
      stamp: {
        ino: number(place, 4),
        size: number(place, 5),
        mtimeMs: number(place, 6),
        ctimeMs: number(place, 7),
      },
    }),
  };
}

/** Where the job with an id is: mostly right behind the one that was asked for before. */
function placesIn(numbers: Float64Array): (id: string) => number {
  let next = 0;
  let all: Map<number, number> | null = null;
  return (id) => {
    const wanted = Number.parseInt(id, 16);
    if (numbers[next * WIDTH] === wanted) {
      next += 1;
      return next - 1;
    }
    if (all === null) {
      all = new Map();
      for (let place = 0; place * WIDTH < numbers.length; place += 1)
        all.set(numbers[place * WIDTH] ?? 0, place);
    }
    const place = all.get(wanted) ?? -1;
    if (place >= 0) next = place + 1;
    return place;
  };
}

function readNumbers(path: string, head: string): Float64Array {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch {
    return new Float64Array(0);
  }
  const headBytes = Buffer.byteLength(head);
  if (bytes.toString('utf8', 0, headBytes) !== head) return new Float64Array(0);
  const from = bytes.byteOffset + headBytes;
  const jobs = Math.floor((bytes.length - headBytes) / (WIDTH * 8));
  return new Float64Array(bytes.buffer.slice(from, from + jobs * WIDTH * 8));
}

/** Keeps what is to be remembered, all of it anew; the caller may go on without it. */
export function writeQuietJobs(
  folder: string,
  key: string,
  jobs: readonly QuietJob[],
): Result<unknown, StoreFailure> {
  const made = makePrivateFolder(folder);
  if (!made.ok) return made;
  const numbers = Float64Array.from(
    jobs.flatMap(({ id, session, isAlone, until, stamp }) => [
      Number.parseInt(id, 16),
      session,
      isAlone ? 1 : 0,
      until ?? 0,
      stamp.ino,
      stamp.size,
      stamp.mtimeMs,
      stamp.ctimeMs,
    ]),
  );
  return replaceFile(
    pathOf(folder),
    Buffer.concat([Buffer.from(`${key}\n`), Buffer.from(numbers.buffer)]),
  );
}

// Whether a file of a scheduler may be written or removed by us.
import { lstatSync } from 'node:fs';
import { failed, type Result } from '../core/result.ts';
import { readStateFile } from '../store/files.ts';
import type { ScheduleFailure } from './machine.ts';
import { OUR_MARK } from './template.ts';

/** The text there; null: none. Refuses a link, and a text that neither bears our mark nor is `wanted`. */
export function readOwnFile(
  path: string,
  wanted: string | null,
): Result<string | null, ScheduleFailure> {
  const refuse = (why: string) =>
    failed<ScheduleFailure>({ kind: 'state', message: `${path} ${why}: move it away first` });
  const read = readStateFile(path);
  if (!read.ok) return failed({ kind: 'state', message: read.failure.message });
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return refuse('is a link');
  if (read.value === null || read.value === wanted || read.value.includes(OUR_MARK)) return read;
  return refuse('was written or edited by hand (it has no "Written by secondwind" line)');
}

/** Whether something is there, if only a dangling link. */
export const isThere = (path: string): boolean =>
  lstatSync(path, { throwIfNoEntry: false }) !== undefined;

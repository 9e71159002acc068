// The templates that are also there to be installed by hand: every `@NAME@` in them is filled in.
import { join } from 'node:path';
import { failed, ok, type Result } from '../core/result.ts';
import { readStateFile } from '../store/files.ts';
import type { ScheduleFailure } from './machine.ts';

/** In every file that we write: one without it belongs to somebody else. */
export const OUR_MARK = 'Written by secondwind; changes are kept only until the next install';

export function renderTemplate(
  folder: string,
  name: string,
  values: Readonly<Record<string, string>>,
): Result<string, ScheduleFailure> {
  const read = readStateFile(join(folder, name));
  if (!read.ok) return failed({ kind: 'state', message: read.failure.message });
  if (read.value === null) {
    return failed({ kind: 'state', message: `${join(folder, name)} is missing from the program` });
  }
  return ok(read.value.replace(/@([A-Z_]+)@/g, (whole, key: string) => values[key] ?? whole));
}

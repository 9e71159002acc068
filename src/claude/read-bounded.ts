// Reads at most 256 KiB of any file, whatever its size, through one buffer.
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { type Fact, known, unknown } from '../core/fact.ts';

export const MAX_READ_BYTES = 256 * 1024;
const buffer = Buffer.allocUnsafe(MAX_READ_BYTES + 1);

/** The whole text of a file of at most 256 KiB; null when there is no such file. Larger ones are unknown. */
export function readSmallFile(path: string): Fact<string | null> {
  return withFile(path, (file) => {
    const length = fill(file, 0, MAX_READ_BYTES + 1);
    return length > MAX_READ_BYTES
      ? unknown('larger than 256 KiB')
      : known(buffer.toString('utf8', 0, length));
  });
}

export interface FileTail {
  readonly text: string;
  /** The text starts in the middle of the file, so its first line is cut. */
  readonly isCut: boolean;
}

/** The last 256 KiB of a file; null when there is no such file. */
export function readFileTail(path: string): Fact<FileTail | null> {
  return withFile<FileTail | null>(path, (file) => {
    const size = fstatSync(file).size;
    const from = Math.max(0, size - MAX_READ_BYTES);
    const length = fill(file, from, MAX_READ_BYTES);
    return known({ text: buffer.toString('utf8', 0, length), isCut: from > 0 });
  });
}

/** The first 256 KiB of a file; null when there is no such file. */
export function readFileHead(path: string): Fact<string | null> {
  return withFile<string | null>(path, (file) =>
    known(buffer.toString('utf8', 0, fill(file, 0, MAX_READ_BYTES))),
  );
}

function withFile<T>(path: string, read: (file: number) => Fact<T>): Fact<T | null> {
  let file: number;
  try {
    // Without waiting: a pipe in the place of a file would hold the whole tick up.
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    return code === 'ENOENT' || code === 'ENOTDIR'
      ? known(null)
      : unknown(`cannot be read (${code})`);
  }
  try {
    return read(file);
  } catch (error) {
    return unknown(`cannot be read (${(error as NodeJS.ErrnoException).code})`);
  } finally {
    closeSync(file);
  }
}

/** A regular file gives all it has at once: only a full answer can have more behind it. */
function fill(file: number, from: number, maxBytes: number): number {
  let length = readSync(file, buffer, 0, maxBytes, from);
  while (length > 0 && length < maxBytes && length % 4096 === 0) {
    const count = readSync(file, buffer, length, maxBytes - length, from + length);
    if (count === 0) break;
    length += count;
  }
  return length;
}

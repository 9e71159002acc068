// A temporary folder of a test's own.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Folder {
  readonly path: string;
  readonly remove: () => void;
}

export function makeFolder(): Folder {
  const path = mkdtempSync(join(tmpdir(), 'secondwind-unit-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 3 }) };
}

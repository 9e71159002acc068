// A client of a few lines of shell, in a folder of its own, and the way to call it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '../../src/claude/agents.ts';

/** Writes an executable script; gives its absolute path. */
export function writeProgram(folder: string, name: string, body: string): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${body}\n`, { mode: 0o755 });
  return path;
}

export function clientOf(folder: string, body: string, over: Partial<Client> = {}): Client {
  return {
    path: writeProgram(folder, 'claude', body),
    home: { path: folder, isDefault: true },
    env: { PATH: process.env['PATH'], HOME: folder },
    recordedPath: null,
    ...over,
  };
}

/** Runs `act` and says how long it took, in ms. */
export async function timed<T>(act: () => Promise<T>): Promise<{ value: T; ms: number }> {
  const startedAt = performance.now();
  const value = await act();
  return { value, ms: performance.now() - startedAt };
}

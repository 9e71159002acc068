// Runs ticks as child processes: many at once, or one that is killed after a while.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Bundles the child once; `remove` takes it away. */
export async function makeTickProgram(): Promise<{ path: string; remove: () => void }> {
  const folder = mkdtempSync(join(tmpdir(), 'secondwind-tick-'));
  const path = join(folder, 'tick.mjs');
  // The stand-in's path is found beside the tests, so the bundle keeps their place.
  const define = {
    'import.meta.url': JSON.stringify(new URL('../stand-in.ts', import.meta.url).href),
  };
  await build({
    entryPoints: [fileURLToPath(new URL('./tick-child.ts', import.meta.url))],
    outfile: path,
    bundle: true,
    platform: 'node',
    format: 'esm',
    define,
    logLevel: 'error',
    banner: {
      js: "import{createRequire as __c}from'node:module';const require=__c('file:///');",
    },
  });
  return { path, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

export function startTick(
  program: string,
  home: string,
  options: object = {},
): {
  child: ChildProcess;
  ended: Promise<Ended>;
} {
  const child = spawn(process.execPath, [program, home, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout?.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  const ended = new Promise<Ended>((done) => {
    child.on('close', (code, signal) => done({ code, signal, stdout, stderr }));
  });
  return { child, ended };
}

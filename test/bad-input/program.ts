// Runs the built program as its users do: a copy of `bin` and `dist` in a process of its own, with a clean environment.
import { execFileSync, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { STAND_IN } from '../stand-in.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SOURCES = ['src', 'package.json', 'scripts/build.mjs', 'scripts/make-code.mjs'];
const BUILD_BOUND_MS = 60_000;

export interface Program {
  readonly script: string;
  readonly remove: () => void;
}

/** A copy of the program: whoever builds anew meanwhile takes nothing away from under a test. */
export async function copyProgram(): Promise<Program> {
  const folder = mkdtempSync(join(tmpdir(), 'secondwind-program-'));
  await withBuildLock(() => {
    if (isBuildOld()) {
      execFileSync('npm', ['run', '--silent', 'build'], { cwd: ROOT, stdio: 'inherit' });
    }
    for (const name of ['bin', 'dist', 'package.json']) {
      cpSync(join(ROOT, name), join(folder, name), { recursive: true });
    }
  });
  const remove = () => rmSync(folder, { recursive: true, force: true });
  return { script: join(folder, 'bin', 'secondwind.js'), remove };
}

/** One test file at a time builds or copies; a lock that a killed run left is taken over. */
async function withBuildLock(run: () => void): Promise<void> {
  const lock = join(ROOT, 'node_modules', '.secondwind-test-build.lock');
  for (const endsAt = Date.now() + BUILD_BOUND_MS; ; await sleep(50)) {
    try {
      mkdirSync(lock);
      break;
    } catch {
      if (Date.now() > endsAt) rmSync(lock, { recursive: true, force: true });
    }
  }
  try {
    run();
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

function isBuildOld(): boolean {
  const built = join(ROOT, 'dist', 'main.cjs');
  if (!existsSync(built)) return true;
  return Math.max(...SOURCES.map((name) => newestIn(join(ROOT, name)))) > statSync(built).mtimeMs;
}

function newestIn(path: string): number {
  const found = statSync(path);
  if (!found.isDirectory()) return found.mtimeMs;
  return Math.max(0, ...readdirSync(path).map((name) => newestIn(join(path, name))));
}

export interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly wallMs: number;
}

export interface RunOptions {
  /** Replaces the clean environment. */
  readonly env?: Record<string, string>;
  /** Added to the clean environment. */
  readonly more?: Record<string, string>;
  /** Runs this before the program, with the program's own line as the rest: `env`, `unshare`, a shell. */
  readonly through?: readonly string[];
}

/** The environment of a plain account: nothing of the one that runs the tests. */
export const cleanEnvironment = (home: string): Record<string, string> => ({
  HOME: dirname(home),
  PATH: process.env['PATH'] ?? '/usr/bin:/bin',
  LANG: 'C.UTF-8',
  TZ: 'UTC',
});

/** Runs `secondwind WORDS…` to its end. */
export async function run(
  program: Program,
  home: string,
  words: readonly string[],
  options: RunOptions = {},
): Promise<Ran> {
  const env = { ...(options.env ?? cleanEnvironment(home)), ...options.more };
  const line = [...(options.through ?? []), process.execPath, program.script, ...words];
  const startedAt = performance.now();
  const child = spawn(line[0] ?? '', line.slice(1), { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (chunk: string) => {
      texts[name] += chunk;
    });
  }
  const status = await new Promise<number | null>((done, fail) => {
    child.on('error', fail).on('close', done);
  });
  return { status, ...texts, wallMs: performance.now() - startedAt };
}

/** Runs `secondwind tick` on a home with the stand-in client. */
export const tick = (
  program: Program,
  home: string,
  words: readonly string[] = [],
  options: RunOptions = {},
): Promise<Ran> =>
  run(program, home, ['tick', '--claude-home', home, '--claude-bin', STAND_IN, ...words], options);

export interface Shown {
  readonly decisions: readonly {
    readonly id: string;
    readonly action: string;
    readonly rule: string | null;
    readonly reason: { readonly code: string; readonly detail: string };
    readonly outcome: { readonly result: string; readonly message: string } | null;
  }[];
  readonly notices: readonly string[];
}

/** What a tick with `--json` printed: `id → action rule code: detail`. */
export function shownOf({ stdout }: Ran): Record<string, string> {
  const shown = JSON.parse(stdout) as Shown;
  return Object.fromEntries(
    shown.decisions.map(({ id, action, rule, reason }) => [
      id,
      `${action} ${rule ?? '-'} ${reason.code}: ${reason.detail}`,
    ]),
  );
}

/** A clear message, with this status, and neither a stack trace nor an internal error. */
export function expectRefusal(ran: Ran, status: number, message: string | RegExp): void {
  expect(ran.stderr).toMatch(message);
  expectClear(ran);
  expect(ran.stderr.split('\n').filter((line) => line !== '').length).toBeLessThanOrEqual(2);
  expect(ran.status).toBe(status);
}

/** Nothing in the output of the kind that only a programmer can read. */
export function expectClear({ stdout, stderr }: Ran): void {
  const all = `${stdout}\n${stderr}`;
  expect(all).not.toMatch(/^\s+at .+[:(]\d*/m);
  expect(all).not.toMatch(/internal error|TypeError|RangeError|Unhandled|node:internal|\[object /);
}

/** A program that stands for a client: a shell script of one body. */
export function writeClient(folder: string, body: string): string {
  const path = join(folder, `client-${Math.random().toString(16).slice(2)}`);
  writeFileSync(path, `#!/bin/sh\n${body}\n`, { mode: 0o755 });
  return path;
}

// Whether a recorded process is still itself: real processes, zombies, recycled pids, other boots, restarts.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ClaudeHome } from '../../src/claude/home.ts';
import { bootId, readProcess, stateOf } from '../../src/claude/process.ts';
import { jobProcessState, readProcessTable } from '../../src/claude/process-table.ts';
import type { ProcessState } from '../../src/core/session.ts';
import { type Folder, makeFolder } from '../folder.ts';

/** Beyond the kernel's limit of 2^22: no process ever has it. */
const DEAD = 4_200_000;
const NOW = Date.now();
const started = (pid: number) => readProcess(pid)?.start ?? null;
const own = { pid: process.pid, start: started(process.pid), recordedAt: NOW };
const bootAt = Number(/^btime (\d+)$/m.exec(readFileSync('/proc/stat', 'utf8'))?.[1]) * 1000;

let folder: Folder;
let home: ClaudeHome;
let child: ChildProcess | null = null;
beforeEach(() => {
  folder = makeFolder();
  home = { path: folder.path, isDefault: false };
});
afterEach(() => {
  child?.kill('SIGKILL');
  child = null;
  folder.remove();
});

/** A shell that becomes a program which never asks after its dead child. */
async function makeZombie(): Promise<number> {
  child = spawn('/bin/sh', ['-c', 'true & echo $!; exec sleep 60'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [text] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
  const pid = Number(text.toString());
  await expect.poll(() => readProcess(pid)?.isZombie, { interval: 5 }).toBe(true);
  return pid;
}

describe('one process', () => {
  test('lives when pid and start are the recorded ones', () => {
    expect(stateOf(own)).toEqual({ known: true, value: 'alive' });
  });

  test.each([
    ['another start: a recycled pid', { ...own, start: '1' }],
    ['no start recorded', { ...own, start: null }],
  ])('is unknown with %s', (_, recorded) => {
    expect(stateOf(recorded)).toMatchObject({
      known: false,
      why: expect.stringContaining(String(process.pid)),
    });
  });

  test.each([
    ['its pid is nobody’s', { ...own, pid: DEAD }],
    [
      'it was recorded before this boot, whoever has its pid now',
      { ...own, start: '1', recordedAt: bootAt - 60_000 },
    ],
  ])('is gone when %s', (_, recorded) => {
    expect(stateOf(recorded)).toEqual({ known: true, value: 'gone' });
  });

  test('is gone when it is a zombie', async () => {
    const pid = await makeZombie();
    expect(stateOf({ pid, start: started(pid), recordedAt: NOW })).toEqual({
      known: true,
      value: 'gone',
    });
  });

  test('is gone once it was killed', async () => {
    child = spawn('sleep', ['60']);
    const recorded = { pid: child.pid ?? 0, start: started(child.pid ?? 0), recordedAt: NOW };
    expect(stateOf(recorded)).toMatchObject({ value: 'alive' });
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(stateOf(recorded)).toMatchObject({ value: 'gone' });
  });

  test('is found though its name holds spaces and parentheses', async () => {
    const path = join(folder.path, 'a) S (b');
    writeFileSync(path, '#!/bin/sh\necho up\nread x\n', { mode: 0o700 });
    child = spawn(path, { stdio: ['pipe', 'pipe', 'ignore'] });
    await once(child.stdout as NodeJS.ReadableStream, 'data');
    expect(readFileSync(`/proc/${child.pid}/stat`, 'utf8')).toContain('(a) S (b)');
    expect(readProcess(child.pid ?? 0)).toEqual({
      start: expect.stringMatching(/^\d+$/),
      isZombie: false,
    });
  });

  test.each([0, -1, 1.5, Number.NaN])('no process has the pid %d', (pid) => {
    expect(readProcess(pid)).toBeNull();
  });

  test('this boot has an id, the same each time', () => {
    expect(bootId()).toMatch(/^[0-9a-f-]{36}$/);
    expect(bootId()).toBe(bootId());
  });
});

function write(file: string, value: unknown) {
  const path = join(folder.path, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value));
}
const worker = (pid: number, replPid: number, start = own.start) => ({
  pid,
  procStart: pid === DEAD ? '1' : start,
  replPid,
  replProcStart: replPid === DEAD ? '1' : start,
  startedAt: NOW,
});
const roster = (workers: unknown, over: object = {}) =>
  write('daemon/roster.json', { supervisorPid: DEAD, updatedAt: NOW, workers, ...over });

function stateIn(id = 'ac67d09b'): ProcessState | string {
  const table = readProcessTable(home);
  if (!table.known) return `unknown: ${table.why}`;
  const state = jobProcessState(table.value, id);
  return state.known ? state.value : `unknown: ${state.why}`;
}

describe('the processes of a job', () => {
  test.each<[string, () => void, string]>([
    ['none without any file', () => undefined, 'none'],
    ['none when nothing names it', () => roster({ bbbbbbbb: worker(own.pid, own.pid) }), 'none'],
    ['gone when host and session are dead', () => roster({ ac67d09b: worker(DEAD, DEAD) }), 'gone'],
    ['alive when only the host lives', () => roster({ ac67d09b: worker(own.pid, DEAD) }), 'alive'],
    [
      'alive when only the session lives',
      () => roster({ ac67d09b: worker(DEAD, own.pid) }),
      'alive',
    ],
    [
      'alive by its session file alone',
      () =>
        write(`sessions/${own.pid}.json`, {
          pid: own.pid,
          jobId: 'ac67d09b',
          procStart: own.start,
          startedAt: NOW,
        }),
      'alive',
    ],
    [
      'gone by its session file alone',
      () =>
        write(`sessions/${DEAD}.json`, {
          pid: DEAD,
          jobId: 'ac67d09b',
          procStart: '1',
          startedAt: NOW,
        }),
      'gone',
    ],
    [
      'gone past a session file that is cut',
      () => [
        roster({ ac67d09b: worker(DEAD, DEAD) }),
        write(`sessions/${own.pid}.json`, '{"pid":'),
      ],
      'gone',
    ],
    [
      'restarting while its living supervisor lists it',
      () => roster({ ac67d09b: worker(DEAD, DEAD) }, { supervisorPid: own.pid }),
      'restarting',
    ],
    [
      'gone when the supervisor’s pid is another process now',
      () => [
        roster({ ac67d09b: worker(DEAD, DEAD) }, { supervisorPid: own.pid }),
        write('daemon.lock', { pid: own.pid, procStart: '1', startedAt: NOW }),
      ],
      'gone',
    ],
    [
      'gone when the living supervisor does not list it',
      () => [
        roster({}, { supervisorPid: own.pid }),
        write(`sessions/${DEAD}.json`, {
          pid: DEAD,
          jobId: 'ac67d09b',
          procStart: '1',
          startedAt: NOW,
        }),
      ],
      'gone',
    ],
  ])('are %s', (_, prepare, expected) => {
    prepare();
    expect(stateIn()).toBe(expected);
  });

  test.each<[string, () => void]>([
    [
      'one is another process now, whatever the other is',
      () => roster({ ac67d09b: worker(own.pid, DEAD, '1') }),
    ],
    [
      'the start of one was not recorded',
      () => roster({ ac67d09b: { pid: own.pid, startedAt: NOW } }),
    ],
    [
      'a pid is no number',
      () => roster({ ac67d09b: { pid: String(own.pid), procStart: own.start, startedAt: NOW } }),
    ],
    ['a worker is foreign', () => roster({ ac67d09b: 'alive' })],
    ['the roster is cut', () => write('daemon/roster.json', '{"workers":{')],
    ['the roster is no object', () => write('daemon/roster.json', [])],
    ['the roster has no workers', () => write('daemon/roster.json', {})],
    [
      'the roster is larger than 256 KiB',
      () => write('daemon/roster.json', `{"workers":{}}${' '.repeat(262_144)}`),
    ],
  ])('are unknown when %s', (_, prepare) => {
    prepare();
    expect(stateIn()).toMatch(/^unknown: /);
  });
});

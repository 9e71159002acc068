// Holds the stand-in client to the real one's answers, and each knob to what it promises.
import { type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  type Home,
  isAlive,
  makeHome,
  makeJob,
  readCalls,
  readJobState,
  readLaunches,
  readRoster,
  readState,
  readTranscript,
  STAND_IN,
  startSleeper,
  writeWeather,
} from '../stand-in.ts';

let made: Home;
let home: string;
beforeEach(() => {
  made = makeHome();
  home = made.home;
});
afterEach(() => made.remove());

const environment = () => ({ HOME: made.root, PATH: process.env['PATH'] ?? '' });
function run(args: string[], cwd = made.root, env: Record<string, string> = environment()) {
  return spawnSync(process.execPath, [STAND_IN, ...args], { cwd, env, encoding: 'utf8' });
}
const list = (...more: string[]) => JSON.parse(run(['agents', '--json', ...more]).stdout);
const jobIds = () => readdirSync(join(home, 'jobs'));
const backgrounded = ({ stdout }: SpawnSyncReturns<string>) =>
  stdout.match(/^backgrounded · ([0-9a-f]{8})/)?.[1] ?? '';

test('is an executable that tells the version of the client it stands for', () => {
  expect(statSync(STAND_IN).mode & 0o111).not.toBe(0);
  expect(run(['--version']).stdout).toBe('2.1.332 (Claude Code)\n');
  writeWeather(home, { mode: 'copy' });
  expect(run(['--version']).stdout).toBe('2.1.233 (Claude Code)\n');
  writeWeather(home, { version: '2.1.170' });
  expect(run(['--version']).stdout).toBe('2.1.170 (Claude Code)\n');
});

test('leaves one line per call, with the names of what it inherited but no value', () => {
  run(['agents', '--json'], made.root, {
    ...environment(),
    ANTHROPIC_API_KEY: 'sk-x',
    CLAUDECODE: '1',
  });
  const [call] = readCalls(home);
  expect(call).toMatchObject({ argv: ['agents', '--json'], env: { HOME: made.root } });
  expect(call?.env.names).toEqual(['ANTHROPIC_API_KEY', 'CLAUDECODE']);
  expect(JSON.stringify(call)).not.toContain('sk-x');
});

test('answers an empty home with an empty array', () => {
  const { stdout, status } = run(['agents', '--json']);
  expect([stdout, status]).toEqual(['[]\n', 0]);
});

test('lists the dead without pid and status, and what is over only with --all', () => {
  const dead = makeJob(home, { name: 'dead' });
  makeJob(home, { name: 'over', state: 'done', error: null, detail: 'Done', needs: null });
  const alive = makeJob(home, { name: 'alive', process: 'alive', shownAt: Date.now() });
  makeJob(home, { name: 'broken' });
  writeFileSync(
    join(
      home,
      'jobs',
      jobIds().find((id) => readState(home, id).name === 'broken') ?? '',
      'state.json',
    ),
    '{"st',
  );
  const rows = list();
  expect(rows.map((row: { name: string }) => row.name)).toEqual(['dead', 'alive']);
  expect(rows[0]).toEqual({
    id: dead.id,
    cwd: dead.cwd,
    kind: 'background',
    startedAt: expect.any(Number),
    sessionId: dead.sessionId,
    name: 'dead',
    state: 'blocked',
  });
  expect(rows[1]).toMatchObject({ pid: alive.pids[1], status: 'idle', state: 'blocked' });
  expect(list('--all')).toHaveLength(3);
});

test('lists what only the living client knows of a session, and rows of other kinds', () => {
  makeJob(home, { state: 'working', row: { state: 'blocked', waitingFor: 'permission prompt' } });
  writeWeather(home, { listing: { extra: [{ kind: 'interactive', cwd: '/', startedAt: 1 }] } });
  expect(list()).toMatchObject([
    { state: 'blocked', waitingFor: 'permission prompt' },
    { kind: 'interactive' },
  ]);
});

test('brings a session back by itself right after a listing when told so', () => {
  const job = makeJob(home);
  writeWeather(home, { listing: { revive: [job.id] } });
  expect(list()[0]).not.toHaveProperty('pid');
  expect(list()[0]).toMatchObject({ state: 'working', status: 'busy', pid: expect.any(Number) });
});

test.each([
  ['garbage', { stdout: 'oops' }, 0, 'oops', ''],
  ['an exit status', { exit: 3, stderr: 'no' }, 3, '', 'no\n'],
  ['an object', { notArray: true }, 0, '{\n  "agents": []\n}\n', ''],
])('answers the listing with %s', (_name, listing, status, stdout, stderr) => {
  writeWeather(home, { listing });
  const answer = run(['agents', '--json']);
  expect([answer.status, answer.stdout, answer.stderr]).toEqual([status, stdout, stderr]);
});

test.each([
  [true, ['SIGTERM']],
  ['stubborn', ['SIGTERM', 'SIGKILL']],
] as const)('hangs until it is killed (%s)', async (hang, signals) => {
  writeWeather(home, { listing: { hang, stderr: 'never' } });
  const child = spawn(process.execPath, [STAND_IN, 'agents', '--json'], { env: environment() });
  const ended = new Promise((resolve) => child.on('exit', (_code, signal) => resolve(signal)));
  await expect.poll(() => readCalls(home).length).toBe(1);
  // The call is recorded before the signals are ignored.
  await new Promise((resolve) => setTimeout(resolve, 50));
  for (const signal of signals) child.kill(signal);
  expect(await ended).toBe(signals.at(-1));
});

test('wakes a dead session under its own id, and its turn is in transcript, timeline and state', () => {
  const job = makeJob(home);
  const before = readTranscript(job).length;
  const answer = run(['--bg', '--resume', job.sessionId, 'go on [x]'], job.cwd);
  expect(answer.status).toBe(0);
  expect(answer.stdout.split('\n')[0]).toBe(`backgrounded · ${job.id} · job one`);
  expect(answer.stderr).toContain(
    `note: woke session ${job.id} with its saved options (--name).\n`,
  );
  const added = readTranscript(job).slice(before);
  expect(added.map(({ type }) => type).slice(0, 2)).toEqual(['user', 'assistant']);
  expect(added[0]).toMatchObject({
    message: { role: 'user', content: 'go on [x]' },
    isSidechain: false,
    sessionId: job.sessionId,
    parentUuid: expect.any(String),
  });
  expect(added[1]).toMatchObject({
    parentUuid: added[0]?.uuid,
    message: { model: 'claude-opus-5-5', content: [{ type: 'text', text: 'All done.' }] },
  });
  expect(readState(home, job.id)).toMatchObject({ state: 'working', tempo: 'idle', needs: null });
  expect(readState(home, job.id).updatedAt).not.toBe(new Date(job.shownAt).toISOString());
  expect(jobIds()).toEqual([job.id]);
});

test('wakes a session without saved options without a note', () => {
  const job = makeJob(home, { name: null });
  const answer = run(['--bg', '--resume', job.sessionId, 'go on'], job.cwd);
  expect(answer.stdout.split('\n')[0]).toBe(`backgrounded · ${job.id}`);
  expect(answer.stderr).toBe('Starting background service…\n');
});

test('can end the turn as done, and can keep the session running', () => {
  const [job, other] = [makeJob(home), makeJob(home)];
  writeWeather(home, {
    resume: { endState: 'done', bySession: { [other.sessionId]: { runFor: 60_000 } } },
  });
  run(['--bg', '--resume', job.sessionId, 'go on'], job.cwd);
  run(['--bg', '--resume', other.sessionId, 'go on'], other.cwd);
  expect(readState(home, job.id)).toMatchObject({
    state: 'done',
    firstTerminalAt: expect.any(String),
  });
  const worker = readRoster(home).workers[other.id];
  expect(isAlive(worker?.pid, worker?.procStart)).toBe(true);
  expect(isAlive(worker?.replPid, worker?.replProcStart)).toBe(true);
  expect(list()).toMatchObject([{ id: other.id, status: 'busy', pid: worker?.replPid }]);
});

test.each<[string, (id: string) => string[], string]>([
  ['any flag', (id) => [id, '--name', 'n', 'go on'], 'keeps its own saved options'],
  ['a short id', (id) => [id.slice(0, 8), 'go on'], 'started a copy of that conversation'],
])('starts a copy on %s', (_name, args, said) => {
  const job = makeJob(home);
  const answer = run(['--bg', '--resume', ...args(job.sessionId)], job.cwd);
  const id = backgrounded(answer);
  expect(id).not.toBe(job.id);
  expect(answer.stderr).toContain(said);
  expect(readState(home, job.id).state).toBe('blocked');
});

test('starts a copy of a session that still runs, until both its processes are gone', () => {
  const job = makeJob(home, { process: 'alive' });
  const answer = run(['--bg', '--resume', job.sessionId, 'go on'], job.cwd);
  expect(answer.stderr).toContain(`session ${job.id} is already running`);
  process.kill(job.pids[1] ?? 0, 'SIGKILL');
  expect(backgrounded(run(['--bg', '--resume', job.sessionId, 'go on'], job.cwd))).not.toBe(job.id);
  process.kill(job.pids[0] ?? 0, 'SIGKILL');
  expect(backgrounded(run(['--bg', '--resume', job.sessionId, 'go on'], job.cwd))).toBe(job.id);
});

test('as an old client always copies, with no link back but the prompt and the shared uuids', () => {
  writeWeather(home, { mode: 'copy' });
  const job = makeJob(home, { version: '2.1.233' });
  expect(job.detail).toContain('session limit');
  const flags = ['--name', 'job one', '--permission-mode', 'acceptEdits'];
  const answer = run(['--bg', '--resume', job.sessionId, ...flags, 'go on'], job.cwd);
  const id = backgrounded(answer);
  expect(answer.stdout.split('\n')[0]).toBe(`backgrounded · ${id} · job one`);
  const state = readState(home, id);
  expect(state).toMatchObject({ intent: 'go on', name: 'job one', respawnFlags: flags });
  expect(state.resumeSessionId).toBe(state.sessionId);
  expect(JSON.stringify(state)).not.toContain(job.sessionId);
  expect(readState(home, job.id)).toMatchObject({ state: 'blocked', detail: job.detail });
  const copied = readTranscript({ transcriptPath: String(state['linkScanPath']) });
  const uuids = readTranscript(job).flatMap(({ uuid }) => uuid ?? []);
  expect(copied.flatMap(({ uuid }) => uuid ?? []).slice(0, uuids.length)).toEqual(uuids);
  expect(copied.every(({ sessionId }) => sessionId === state.sessionId)).toBe(true);
  expect(copied.filter(({ isMeta }) => isMeta)).toHaveLength(1);
  expect(copied.find(({ quotaLimits }) => quotaLimits)).toBeUndefined();
});

test('starts a new, empty session for a sessionId that it does not know', () => {
  const unknown = '11111111-2222-4333-8444-555555555555';
  const answer = run(['--bg', '--resume', unknown, 'go on']);
  expect([answer.status, backgrounded(answer)]).toEqual([0, '11111111']);
  expect(readState(home, '11111111')).toMatchObject({ sessionId: unknown, intent: 'go on' });
});

test('refuses another directory, and the default home named in CLAUDE_CONFIG_DIR', () => {
  const job = makeJob(home);
  const args = ['--bg', '--resume', job.sessionId, 'go on'];
  const named = run(args, job.cwd, { ...environment(), CLAUDE_CONFIG_DIR: home });
  for (const answer of [run(args), named]) {
    expect(answer.status).toBe(1);
    expect(answer.stderr).toContain('Workspace not trusted');
  }
  const other = run(args, job.cwd, { HOME: '/nowhere', PATH: '', CLAUDE_CONFIG_DIR: home });
  expect(backgrounded(other)).toBe(job.id);
});

test('keeps the prompt of a launch whose directory is gone, and delivers it with the next', () => {
  const cwd = join(made.root, 'gone');
  const job = makeJob(home, { cwd });
  expect(run(['--bg', '--resume', job.sessionId, 'first']).status).toBe(1);
  expect(readState(home, job.id)).toMatchObject({ state: 'blocked', queuedPrompt: 'first' });
  mkdirSync(cwd);
  run(['--bg', '--resume', job.sessionId, 'second'], cwd);
  expect(readTranscript(job).findLast(({ type }) => type === 'user')?.['message'].content).toBe(
    'first\n\nsecond',
  );
  expect(readState(home, job.id)).not.toHaveProperty('queuedPrompt');
});

test('takes a prompt with a dash only after --, and never a bypass of permissions', () => {
  const job = makeJob(home);
  const resume = (...args: string[]) => run(['--bg', '--resume', job.sessionId, ...args], job.cwd);
  expect(resume('-please').stderr).toContain('--bg and --print conflict');
  expect(resume('--permission-mode', 'bypassPermissions', 'go on').status).toBe(1);
  expect(readJobState(home, job.id)?.state).toBe('blocked');
  expect(backgrounded(resume('--', '-please'))).toBe(job.id);
});

test('lets a flag that takes every word swallow the prompt', () => {
  const job = makeJob(home);
  const resume = (...args: string[]) => run(['--bg', '--resume', job.sessionId, ...args], job.cwd);
  const swallowed = resume('--allowedTools', 'Bash', 'go on');
  expect(swallowed.stdout).toContain('(idle — send a prompt to start)');
  expect(readState(home, backgrounded(swallowed)).respawnFlags?.at(-1)).toBe('go on');
  const ended = resume('--add-dir', '/a', '--', 'go on');
  expect(readState(home, backgrounded(ended))).toMatchObject({
    intent: 'go on',
    respawnFlags: ['--add-dir', '/a'],
  });
});

test('refuses the turn again with a new limit when told so', () => {
  const job = makeJob(home);
  const resetsAt = '2027-01-15T22:00:00.000Z';
  writeWeather(home, { resume: { refuse: { resetsAt, limitType: 'seven_day' } } });
  run(['--bg', '--resume', job.sessionId, 'go on'], job.cwd);
  const record = readTranscript(job).findLast(({ isApiErrorMessage }) => isApiErrorMessage);
  expect(record?.['quotaLimits']).toMatchObject({
    resetsAt: Date.parse(resetsAt) / 1000,
    rateLimitType: 'seven_day',
  });
  expect(readState(home, job.id)).toMatchObject({
    state: 'blocked',
    detail: "You've hit your weekly limit · resets Jan 15, 10pm (UTC)",
    needs: expect.stringMatching(/^rate limited — wait and retry · /),
  });
});

test.each([
  ['prints nothing', { silent: true }, 0, '', true],
  ['prints something else', { says: 'oops\n' }, 0, 'oops\n', true],
  ['fails after all', { exitAfter: 1 }, 1, 'backgrounded', true],
  ['takes no turn', { noTurn: true }, 0, 'backgrounded', false],
  ['fails before anything', { exit: 1 }, 1, '', false],
  ['answers garbage before anything', { stdout: '?' }, 0, '?', false],
  ['waits first', { delayMs: 1 }, 0, 'backgrounded', true],
])('%s when told so', (_name, resume, status, stdout, isTaken) => {
  const job = makeJob(home);
  writeWeather(home, { resume });
  const answer = run(['--bg', '--resume', job.sessionId, 'go on'], job.cwd);
  expect(answer.status).toBe(status);
  expect(answer.stdout.slice(0, stdout.length || undefined)).toBe(stdout);
  expect(readState(home, job.id).state).toBe(isTaken ? 'working' : 'blocked');
  expect(readLaunches(home)).toHaveLength(1);
});

test.each(['before', 'after'] as const)(
  'kills its caller %s the turn when told so',
  async (killParent) => {
    const job = makeJob(home);
    writeWeather(home, { resume: { killParent, delayMs: 50 } });
    const args = [STAND_IN, '--bg', '--resume', job.sessionId, 'go on'];
    const script = `const { spawn } = require('node:child_process');
    spawn(process.execPath, ${JSON.stringify(args)}, { stdio: 'ignore', detached: true });
    setInterval(() => {}, 1000)`;
    const caller = spawnSync(process.execPath, ['-e', script], {
      cwd: job.cwd,
      env: environment(),
    });
    expect(caller.signal).toBe('SIGKILL');
    if (killParent === 'after') expect(readState(home, job.id).state).toBe('working');
    // The client outlives its caller.
    await expect.poll(() => readState(home, job.id).state).toBe('working');
  },
);

test('stops a job: its processes go, and the limit is no longer named in it', () => {
  const job = makeJob(home, { process: 'alive' });
  const answer = run(['stop', job.id]);
  expect([answer.status, answer.stdout]).toEqual([0, `stopped ${job.id}\n`]);
  expect(readState(home, job.id)).toMatchObject({
    state: 'stopped',
    detail: 'stopped',
    needs: null,
  });
  expect(job.pids.filter((pid) => isAlive(pid))).toEqual([]);
  expect(readRoster(home).workers).toEqual({});
  expect(run(['stop', job.id]).status).toBe(0);
});

test('never ends a process that is not its own', () => {
  const job = makeJob(home, { process: 'none' });
  const sleeper = startSleeper(home, job);
  const roster = readRoster(home);
  delete roster.workers[job.id]?.standIn;
  writeFileSync(join(home, 'daemon', 'roster.json'), JSON.stringify(roster));
  run(['stop', job.id]);
  expect(sleeper.pids.map((pid) => isAlive(pid))).toEqual([true, true]);
  sleeper.stop();
});

test('lets the terminal host outlive a stop, and a stop do nothing, when told so', async () => {
  const job = makeJob(home, { process: 'alive' });
  writeWeather(home, { stop: { noStop: true } });
  run(['stop', job.id]);
  expect(readState(home, job.id).state).toBe('blocked');
  writeWeather(home, { stop: { hostLingersMs: 200 } });
  run(['stop', job.id]);
  expect(readState(home, job.id).state).toBe('stopped');
  expect(job.pids.map((pid) => isAlive(pid))).toEqual([true, false]);
  await expect.poll(() => isAlive(job.pids[0])).toBe(false);
});

test('knows a job to be stopped by its short id only', () => {
  const job = makeJob(home);
  for (const id of [job.sessionId, '00000000']) {
    const answer = run(['stop', id]);
    expect([answer.status, answer.stderr.split('.')[0]]).toEqual([
      1,
      `No session matching '${id}'`,
    ]);
  }
});

test('tells that no supervisor runs, and has no other command', () => {
  expect(run(['daemon', 'status'])).toMatchObject({
    status: 1,
    stdout: expect.stringMatching(/^not running\n/),
  });
  expect(run(['auth', 'login']).status).toBe(1);
});

test('answers for a home that does not exist without making one', () => {
  rmSync(home, { recursive: true });
  expect(run(['agents', '--json']).stdout).toBe('[]\n');
  expect(existsSync(home)).toBe(false);
});

// A client's environment is not its caller's session, and what it starts outlives who asked for it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readProcess } from '../../src/claude/process.ts';
import { clientEnvironment, runClient } from '../../src/claude/run-client.ts';
import { bundle } from '../bundle.ts';
import { type Folder, makeFolder } from '../folder.ts';
import { clientOf, writeProgram } from './fake-client.ts';

let folder: Folder;
beforeEach(() => {
  folder = makeFolder();
});
afterEach(() => folder.remove());
const client = (body: string, over = {}) => clientOf(folder.path, body, over);

describe('the environment', () => {
  const envOf = (env: NodeJS.ProcessEnv, over = {}) =>
    clientEnvironment(client('', { env, ...over }));

  test.each([
    'CLAUDECODE',
    'CLAUDE_PID',
    'CLAUDE_HOME',
    'CLAUDE_BIN',
    'CLAUDE_CONFIG_DIR',
    'CLAUDE_CODE_ENTRYPOINT',
    'CLAUDE_CODE_SESSION_ID',
    'CLAUDE_CODE_SSE_PORT',
    'CLAUDE_CODE_REMOTE',
    'CLAUDE_BG_SESSION_CREDENTIAL',
    'CLAUDE_PROJECT_DIR',
    'CLAUDE_EFFORT',
    'AI_AGENT',
  ])('does not hand on %s of the caller’s session', (name) => {
    expect(envOf({ [name]: 'x', HOME: '/h' })).toEqual({ HOME: '/h' });
  });

  test.each([
    'HOME',
    'LANG',
    'TZ',
    'HTTPS_PROXY',
    'ANTHROPIC_BASE_URL',
    'CLAUDE_CODE_OAUTH_TOKEN',
    'CLAUDE_CODE_USE_BEDROCK',
    'CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC',
    'XCLAUDE_CODE',
  ])('hands on %s of the machine or the person', (name) => {
    expect(envOf({ [name]: 'x' })).toEqual({ [name]: 'x' });
  });

  test('has the PATH recorded at install, where one was', () => {
    expect(envOf({ PATH: '/cron' }, { recordedPath: '/home/user/bin:/bin' })['PATH']).toBe(
      '/home/user/bin:/bin',
    );
    expect(envOf({ PATH: '/cron' })['PATH']).toBe('/cron');
  });

  test('names the home only where it is not the default one', () => {
    const caller = { CLAUDE_CONFIG_DIR: '/callers' };
    expect(envOf(caller)).toEqual({});
    const home = { path: '/other', isDefault: false };
    expect(envOf(caller, { home })).toEqual({ CLAUDE_CONFIG_DIR: '/other' });
  });

  test('is the whole of it: nothing of this process is added', async () => {
    const quiet = client('env', { env: { PATH: process.env['PATH'], HOME: '/h' } });
    const answer = await runClient(quiet, [], { boundMs: 5000 });
    const names = answer.kind === 'ended' ? answer.stdout.match(/^\w+(?==)/gm) : [];
    expect(names?.filter((name) => !['PWD', 'SHLVL', '_', 'OLDPWD'].includes(name)).sort()).toEqual(
      ['HOME', 'PATH'],
    );
  });
});

describe('a call', () => {
  test('takes its words as they are, without a shell', async () => {
    const answer = await runClient(client('printf "<%s>" "$@"'), ['$HOME', '; ls', '', '--x'], {
      boundMs: 5000,
    });
    expect(answer).toEqual({
      kind: 'ended',
      exitCode: 0,
      signal: null,
      stdout: '<$HOME><; ls><><--x>',
      stderr: '',
    });
  });

  test('runs in the directory that is asked for, with nothing to read', async () => {
    const answer = await runClient(client('pwd; cat'), [], { boundMs: 5000, cwd: '/' });
    expect(answer).toMatchObject({ kind: 'ended', stdout: '/\n' });
  });

  test('that ends by a signal says which', async () => {
    const answer = await runClient(client('kill -9 $$'), [], { boundMs: 5000 });
    expect(answer).toMatchObject({ kind: 'ended', exitCode: null, signal: 'SIGKILL' });
  });

  test.each([
    ['the program is gone', { path: '/nowhere/claude' }, {}],
    ['its directory is gone', {}, { cwd: '/nowhere' }],
  ])('was not started when %s', async (_, over, options) => {
    const answer = await runClient({ ...client('exit 0'), ...over }, [], {
      boundMs: 5000,
      ...options,
    });
    expect(answer).toMatchObject({ kind: 'not-started' });
  });

  test('that takes too long is ended, and what it had printed is given', async () => {
    const answer = await runClient(client('echo early; exec sleep 20'), [], { boundMs: 300 });
    expect(answer).toMatchObject({ kind: 'timed-out', stdout: 'early\n' });
  });
});

/** A process that asks a client, and says the client's pid. */
const ASKER = `
import { openSync } from 'node:fs';
import { runClient } from '../src/claude/run-client.ts';
const [path = '', home = '', out = ''] = process.argv.slice(2);
const client = { path, home: { path: home, isDefault: true }, env: process.env, recordedPath: null };
const output = { stdout: openSync(out, 'w'), stderr: openSync(out + '.err', 'w') };
const onStart = (pid: number) => console.log(pid);
await runClient(client, [], { boundMs: 60000, cwd: home, output, onStart });
`;

describe('a launched client', () => {
  test('writes its answer to the files it was given', async () => {
    const path = join(folder.path, 'out');
    const file = openSync(path, 'w');
    const pids: number[] = [];
    const answer = await runClient(client('echo $$; echo note >&2'), [], {
      boundMs: 5000,
      output: { stdout: file, stderr: file },
      onStart: (pid) => pids.push(pid),
    });
    closeSync(file);
    expect(answer).toMatchObject({ kind: 'ended', exitCode: 0, stdout: '' });
    expect(readFileSync(path, 'utf8')).toBe(`${pids[0]}\nnote\n`);
  });

  test.each(['SIGKILL', 'SIGTERM', 'SIGHUP'] as const)(
    'outlives its caller’s %s, and its answer is in the file',
    async (signal) => {
      const out = join(folder.path, 'out');
      const go = join(folder.path, 'go');
      const path = writeProgram(
        folder.path,
        'claude',
        `while [ ! -e '${go}' ]; do sleep 0.02; done; echo "backgrounded · ac67d09b"`,
      );
      const script = await bundle(folder.path, ASKER);
      const asker = spawn(process.execPath, [script, path, folder.path, out], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const [text] = (await once(asker.stdout, 'data')) as [Buffer];
      const pid = Number(text.toString());
      expect(readProcess(pid)?.isZombie).toBe(false);
      asker.kill(signal);
      await once(asker, 'exit');
      expect(readProcess(pid)?.isZombie).toBe(false);
      writeFileSync(go, '');
      await expect
        .poll(() => readFileSync(out, 'utf8'), { timeout: 5000, interval: 20 })
        .toBe('backgrounded · ac67d09b\n');
    },
  );
});

// Asking the client to resume or stop, and reading what it answers: what it does not say plainly is unknown.
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Client } from '../../src/claude/agents.ts';
import {
  alwaysCopies,
  launchSession,
  parseBackgrounded,
  refusalText,
  stopJob,
} from '../../src/claude/launch.ts';
import { SESSION_ID } from '../core/situation.ts';
import { type Folder, makeFolder } from '../folder.ts';
import { clientOf } from './fake-client.ts';

let folder: Folder;
beforeEach(() => {
  folder = makeFolder();
});
afterEach(() => folder.remove());
const client = (body: string, over: Partial<Client> = {}) => clientOf(folder.path, body, over);

async function launch(
  asked: Client,
  over: { prompt?: string; flags?: string[]; cwd?: string } = {},
) {
  const paths = { stdout: join(folder.path, 'out'), stderr: join(folder.path, 'err') };
  const output = { stdout: openSync(paths.stdout, 'w'), stderr: openSync(paths.stderr, 'w') };
  const pids: number[] = [];
  const end = await launchSession(asked, {
    sessionId: SESSION_ID,
    cwd: folder.path,
    prompt: 'go on',
    flags: [],
    output,
    onStart: (pid) => pids.push(pid),
    ...over,
  });
  closeSync(output.stdout);
  closeSync(output.stderr);
  return { end, pids, stdout: readFileSync(paths.stdout, 'utf8') };
}

describe('a launch', () => {
  test('resumes the session in its own directory, with the prompt behind everything', async () => {
    const { end, stdout, pids } = await launch(client('pwd; printf "%s\\n" "$@"'));
    expect(end).toEqual({ kind: 'ended', exitCode: 0 });
    expect(pids).toHaveLength(1);
    expect(stdout.trim().split('\n')).toEqual([
      folder.path,
      '--bg',
      '--resume',
      SESSION_ID,
      '--',
      'go on',
    ]);
  });

  test.each(['--help', '-p', '$(id)', 'two\nlines', '"; ls'])(
    'passes the prompt %j as it is',
    async (prompt) => {
      const { stdout } = await launch(client('for last; do :; done; printf %s "$last"'), {
        prompt,
      });
      expect(stdout).toBe(prompt);
    },
  );

  test('gives the flags of a copy before the prompt’s dashes', async () => {
    const { stdout } = await launch(client('echo "$*"'), {
      flags: ['--add-dir', '/x', '--name', 'n'],
    });
    expect(stdout).toBe(`--bg --resume ${SESSION_ID} --add-dir /x --name n -- go on\n`);
  });

  test.each<[string, string, Partial<Client>, object]>([
    ['its status', 'exit 1', {}, { kind: 'ended', exitCode: 1 }],
    [
      'unknown when a signal ended it',
      'kill -9 $$',
      {},
      { kind: 'unknown', message: 'the client was ended by SIGKILL' },
    ],
    [
      'unknown when it gave no answer in time',
      'exec sleep 20',
      { launchBoundMs: 200 },
      { kind: 'unknown', message: 'the client gave no answer within 0.2 s' },
    ],
    ['refused when it could not be started', '', { path: '/nowhere/claude' }, { kind: 'refused' }],
  ])('ends with %s', async (_, body, over, expected) => {
    expect((await launch({ ...client(body), ...over })).end).toMatchObject(expected);
  });

  test('is refused where the session’s directory is gone', async () => {
    const { end, pids } = await launch(client('exit 0'), { cwd: '/nowhere' });
    expect(end).toMatchObject({ kind: 'refused' });
    expect(pids).toEqual([]);
  });
});

test.each([
  ['backgrounded · 3f0a91c2', '3f0a91c2'],
  ['backgrounded · 3f0a91c2 · job one\n', '3f0a91c2'],
  ['Starting background service…\nbackgrounded · 3f0a91c2', '3f0a91c2'],
  ['\u001b[32mbackgrounded\u001b[0m · \u001b[1m3f0a91c2\u001b[0m', '3f0a91c2'],
  ['backgrounded | 3f0a91c2', '3f0a91c2'],
  ['backgrounded · 3f0a91c2f', null],
  ['backgrounded · 3F0A91C2', null],
  ['backgrounded', null],
  ['note: I backgrounded · 3f0a91c2', null],
  ['', null],
])('the answer %j names %s', (stdout, expected) => {
  expect(parseBackgrounded(stdout)).toBe(expected);
});

test('a refusal is one clean line of what the client said', () => {
  const stderr =
    'Starting background service…\n\u001b[31mWorkspace not trusted.\u001b[0m\nRun claude in it';
  expect(refusalText('more', stderr)).toBe('Workspace not trusted. Run claude in it more');
  expect(refusalText('', '')).toBe('');
  expect(refusalText('', 'x'.repeat(1000))).toHaveLength(160);
});

test.each([
  ['exit 0', true],
  ['echo "couldn\'t confirm it was stopped"; exit 1', false],
  ['kill -9 $$', false],
  ['exec sleep 20', false],
])('a stop by a client that does %j counts as done: %s', async (body, expected) => {
  expect(await stopJob(client(body, { listingBoundMs: 200 }), 'ac67d09b')).toBe(expected);
});

test('a stop asks for the job by its id', async () => {
  const out = join(folder.path, 'asked');
  await stopJob(client(`echo "$*" > '${out}'`), 'ac67d09b');
  expect(readFileSync(out, 'utf8')).toBe('stop ac67d09b\n');
});

test.each([
  ['2.1.170', true],
  ['2.1.252', true],
  ['2.1.256', true],
  ['2.1.257', false],
  ['2.1.332', false],
  ['2.2.0', false],
  ['3.0.0', false],
  ['1.9.999', true],
  [null, null],
  ['2.1', null],
  ['2.1.x', null],
])('client %s always copies: %s', (version, expected) => {
  expect(alwaysCopies(version)).toBe(expected);
});

// Finding the client, and its listing: what it prints is checked before it is believed, and it is never waited for long.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findClient, listAgents, parseListing, readVersion } from '../../src/claude/agents.ts';
import { type Folder, makeFolder } from '../folder.ts';
import { clientOf, timed, writeProgram } from './fake-client.ts';

let folder: Folder;
beforeEach(() => {
  folder = makeFolder();
});
afterEach(() => folder.remove());

function program(...parts: string[]): string {
  const path = join(folder.path, ...parts.slice(0, -1));
  mkdirSync(path, { recursive: true });
  return writeProgram(path, parts.at(-1) ?? 'claude', 'exit 0');
}

describe('the client is found', () => {
  const env = (over: NodeJS.ProcessEnv = {}) => ({ HOME: folder.path, PATH: '', ...over });

  test('by its absolute path', () => {
    const path = program('bin', 'claude-dev');
    expect(findClient(path, env())).toEqual({ ok: true, value: path });
  });

  test('by a relative one, which is kept absolute', () => {
    const path = program('bin', 'claude');
    expect(findClient(relative(process.cwd(), path), env())).toEqual({ ok: true, value: path });
  });

  test('on PATH, in its order, past what is no program', () => {
    mkdirSync(join(folder.path, 'a', 'claude'), { recursive: true });
    mkdirSync(join(folder.path, 'b'));
    writeFileSync(join(folder.path, 'b', 'claude'), '', { mode: 0o644 });
    const [path] = [program('c', 'claude'), program('d', 'claude')];
    const PATH = ['a', 'b', 'c', 'd'].map((name) => join(folder.path, name)).join(':');
    expect(findClient(undefined, env({ PATH }))).toEqual({ ok: true, value: path });
  });

  test('in ~/.local/bin when PATH is bare, as under cron', () => {
    const path = program('.local', 'bin', 'claude');
    expect(findClient(undefined, env({ PATH: '/nowhere' }))).toEqual({ ok: true, value: path });
    expect(findClient('', env({ PATH: undefined }))).toEqual({ ok: true, value: path });
  });

  test('by another name in the same places', () => {
    const path = program('.local', 'bin', 'claude-dev');
    expect(findClient('claude-dev', env())).toEqual({ ok: true, value: path });
  });

  test('through a link, but not through one that leads nowhere', () => {
    const path = program('real', 'claude');
    mkdirSync(join(folder.path, 'bin'));
    symlinkSync('/nowhere', join(folder.path, 'bin', 'claude-a'));
    symlinkSync(path, join(folder.path, 'bin', 'claude-b'));
    const PATH = join(folder.path, 'bin');
    expect(findClient('claude-a', env({ PATH })).ok).toBe(false);
    expect(findClient('claude-b', env({ PATH }))).toEqual({
      ok: true,
      value: join(PATH, 'claude-b'),
    });
  });

  test('never in a relative folder of PATH: the working directory is not trusted', () => {
    program('claude-x');
    const PATH = `.:${relative(process.cwd(), folder.path)}:`;
    expect(findClient('claude-x', env({ PATH })).ok).toBe(false);
  });
});

describe('a client that is not found', () => {
  test('is said with each place that was looked in, once', () => {
    const found = findClient('no-such-claude', { HOME: '/h', PATH: '/a:/b:/a' });
    expect(found).toEqual({
      ok: false,
      failure: {
        kind: 'client-not-found',
        message:
          'no no-such-claude found (looked in /a, /b, /h/.local/bin, /usr/local/bin, /opt/homebrew/bin): name it with --claude-bin or CLAUDE_BIN',
      },
    });
  });

  test.each(['/nowhere/claude', './nowhere', '/'])(
    'is said with its own path when it was named: %s',
    (named) => {
      expect(findClient(named, { PATH: '/bin' })).toMatchObject({
        ok: false,
        failure: {
          kind: 'client-not-found',
          message: expect.stringMatching(/^\/.* is no program/),
        },
      });
    },
  );
});

describe('the listing', () => {
  const client = (body: string, listingBoundMs = 5000) =>
    clientOf(folder.path, body, { listingBoundMs });

  test('is asked for as JSON', async () => {
    const rows = await listAgents(client('printf \'[{"kind":"background","name":"%s"}]\' "$*"'));
    expect(rows.ok && rows.value[0]?.name).toBe('agents --json');
  });

  test.each<[string, string, RegExp]>([
    ['is an object', 'echo \'{"agents":[]}\'', /printed no JSON array/],
    ['is an array of texts', 'echo \'["x"]\'', /printed no JSON array/],
    ['is garbage', 'echo "Starting background service…"', /printed no JSON array/],
    ['is empty', 'exit 0', /printed no JSON array/],
    ['is cut', 'printf \'[{"kind":"backgr\'', /printed no JSON array/],
    ['comes with a failure', 'echo "[]"; exit 3', /ended with 3/],
    ['comes with a signal', 'echo "[]"; kill -9 $$', /ended with SIGKILL/],
  ])('that %s is unreadable', async (_, body, message) => {
    expect(await listAgents(client(body))).toMatchObject({
      ok: false,
      failure: { kind: 'listing-unreadable', message: expect.stringMatching(message) },
    });
  });

  test('of a program that cannot be started is unreadable', async () => {
    const broken = { ...client('x'), path: join(folder.path, 'gone') };
    expect(await listAgents(broken)).toMatchObject({
      failure: {
        kind: 'listing-unreadable',
        message: expect.stringContaining('could not be started'),
      },
    });
  });

  test('is read past what the client writes on stderr', async () => {
    expect(await listAgents(client('echo note >&2; echo "[]"'))).toEqual({
      ok: true,
      value: [],
    });
  });

  test.each([
    ['hangs', 'exec sleep 20'],
    ['prints and hangs', 'echo "[]"; exec sleep 20'],
    ['ignores being asked to end', "trap '' TERM; while :; do sleep 0.1; done"],
    ['leaves a child behind that keeps its output open', 'sleep 20 & echo "[]"; exit 0'],
    ['hangs in a child of its own', 'sleep 20; echo "[]"'],
  ])(
    'of a client that %s is given up in time',
    async (_, body) => {
      const { value, ms } = await timed(() => listAgents(client(body, 300)));
      expect(ms).toBeLessThan(5000);
      if (!value.ok) expect(value.failure.message).toMatch(/gave no answer within 0.3 s/);
    },
    25_000,
  );
});

describe('a row', () => {
  const rowOf = (row: object) => {
    const rows = parseListing(JSON.stringify([row]));
    return rows?.ok ? rows.value[0] : null;
  };

  test('is read as the client prints it', () => {
    const row = {
      id: 'ac67d09b',
      kind: 'background',
      state: 'blocked',
      status: 'idle',
      waitingFor: 'permission prompt',
      pid: 42,
      sessionId: 's',
      name: 'n',
      cwd: '/x',
    };
    expect(rowOf({ ...row, startedAt: 5 })).toEqual(row);
  });

  test('of foreign types, or without anything, is of no known kind', () => {
    const bare = {
      id: null,
      kind: 'unknown',
      state: null,
      status: null,
      waitingFor: null,
      pid: null,
      sessionId: null,
      name: null,
      cwd: null,
    };
    expect(rowOf({})).toEqual(bare);
    expect(rowOf({ id: 5, kind: [], state: {}, status: 1, name: {}, cwd: 1 })).toEqual(bare);
  });

  test('whose pid cannot be read is not taken for one without a process', () => {
    expect(rowOf({ id: 'ac67d09b', kind: 'background', pid: '42' })?.pid).not.toBeNull();
  });

  test('that waits for something of a foreign shape still waits', () => {
    expect(
      rowOf({ id: 'ac67d09b', kind: 'background', waitingFor: { kind: 'x' } })?.waitingFor,
    ).not.toBeNull();
  });
});

test.each([
  ['echo "2.1.332 (Claude Code)"', '2.1.332'],
  ['echo "claude v2.1.332"', null],
  ['echo garbage', null],
  ['echo 2.1.332; exit 1', null],
])('the version of a client that does %j is %s', async (body, expected) => {
  expect(await readVersion(clientOf(folder.path, body))).toBe(expected);
});

// state.json and timeline.jsonl: recordings are read as they are; whatever is cut, foreign or too large is unknown.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ClaudeHome, jobPath } from '../../src/claude/home.ts';
import { parseJobState, readJobState, readTimeline } from '../../src/claude/job-state.ts';
import { causeOf } from '../../src/core/cause.ts';
import type { JobState } from '../../src/core/session.ts';
import { type Folder, makeFolder } from '../folder.ts';

const recordings = fileURLToPath(new URL('../fixtures/client', import.meta.url));
const recorded = (name: string) => readFileSync(join(recordings, name), 'utf8');
const STATE_FILES = readdirSync(recordings).filter((name) => name.startsWith('state.'));

let folder: Folder;
let home: ClaudeHome;
beforeEach(() => {
  folder = makeFolder();
  home = { path: folder.path, isDefault: false };
});
afterEach(() => folder.remove());

function write(file: string, text: string | Buffer, id = 'ac67d09b') {
  const path = jobPath(home, id, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function stateOf(text: string): JobState {
  const fact = parseJobState(text);
  if (!fact.known) throw new Error(fact.why);
  return fact.value;
}

describe('recordings', () => {
  test.each(STATE_FILES)('%s is a blocked background agent at a limit', (name) => {
    const state = stateOf(recorded(name));
    expect(state).toMatchObject({
      state: 'blocked',
      tempo: 'blocked',
      inFlight: 0,
      queuedPrompt: null,
      hasSelfWake: false,
      template: 'bg',
      backend: 'daemon',
      respawnFlags: expect.arrayContaining(['--name', 'job one']),
      intent: 'say hello',
      name: 'job one',
      cwd: '/home/user/project',
    });
    expect(state.sessionId).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(state.updatedAt).toBeGreaterThan(Date.UTC(2026, 10, 30));
    expect(causeOf({ detail: state.detail, needs: state.needs, error: null }).kind).toBe('limit');
  });

  test.each(STATE_FILES)('no part of the environment in %s but its zone is kept', (name) => {
    const raw = JSON.parse(recorded(name));
    const secret = { ...raw, providerEnv: { ANTHROPIC_API_KEY: 'sk-secret', TZ: ':Asia/Tokyo' } };
    const state = stateOf(JSON.stringify(secret));
    expect(JSON.stringify(state)).not.toContain('sk-secret');
    expect(state.zone).toBe('Asia/Tokyo');
  });

  const waits = { limit: true, transient: true } as Record<string, boolean>;
  test.each(
    recorded('stops-2.1.332.jsonl')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .map((stop) => [stop.name, stop] as const),
  )('the recorded stop %s is one that waiting lifts, or not, as measured', (name, stop) => {
    const { kind } = causeOf({ detail: stop.detail, needs: stop.needs ?? '', error: null });
    const helps = !/^e40|^e413/.test(name);
    expect(waits[kind] === true, kind).toBe(helps);
  });
});

describe('what cannot be read is unknown', () => {
  const whole = recorded('state.blocked-2.1.332.json');

  test('cut anywhere, as while it is being written', () => {
    const end = whole.trimEnd().length;
    fc.assert(
      fc.property(fc.nat(end - 1), (length) => {
        expect(parseJobState(whole.slice(0, length)).known).toBe(false);
      }),
    );
  });

  test.each([
    ['an array', '[]'],
    ['null', 'null'],
    ['a text', '"blocked"'],
    ['nothing', ''],
    ['HTML', '<!DOCTYPE html><title>524</title>'],
    ['no state', '{"detail":"x"}'],
  ])('%s', (_, text) => {
    expect(parseJobState(text).known).toBe(false);
  });

  test.each([
    ['state', 5],
    ['detail', { html: 1 }],
    ['needs', ['x']],
    ['tempo', 1],
    ['template', true],
    ['backend', {}],
    ['respawnFlags', '--name x'],
    ['respawnFlags', [1]],
    ['name', 7],
    ['sessionId', 7],
    ['resumeSessionId', {}],
    ['cwd', []],
    ['linkScanPath', 1],
    ['createdAt', 1796084400],
    ['updatedAt', 'yesterday'],
    ['lastTerminalAt', false],
    ['inFlight', 'none'],
    ['inFlight', { tasks: '1' }],
    ['inFlight', { kinds: 'shell' }],
  ])('a foreign %s (%j), which is named', (key, value) => {
    const fact = parseJobState(JSON.stringify({ ...JSON.parse(whole), [key]: value }));
    expect(fact).toMatchObject({ known: false, why: expect.stringContaining(key) });
  });

  test('a folder without state.json', () => {
    mkdirSync(dirname(jobPath(home, 'ac67d09b', 'x')), { recursive: true });
    expect(readJobState(home, 'ac67d09b')).toMatchObject({
      known: false,
      why: expect.stringContaining('no state.json'),
    });
  });

  test('a state.json that is a folder', () => {
    mkdirSync(jobPath(home, 'ac67d09b', 'state.json'), { recursive: true });
    expect(readJobState(home, 'ac67d09b')).toMatchObject({ known: false });
  });

  test('a file of more than 256 KiB, as an HTML page in its detail makes it', () => {
    const state = (html: string) => JSON.stringify({ state: 'blocked', detail: html });
    const limit = 256 * 1024 - state('').length;
    write('state.json', state('x'.repeat(limit)));
    expect(readJobState(home, 'ac67d09b').known).toBe(true);
    write('state.json', state('x'.repeat(limit + 1)));
    expect(readJobState(home, 'ac67d09b')).toMatchObject({
      known: false,
      why: expect.stringContaining('256 KiB'),
    });
  });
});

test('a state that nobody knows is passed on as it is', () => {
  expect(stateOf('{"state":"hibernating"}')).toMatchObject({ state: 'hibernating', detail: '' });
});

test.each([
  [undefined, 0],
  [null, 0],
  [{ tasks: 0, queued: 0, kinds: [] }, 0],
  [{ tasks: 1, queued: 1, kinds: [] }, 2],
  [{ kinds: ['shell'] }, 1],
])('counts what is in flight: %j is %d', (inFlight, expected) => {
  expect(stateOf(JSON.stringify({ state: 'blocked', inFlight })).inFlight).toBe(expected);
});

test.each([
  ['a prompt', { queuedPrompt: 'go' }, { queuedPrompt: 'go' }],
  [
    'a prompt of another shape',
    { queuedPrompt: { text: 'go' } },
    { queuedPrompt: '{"text":"go"}' },
  ],
  ['no prompt', { queuedPrompt: '' }, { queuedPrompt: null }],
  ['a wake of its own', { selfWake: { at: 1 } }, { hasSelfWake: true }],
  ['no wake of its own', { selfWake: false }, { hasSelfWake: false }],
])('sees %s', (_, fields, expected) => {
  expect(stateOf(JSON.stringify({ state: 'blocked', ...fields }))).toMatchObject(expected);
});

describe('the timeline', () => {
  const at = '2026-11-30T23:02:15.365Z';
  const line = (over: object) =>
    JSON.stringify({ at, state: 'blocked', detail: 'd', text: 't', ...over });
  const shown = { known: true, value: { at: Date.parse(at), text: 't' } };
  const none = { known: true, value: null };
  test.each<[string, string, object]>([
    ['its last line shows the stop', `${line({ state: 'working' })}\n${line({})}\n`, shown],
    ['a half-written line after it is passed over', `${line({})}\n{"at":"2026-`, shown],
    ['the detail stands in for a missing text', line({ text: '', detail: 't' }), shown],
    [
      'a later line of another state shows none',
      `${line({})}\n${line({ state: 'working' })}\n`,
      none,
    ],
    ['a line without an instant shows none', line({ at: null }), none],
    ['a line of no instant shows none', line({ at: 'soon' }), none],
    ['an empty one shows none', '', none],
    ['garbage shows none', '<html>\n[]\nnull\n"x"', none],
  ])('%s', (_, text, expected) => {
    write('timeline.jsonl', text);
    expect(readTimeline(home, 'ac67d09b')).toEqual(expected);
  });

  test('an absent one shows none, an unreadable one is unknown', () => {
    expect(readTimeline(home, 'ac67d09b')).toEqual(none);
    mkdirSync(jobPath(home, 'bbbbbbbb', 'timeline.jsonl'), { recursive: true });
    expect(readTimeline(home, 'bbbbbbbb').known).toBe(false);
  });
});

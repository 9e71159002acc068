// The tail of a transcript: the stop's own record, and whether anything real came after it.
import { appendFileSync, ftruncateSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parseTail, readFirstUuids, readTranscript } from '../../src/claude/transcript.ts';
import type { TranscriptTail } from '../../src/core/session.ts';
import { type Folder, makeFolder } from '../folder.ts';
import {
  assistantRecord,
  bookkeepingRecords,
  metaRecords,
  stopRecord,
  userRecord,
} from '../stand-in.ts';

const SESSION = { sessionId: 's', cwd: '/home/user/project', version: '2.1.332' };
const AT = Date.UTC(2026, 10, 30, 22);
const RESET = Date.UTC(2026, 11, 1, 1);
const TEXT = "You've hit your 5-hour limit · resets 1am (UTC)";
const user = (content: Parameters<typeof userRecord>[2], at = AT) =>
  userRecord(SESSION, at, content);
const model = (content: Parameters<typeof assistantRecord>[2], at = AT) =>
  assistantRecord(SESSION, at, content);
const stop = stopRecord(SESSION, AT + 5, {
  error: 'rate_limit',
  text: TEXT,
  limitType: 'five_hour',
  resetsAt: RESET,
});
const call = (id: string) => model([{ type: 'tool_use', id, name: 'Bash', input: {} }]);
const answer = (id: string, at = AT) =>
  user([{ type: 'tool_result', tool_use_id: id, content: 'ok' }], at);
const parse = (...records: object[]): TranscriptTail =>
  parseTail(
    'p',
    records.map((record) => JSON.stringify(record)),
  );

let folder: Folder;
beforeEach(() => {
  folder = makeFolder();
});
afterEach(() => folder.remove());

test('the error record says what the client knew', () => {
  expect(parse(user('hello'), model('hi', AT + 1), stop)).toEqual({
    path: 'p',
    error: {
      uuid: stop['uuid'],
      at: AT + 5,
      error: 'rate_limit',
      status: 429,
      text: TEXT,
      quota: { resetsAt: RESET, limitType: 'five_hour', overageDisabledReason: expect.anything() },
    },
    hasMovedOn: false,
    hasOpenToolCall: false,
    lastAssistantAt: AT + 1,
    hasRecords: true,
    nonces: [],
    statedZone: 'UTC',
  });
});

test.each([
  ['no number', 'soon'],
  ['milliseconds', RESET],
  ['zero', 0],
  ['negative', -1],
  ['NaN', null],
])('a reset that is %s is none', (_, resetsAt) => {
  const record = { ...stop, quotaLimits: { resetsAt } };
  expect(parse(record).error?.quota).toMatchObject({ resetsAt: null });
});

test.each([
  ['no quota', { quotaLimits: undefined }, { quota: null }],
  ['a foreign quota', { quotaLimits: 'x' }, { quota: null }],
  ['a foreign status', { apiErrorStatus: '429' }, { status: null }],
  ['no message', { message: undefined }, { text: '' }],
  ['a text for a message', { message: { content: 'x' } }, { text: 'x' }],
  ['no instant', { timestamp: 'soon' }, { at: null }],
])('an error record with %s is still one', (_, over, expected) => {
  expect(parse({ ...stop, ...over }).error).toMatchObject(expected);
});

describe('after the stop', () => {
  const [continued, noResponse] = metaRecords(SESSION, AT + 9);
  test.each([
    ['a person’s message', [user('go on', AT + 10)], true],
    ['an answer of the model', [model('done')], true],
    ['the answer to a tool call', [answer('x', AT + 10)], true],
    ['the prompt that met it, written late', [user('go', AT + 1)], false],
    [
      'a message of an hour before, by a clock that was set back',
      [user('go', AT - 3_600_000)],
      true,
    ],
    ['titles and snapshots', bookkeepingRecords(SESSION, 'hello', 'job one'), false],
    ['a meta record', [continued ?? {}], false],
    ['a synthetic answer', [noResponse ?? {}], false],
    ['a side chain', [{ ...model('x'), isSidechain: true }], false],
    ['a task’s notification', [user('<task-notification>done</task-notification>')], false],
    ['a system reminder', [user(' <system-reminder>x')], false],
    ['a local command', [user('<local-command-stdout>x')], false],
    ['a summary of compaction', [{ ...user('x'), isCompactSummary: true }], false],
    ['a reminder in blocks', [user([{ type: 'text', text: '<system-reminder>x' }])], false],
    ['a system record', [{ type: 'system', content: 'x' }], false],
    ['nothing', [], false],
  ])('%s: has it moved on?', (_, records, expected) => {
    expect(parse(stop, ...records).hasMovedOn).toBe(expected);
  });

  test('a second stop is the one that counts, with nothing after it', () => {
    const again = { ...stop, uuid: 'again' };
    expect(parse(stop, user('go on'), again)).toMatchObject({
      error: { uuid: 'again' },
      hasMovedOn: false,
    });
  });

  test('an error of a side chain is not the conversation’s', () => {
    expect(parse(user('x'), { ...stop, isSidechain: true }).error).toBeNull();
  });
});

test.each([
  ['open at the end', [call('a')], true],
  ['answered', [call('a'), answer('a')], false],
  ['one of two answered', [call('a'), call('b'), answer('a')], true],
  ['another one answered', [call('a'), answer('b')], true],
  ['left behind by a typed message', [call('a'), user('never mind')], false],
  ['not touched by a notification', [call('a'), user('<task-notification>x')], true],
  ['cut off by the error itself', [call('a'), stop], false],
  ['asked after the error', [stop, call('a')], true],
  ['of a side chain', [{ ...call('a'), isSidechain: true }], false],
])('a tool call %s: is it open?', (_, records, expected) => {
  expect(parse(...records).hasOpenToolCall).toBe(expected);
});

test('finds nonces in users’ texts only, in order', () => {
  const [one, two] = ['0123456789abcdef', 'fedcba9876543210'];
  const tail = parse(
    user(`[secondwind ${one}] go on`),
    model(`[secondwind ffffffffffffffff] said it`),
    user([{ type: 'text', text: `[secondwind ${two}] again` }]),
    { ...user(`[secondwind aaaaaaaaaaaaaaaa] x`), isSidechain: true },
  );
  expect(tail.nonces).toEqual([one, two]);
});

test('passes over what is broken', () => {
  const lines = ['', 'null', '[]', '"x"', '{"type":"assistant"', '\0\0', '{}', '{"message":5}'];
  const tail = parseTail('p', [...lines, JSON.stringify(stop), '{"type":"user","mess']);
  expect(tail).toMatchObject({ error: { text: TEXT }, hasMovedOn: false });
  expect(parseTail('p', lines)).toMatchObject({ error: null, hasRecords: false });
});

describe('the file', () => {
  const path = () => join(folder.path, 's.jsonl');

  test('of a gigabyte is read in less than 50 ms, by its tail alone', () => {
    const file = openSync(path(), 'w');
    ftruncateSync(file, 2 ** 30);
    const lines = [user('hello'), model('hi'), stop].map((record) => JSON.stringify(record));
    appendFileSync(path(), `\n${lines.join('\n')}\n`);
    const before = process.memoryUsage().rss;
    const startedAt = performance.now();
    const tail = readTranscript(path());
    expect(performance.now() - startedAt).toBeLessThan(50);
    expect(process.memoryUsage().rss - before).toBeLessThan(32e6);
    expect(tail).toMatchObject({ known: true, value: { error: { text: TEXT }, hasRecords: true } });
  });

  test('is unknown when its last record alone is longer than what is read', () => {
    writeFileSync(
      path(),
      `${JSON.stringify(stop)}\n${JSON.stringify(user('x'.repeat(300_000)))}\n`,
    );
    expect(readTranscript(path())).toMatchObject({ known: false });
  });

  test('begins in the middle of a record, which does not count', () => {
    writeFileSync(
      path(),
      `${JSON.stringify(stop)}\n`.repeat(1000) + JSON.stringify(user('go on', AT + 10)),
    );
    expect(readTranscript(path())).toMatchObject({ known: true, value: { hasMovedOn: true } });
  });

  test('that is not there is none, that is a folder is unknown', () => {
    expect(readTranscript(path())).toEqual({ known: true, value: null });
    expect(readTranscript(folder.path)).toMatchObject({ known: false });
  });

  test('names its first records, by which a copy is told', () => {
    const records = Array.from({ length: 30 }, (_, n) => ({ ...user('x'), uuid: `u${n}` }));
    const text = records.map((record) => JSON.stringify(record)).join('\n');
    writeFileSync(path(), `{"type":"mode"}\n${text}\n`);
    const uuids = Array.from({ length: 20 }, (_, n) => `u${n}`);
    expect(readFirstUuids(path())).toEqual({ known: true, value: uuids });
  });
});

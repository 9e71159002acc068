// One tick at a time: a living holder keeps the lock, a dead one loses it, a stuck one is said.
import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isSurelyDead, ownHolder } from '../../src/resume/hands.ts';
import { type Lock, type LockRequest, takeLock } from '../../src/store/lock.ts';
import { type Folder, makeFolder } from '../folder.ts';

const NOW = Date.UTC(2026, 11, 1, 12);
const MINUTE = 60_000;
let folder: Folder;
let state: string;
const locks: Lock[] = [];
beforeEach(() => {
  folder = makeFolder();
  state = join(folder.path, 'secondwind');
});
afterEach(async () => {
  for (const lock of locks.splice(0)) await lock.release();
  folder.remove();
});

const take = async (over: Partial<LockRequest> = {}) => {
  const taken = await takeLock({
    folder: state,
    holder: ownHolder(),
    now: NOW,
    isDead: isSurelyDead,
    ...over,
  });
  if (taken.ok) locks.push(taken.value);
  return taken;
};
const holderPath = () => join(state, '.lock', 'holder.json');
const holder = () => JSON.parse(readFileSync(holderPath(), 'utf8'));
function leaveLock(left: unknown) {
  mkdirSync(join(state, '.lock'), { recursive: true });
  writeFileSync(holderPath(), typeof left === 'string' ? left : JSON.stringify(left));
}
const at = new Date(NOW - MINUTE).toISOString();
const DEAD = { pid: 4_200_000, boot_id: null, start: '1', at };

test('a free lock is taken, with its holder’s name, in a private folder', async () => {
  expect((await take()).ok).toBe(true);
  expect(holder()).toEqual({ ...ownHolder(), at: new Date(NOW).toISOString() });
  expect((statSync(state).mode & 0o777).toString(8)).toBe('700');
  expect((statSync(holderPath()).mode & 0o777).toString(8)).toBe('600');
});

test('a lock that was released is free, and leaves nothing', async () => {
  const taken = await take();
  if (taken.ok) await taken.value.release();
  locks.splice(0);
  expect(readdirSync(state)).toEqual([]);
  expect((await take()).ok).toBe(true);
});

test('of twenty at once one gets it', async () => {
  const taken = await Promise.all(Array.from({ length: 20 }, () => take()));
  expect(taken.filter((one) => one.ok)).toHaveLength(1);
  expect(readdirSync(state)).toEqual(['.lock']);
});

describe('a living holder', () => {
  test.each([
    ['for a minute', MINUTE, false],
    ['for exactly ten minutes', 10 * MINUTE, false],
    ['for more than ten minutes: stuck', 10 * MINUTE + 1, true],
  ])('keeps it %s', async (_, heldMs, isStuck) => {
    await take();
    const second = await take({ now: NOW + heldMs });
    expect(second).toMatchObject({ ok: false, failure: { kind: 'held', isStuck } });
    if (second.ok || second.failure.kind !== 'held') throw new Error('taken');
    expect(second.failure.message).toContain(`process ${process.pid}`);
    if (isStuck) expect(second.failure.message).toContain(join(state, '.lock'));
  });

  test('that gets on is not stuck', async () => {
    const first = await take();
    if (first.ok) first.value.touch(NOW + 9 * MINUTE);
    expect(await take({ now: NOW + 15 * MINUTE })).toMatchObject({ failure: { isStuck: false } });
  });
});

describe('a dead holder loses it', () => {
  test.each([
    ['its process is gone', DEAD],
    ['its pid is another process now', { ...ownHolder(), start: '1', at }],
    ['it held it before this boot', { ...ownHolder(), boot_id: 'another', at }],
  ])('when %s', async (_, left) => {
    leaveLock(left);
    expect((await take()).ok).toBe(true);
    expect(holder()).toMatchObject({ pid: process.pid, start: ownHolder().start });
    expect(readdirSync(state)).toEqual(['.lock']);
  });

  test('to one of twenty', async () => {
    leaveLock(DEAD);
    const taken = await Promise.all(Array.from({ length: 20 }, () => take()));
    expect(taken.filter((one) => one.ok)).toHaveLength(1);
  });
});

describe('a holder that nobody knows', () => {
  test.each([
    ['is garbage', '{"pid":'],
    ['has no pid', { at }],
    ['has no instant', { pid: 1 }],
  ])('keeps it for ten minutes when its name %s', async (_, left) => {
    leaveLock(left);
    utimesSync(join(state, '.lock'), NOW / 1000, NOW / 1000);
    expect(await take({ now: NOW + MINUTE })).toMatchObject({
      failure: {
        kind: 'held',
        isStuck: false,
        message: expect.stringContaining('somebody unknown'),
      },
    });
    const later = await take({ now: NOW + 11 * MINUTE });
    expect(later.ok).toBe(true);
    if (later.ok) await later.value.release();
  });
});

test('a state folder that cannot be made gives no lock', async () => {
  writeFileSync(state, '');
  expect(await take()).toMatchObject({ ok: false, failure: { kind: 'unwritable' } });
});

test('a file in the lock’s place is said, not broken', async () => {
  mkdirSync(state);
  writeFileSync(join(state, '.lock'), 'x');
  expect((await take()).ok).toBe(false);
  expect(readFileSync(join(state, '.lock'), 'utf8')).toBe('x');
});

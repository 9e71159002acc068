// What is remembered of quiet jobs: found again only for the very file, the very program and policy, and never trusted
// when it is broken.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  isRememberable,
  type QuietJob,
  readQuietJobs,
  sessionNumber,
  writeQuietJobs,
} from '../../src/store/quiet-jobs.ts';
import { type Folder, makeFolder } from '../folder.ts';

let folder: Folder;
beforeEach(() => {
  folder = makeFolder();
});
afterEach(() => folder.remove());

const stamp = {
  ino: 4_294_967_297,
  size: 812,
  mtimeMs: 1_796_115_600_123.456,
  ctimeMs: 1_796_115_600_124,
};
const done: QuietJob = {
  id: '00c0ffee',
  session: 0xc0ffee123456,
  isAlone: true,
  until: null,
  stamp,
};
const waiting: QuietJob = {
  id: 'fedcba98',
  session: 1,
  isAlone: true,
  until: 1_796_119_200_000,
  stamp: { ...stamp, ino: 7 },
};
const husk: QuietJob = { ...done, id: '11111111', isAlone: false, stamp: { ...stamp, ino: 8 } };

test('what was written is found again, in any order', () => {
  expect(writeQuietJobs(folder.path, 'k', [done, waiting, husk])).toMatchObject({ ok: true });
  const jobs = readQuietJobs(folder.path, 'k');
  for (const job of [husk, done, waiting, waiting, done]) {
    const place = jobs.find(job.id, job.stamp);
    expect(jobs.at(place)).toEqual(job);
    expect([jobs.sessionAt(place), jobs.untilAt(place), jobs.isAloneAt(place)]).toEqual([
      job.session,
      job.until,
      job.isAlone,
    ]);
  }
});

test.each([
  ['inode', { ino: 1 }],
  ['size', { size: 813 }],
  ['time of content', { mtimeMs: stamp.mtimeMs + 0.001 }],
  ['time of inode', { ctimeMs: stamp.ctimeMs + 1 }],
])('a file with another %s is not found', (_, over) => {
  writeQuietJobs(folder.path, 'k', [done]);
  expect(readQuietJobs(folder.path, 'k').find(done.id, { ...stamp, ...over })).toBe(-1);
});

test('another job, another program or another policy finds nothing', () => {
  writeQuietJobs(folder.path, 'k', [done]);
  expect(readQuietJobs(folder.path, 'k').find('00c0ffef', stamp)).toBe(-1);
  expect(readQuietJobs(folder.path, 'k').find('../../x', stamp)).toBe(-1);
  for (const key of ['', 'k2', 'K']) {
    expect(readQuietJobs(folder.path, key).find(done.id, stamp)).toBe(-1);
  }
});

test('a file that is absent, cut short, of other bytes or a folder is nothing remembered', () => {
  const path = join(folder.path, 'quiet-jobs.bin');
  expect(readQuietJobs(folder.path, 'k').find(done.id, stamp)).toBe(-1);
  writeQuietJobs(folder.path, 'k', [waiting, done]);
  const whole = readFileSync(path);
  for (let length = 0; length < whole.length; length += 1) {
    writeFileSync(path, whole.subarray(0, length));
    expect(readQuietJobs(folder.path, 'k').find(done.id, stamp)).toBe(-1);
  }
  for (const text of ['', '{"version":1}', 'k\n', `k\n${'x'.repeat(999)}`]) {
    writeFileSync(path, text);
    expect(readQuietJobs(folder.path, 'k').find(done.id, stamp)).toBe(-1);
  }
});

test('only an id of a job and a session can be remembered', () => {
  expect(['00c0ffee', 'deadbeef'].every(isRememberable)).toBe(true);
  expect(['DEADBEEF', '0xc0ffee', '00c0ffee1', '', '..'].some(isRememberable)).toBe(false);
  expect(sessionNumber('00c0ffee-1234-4000-8000-000000000000')).toBe(0xc0ffee1234);
  expect([sessionNumber(''), sessionNumber('00c0ffee1234'), sessionNumber('x')]).toEqual([
    null,
    null,
    null,
  ]);
});

test('it cannot be written: said, and the caller goes on', () => {
  expect(writeQuietJobs('/proc/none', 'k', [done])).toMatchObject({ ok: false });
});

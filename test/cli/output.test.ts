// What is printed goes out whole, and what keeps it from going out is known.
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { outputOn } from '../../src/cli/output.ts';
import { type Folder, makeFolder } from '../folder.ts';

let folder: Folder;
beforeEach(() => {
  folder = makeFolder();
});
afterEach(() => folder.remove());

const noStream = (): never => {
  throw new Error('a stream was made');
};

test('a file gets the text whole, and no stream is made for it', () => {
  const path = join(folder.path, 'out');
  const file = openSync(path, 'w');
  const output = outputOn(file, noStream);
  output.write('one ·\n');
  output.write('x'.repeat(300_000));
  closeSync(file);
  expect(readFileSync(path, 'utf8')).toBe(`one ·\n${'x'.repeat(300_000)}`);
  expect([output.isTTY, output.columns, output.fault()]).toEqual([false, undefined, null]);
});

test.skipIf(!existsSync('/dev/full'))('a full disk is a fault, said once', () => {
  // `/dev/full` is a character device, as a terminal is: its bytes go through the stream, which is made to a file's here.
  const file = openSync('/dev/full', 'w');
  const written: string[] = [];
  const listeners: ((error: NodeJS.ErrnoException) => void)[] = [];
  const stream = {
    isTTY: false,
    on(_: string, listener: (error: NodeJS.ErrnoException) => void) {
      listeners.push(listener);
      return this;
    },
    write(text: string) {
      written.push(text);
      listeners[0]?.(Object.assign(new Error('no space'), { code: 'ENOSPC' }));
      return true;
    },
  };
  const output = outputOn(file, () => stream as unknown as NodeJS.WriteStream);
  output.write('a');
  output.write('b');
  closeSync(file);
  expect([written, output.fault()]).toEqual([['a'], 'ENOSPC']);
});

test('a closed descriptor is a fault', () => {
  const file = openSync(join(folder.path, 'out'), 'w');
  closeSync(file);
  const output = outputOn(file, noStream);
  output.write('a');
  expect(output.fault()).toBe('EBADF');
});

// Files that must not be lost: private whatever the umask, whole or not at all, never over somebody else's.
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  createFile,
  makePrivateFolder,
  readStateFile,
  removeQuietly,
  replaceFile,
} from '../../src/store/files.ts';
import { type Folder, makeFolder } from '../folder.ts';

let folder: Folder;
let umask: number;
beforeEach(() => {
  folder = makeFolder();
  umask = process.umask(0o000);
});
afterEach(() => {
  process.umask(umask);
  folder.remove();
});
const at = (name: string) => join(folder.path, name);
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

describe('under umask 000', () => {
  test('a folder is 0700, and so are the folders made on the way', () => {
    expect(makePrivateFolder(at('a/b')).ok).toBe(true);
    expect([modeOf(at('a')), modeOf(at('a/b'))]).toEqual(['700', '700']);
  });

  test('a folder that others could read is closed to them', () => {
    mkdirSync(at('open'), 0o755);
    expect(makePrivateFolder(at('open')).ok).toBe(true);
    expect(modeOf(at('open'))).toBe('700');
  });

  test.each([
    ['replaced', replaceFile],
    ['created', createFile],
  ])('a file that is %s is 0600', (_, write) => {
    expect(write(at('x'), 'text').ok).toBe(true);
    expect(modeOf(at('x'))).toBe('600');
  });

  test('a file that others could read is closed to them when it is replaced', () => {
    writeFileSync(at('x'), 'old', { mode: 0o666 });
    replaceFile(at('x'), 'new');
    expect(modeOf(at('x'))).toBe('600');
  });
});

describe('a state folder is refused', () => {
  test.each([
    [
      'a link to a folder',
      () => [mkdirSync(at('elsewhere')), symlinkSync(at('elsewhere'), at('state'))],
    ],
    ['a link to nowhere', () => symlinkSync('/nowhere', at('state'))],
    ['a file', () => writeFileSync(at('state'), '')],
  ])('that is %s', (_, prepare) => {
    prepare();
    expect(makePrivateFolder(at('state'))).toMatchObject({
      ok: false,
      failure: {
        kind: 'unwritable',
        path: at('state'),
        message: expect.stringContaining(at('state')),
      },
    });
  });

  test('whose place cannot be written', () => {
    expect(makePrivateFolder('/dev/null/secondwind')).toMatchObject({
      failure: { kind: 'unwritable' },
    });
  });
});

describe('reading', () => {
  test('gives the text, and null for none', () => {
    writeFileSync(at('x'), 'text');
    expect(readStateFile(at('x'))).toEqual({ ok: true, value: 'text' });
    expect(readStateFile(at('y'))).toEqual({ ok: true, value: null });
  });

  test('what is no file is a failure with its place', () => {
    expect(readStateFile(folder.path)).toMatchObject({
      failure: {
        kind: 'unreadable',
        path: folder.path,
        message: expect.stringContaining('EISDIR'),
      },
    });
  });
});

describe('writing', () => {
  test('replaces whole, and leaves nothing beside it', () => {
    writeFileSync(at('x'), 'a much longer old text');
    expect(replaceFile(at('x'), 'näw').ok).toBe(true);
    expect(readFileSync(at('x'), 'utf8')).toBe('näw');
    expect(readdirSync(folder.path)).toEqual(['x']);
  });

  test('creates once: the second is told, and the first stays', () => {
    expect(createFile(at('x'), 'first')).toEqual({ ok: true, value: true });
    expect(createFile(at('x'), 'second')).toEqual({ ok: true, value: false });
    expect(readFileSync(at('x'), 'utf8')).toBe('first');
    expect(readdirSync(folder.path)).toEqual(['x']);
  });

  test('does not follow a link that stands in its place', () => {
    writeFileSync(at('target'), 'kept');
    symlinkSync(at('target'), at('x'));
    expect(createFile(at('x'), 'new')).toEqual({ ok: true, value: false });
    replaceFile(at('x'), 'new');
    expect(readFileSync(at('target'), 'utf8')).toBe('kept');
  });

  test.each([
    ['replaced', replaceFile],
    ['created', createFile],
  ])('what cannot be %s is a failure, the old one is still there, nothing else is', (_, write) => {
    mkdirSync(at('x/inside'), { recursive: true });
    expect(write(at('none/x'), 'text')).toMatchObject({
      failure: {
        kind: 'unwritable',
        path: at('none/x'),
        message: expect.stringContaining('ENOENT'),
      },
    });
    const taken = write(at('x'), 'text');
    if (taken.ok) expect(taken.value).toBe(false);
    else expect(taken.failure.kind).toBe('unwritable');
    expect(readdirSync(folder.path)).toEqual(['x']);
    expect(readdirSync(at('x'))).toEqual(['inside']);
  });

  test('a full disk is a failure', () => {
    expect(replaceFile('/dev/full/x', 'text')).toMatchObject({ failure: { kind: 'unwritable' } });
  });

  test.skipIf(process.getuid?.() === 0)('a read-only folder is a failure', () => {
    chmodSync(folder.path, 0o500);
    expect(replaceFile(at('x'), 'text')).toMatchObject({ failure: { kind: 'unwritable' } });
    chmodSync(folder.path, 0o700);
  });
});

test('removing what is not there changes nothing', () => {
  expect(() => removeQuietly(at('none'))).not.toThrow();
});

// Where a Claude home is, and that only safe names in it become paths.
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  checkHome,
  isJobFolder,
  listJobIds,
  listJobNames,
  locateHome,
  statePath,
} from '../../src/claude/home.ts';
import { type Folder, makeFolder } from '../folder.ts';

let folder: Folder;
beforeEach(() => {
  folder = makeFolder();
});
afterEach(() => folder.remove());
const home = () => ({ path: folder.path, isDefault: false });

describe('the home is', () => {
  const all = { HOME: '/h', CLAUDE_HOME: '/ch', CLAUDE_CONFIG_DIR: '/cc' };
  test.each<[string, string | undefined, NodeJS.ProcessEnv, string, boolean]>([
    ['the flag’s', '/flag', all, '/flag', false],
    ['else CLAUDE_HOME', undefined, all, '/ch', false],
    ['else CLAUDE_CONFIG_DIR', undefined, { ...all, CLAUDE_HOME: '' }, '/cc', false],
    ['else ~/.claude', '', { HOME: '/h' }, '/h/.claude', true],
    ['the account’s where no HOME is set', undefined, {}, join(homedir(), '.claude'), true],
    ['the default one though it is named', '/h/.claude/', all, '/h/.claude', true],
    ['the default one by a tilde', '~/.claude', all, '/h/.claude', true],
    ['relative to here', 'x', all, join(process.cwd(), 'x'), false],
    ['not of another user by a tilde', '/~bob', all, '/~bob', false],
  ])('%s', (_, flag, env, path, isDefault) => {
    expect(locateHome(flag, env)).toEqual({ path, isDefault });
  });

  test('kept state lies in it', () => {
    expect(statePath(home())).toBe(join(folder.path, 'secondwind'));
  });
});

test('a home that is not there is named, with how to say another', () => {
  const path = join(folder.path, 'none');
  expect(checkHome({ path, isDefault: false })).toMatchObject({
    ok: false,
    failure: { kind: 'no-home', message: expect.stringContaining(`${path} (set --claude-home`) },
  });
});

test('a home that is a file is none', () => {
  const path = join(folder.path, 'file');
  writeFileSync(path, '');
  expect(checkHome({ path, isDefault: false })).toMatchObject({ failure: { kind: 'no-home' } });
  expect(checkHome(home()).ok).toBe(true);
});

describe('jobs', () => {
  test('are the folders with safe names', () => {
    for (const name of ['ac67d09b', 'b.c_d-e', '.hidden', 'a b', 'x'.repeat(129), 'new\nline']) {
      mkdirSync(join(folder.path, 'jobs', name), { recursive: true });
    }
    writeFileSync(join(folder.path, 'jobs', 'file'), '');
    symlinkSync('/', join(folder.path, 'jobs', 'link'));
    const ids = listJobIds(home());
    expect(ids.ok && ids.value.sort()).toEqual(['ac67d09b', 'b.c_d-e']);
    const names = listJobNames(home());
    expect(names.ok && names.value.filter((name) => isJobFolder(home(), name)).sort()).toEqual(
      ids.ok && ids.value,
    );
  });

  test('are none where there is no folder', () => {
    expect(listJobIds(home())).toEqual({ ok: true, value: [] });
  });

  test('cannot be listed where jobs is a file', () => {
    writeFileSync(join(folder.path, 'jobs'), '');
    expect(listJobIds(home())).toMatchObject({ failure: { kind: 'home-unreadable' } });
  });

  test.skipIf(process.getuid?.() === 0)('cannot be listed without permission', () => {
    mkdirSync(join(folder.path, 'jobs'));
    chmodSync(join(folder.path, 'jobs'), 0);
    expect(listJobIds(home())).toMatchObject({ failure: { kind: 'home-unreadable' } });
    chmodSync(join(folder.path, 'jobs'), 0o700);
  });
});

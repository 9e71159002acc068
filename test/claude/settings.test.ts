// What the home and the machine say of themselves: a login, free disk, the host; no secret is ever opened.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { foreignHost, hasLogin, readFreeDisk } from '../../src/claude/settings.ts';
import { type Folder, makeFolder } from '../folder.ts';

let folder: Folder;
beforeEach(() => {
  folder = makeFolder();
});
afterEach(() => folder.remove());
const home = () => ({ path: folder.path, isDefault: false });
const write = (file: string, text: string) => writeFileSync(join(folder.path, file), text);

describe.skipIf(process.platform === 'darwin')('a login', () => {
  test.each<[string, () => void, NodeJS.ProcessEnv, boolean]>([
    ['nothing', () => undefined, {}, false],
    ['a credentials file', () => write('.credentials.json', '{"claudeAiOauth":{}}'), {}, true],
    ['an empty credentials file', () => write('.credentials.json', '{}'), {}, false],
    ['a token in the environment', () => undefined, { CLAUDE_CODE_OAUTH_TOKEN: 'x' }, true],
    ['an empty token', () => undefined, { CLAUDE_CODE_OAUTH_TOKEN: '' }, false],
    ['another provider', () => undefined, { CLAUDE_CODE_USE_BEDROCK: '1' }, true],
    // An API key is not passed to background sessions.
    ['an API key alone', () => undefined, { ANTHROPIC_API_KEY: 'x' }, false],
    ['a key helper', () => write('settings.json', '{"apiKeyHelper":"/bin/key"}'), {}, true],
    ['settings without one', () => write('settings.json', '{"apiKeyHelper":5}'), {}, false],
    ['settings that are cut', () => write('settings.json', '{"apiKeyHel'), {}, false],
  ])('with %s: %s', (_, prepare, env, expected) => {
    prepare();
    expect(hasLogin(home(), env)).toEqual({ known: true, value: expected });
  });

  test('that cannot be looked for is unknown', () => {
    const path = join(folder.path, 'file');
    writeFileSync(path, '');
    expect(hasLogin({ path, isDefault: false }, {}).known).toBe(false);
  });
});

test('free disk is a number of bytes, and unknown where nothing is', () => {
  const free = readFreeDisk(folder.path);
  expect(free.known && Number.isInteger(free.value) && free.value > 0).toBe(true);
  expect(readFreeDisk(join(folder.path, 'none'))).toMatchObject({
    known: false,
    why: expect.stringContaining('ENOENT'),
  });
});

function machineId(): string | null {
  try {
    const id = readFileSync('/etc/machine-id', 'utf8').trim();
    return /^[0-9a-f]{32}$/.test(id) ? id : null;
  } catch {
    return null;
  }
}
const ownId = machineId();

describe.skipIf(ownId === null)('the host of a home', () => {
  const foreign = 'f'.repeat(32);
  const session = (pid: number, host: string, startedAt: number) => {
    mkdirSync(join(folder.path, 'sessions'), { recursive: true });
    const pidDomain = `linux:${host}:pid:[4026531836]`;
    write(`sessions/${pid}.json`, JSON.stringify({ pid, pidDomain, startedAt }));
  };

  test.each<[string, () => void, string | null]>([
    ['nothing says', () => undefined, null],
    ['it is ours', () => session(1, ownId ?? '', 1), null],
    ['it is another', () => session(1, foreign, 1), foreign],
    [
      'the newest session is ours',
      () => [session(1, foreign, 1), session(2, ownId ?? '', 2)],
      null,
    ],
    [
      'the newest session is another’s',
      () => [session(1, foreign, 2), session(2, ownId ?? '', 1)],
      foreign,
    ],
    [
      'a session file is garbage',
      () => [session(1, foreign, 1), write('sessions/1.json', 'x')],
      null,
    ],
  ])('%s', (_, prepare, expected) => {
    prepare();
    expect(foreignHost(home())).toBe(expected);
  });
});

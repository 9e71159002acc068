// What sessions write is hostile and may be secret: neither controls nor secrets reach any output or state file.
import { appendFileSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderOf } from '../run-tick.ts';
import { makeJob, readLaunches, writeWeather } from '../stand-in.ts';
import { useHome, useProgram } from '../use.ts';
import { expectClear, type Ran, tick } from './program.ts';

const HOUR = 3_600_000;
const past = { shownAt: Date.now() - 3 * HOUR, resetsAt: Date.now() - HOUR };
const program = useProgram();
const made = useHome();

const FORMS: readonly (readonly [string, readonly string[], Record<string, string>])[] = [
  ['log', [], {}],
  ['table', [], { SECONDWIND_TABLE: '1' }],
  ['json', ['--json'], {}],
  ['log, debug', [], { SECONDWIND_DEBUG: '1' }],
];

/** Everything that a dry tick prints, in each form. */
const runForms = (words: readonly string[] = []): Promise<Ran[]> =>
  Promise.all(
    FORMS.map(([, form, more]) =>
      tick(program, made.home, ['--dry-run', ...form, ...words], { more }),
    ),
  );

// Title, clear screen, a line that looks like ours, C1, a direction override, a hyperlink, backspaces, nulls.
const HOSTILE =
  '\u001b]0;owned\u0007\u001b[2J\u001b[31mred\r\n2026-12-01T00:00:00Z resumed 99\u009b1m\u202egnp.exe\u202c\u001b]8;;http://evil\u001b\\x\b\b\u0000\u200bend\u2028\u2066';
const FORBIDDEN =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/;

function expectHarmless({ stdout, stderr }: Ran): void {
  expect(stdout).not.toMatch(FORBIDDEN);
  expect(stderr).not.toMatch(FORBIDDEN);
  expect(`${stdout}\n${stderr}`).not.toMatch(/^2026-12-01T00:00:00Z resumed 99/m);
}

/** Every text within a JSON value, keys too. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...textsOf(inner)]);
}

test('no control character of a session reaches a terminal, a log or a JSON reader', async () => {
  const limit = `You've hit your 5-hour limit · resets 3pm (UTC)${HOSTILE}`;
  const hostile = { ...past, name: HOSTILE };
  makeJob(made.home, hostile);
  makeJob(made.home, { ...hostile, detail: limit, needs: HOSTILE, text: limit });
  makeJob(made.home, { ...hostile, error: null, detail: HOSTILE, needs: HOSTILE });
  makeJob(made.home, { ...hostile, state: HOSTILE });
  makeJob(made.home, { ...hostile, state: 'failed', detail: HOSTILE });
  makeJob(made.home, { ...hostile, state: 'working', needs: `approve Bash: ${HOSTILE}` });
  makeJob(made.home, { ...hostile, fields: { template: HOSTILE } });
  makeJob(made.home, { ...hostile, fields: { backend: HOSTILE } });
  makeJob(made.home, { ...hostile, fields: { sessionId: HOSTILE, resumeSessionId: HOSTILE } });
  makeJob(made.home, { ...hostile, fields: { cwd: `/tmp/${HOSTILE}` } });
  makeJob(made.home, { ...hostile, row: { status: 'waiting', waitingFor: HOSTILE } });
  for (const ran of await runForms()) {
    expectClear(ran);
    expect(ran.status).toBe(0);
    expectHarmless(ran);
  }
  const { stdout } = await tick(program, made.home, ['--dry-run', '--json']);
  expect(textsOf(JSON.parse(stdout)).filter((text) => FORBIDDEN.test(text))).toEqual([]);
});

test('no control character of a client or a state file reaches a terminal', async () => {
  makeJob(made.home, { ...past, name: HOSTILE });
  writeWeather(made.home, { resume: { exit: 1, stderr: HOSTILE } });
  const ran = await tick(program, made.home, [], { more: { SECONDWIND_TABLE: '1' } });
  expect(ran.status).toBe(1);
  expectHarmless(ran);
  const folder = folderOf(made.home);
  const hold = JSON.stringify({ version: 1, conversations: { [HOSTILE]: 5 } });
  writeFileSync(join(folder, 'holds.json'), hold);
  const held = await tick(program, made.home);
  expect(held.status).toBe(74);
  expectHarmless(held);
  writeFileSync(join(folder, 'holds.json'), '{"version":1}');
  const ledger = { version: 1, launches: [], conversations: { [HOSTILE]: 5 } };
  writeFileSync(join(folder, 'ledger.json'), JSON.stringify(ledger));
  const broken = await tick(program, made.home);
  expect(broken.status).toBe(74);
  expectHarmless(broken);
});

const SECRET = 'SECRET-7f3a';

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

function plantSecrets(): void {
  const secrets = {
    intent: `${SECRET} in the prompt`,
    fields: {
      providerEnv: { ANTHROPIC_API_KEY: SECRET, TZ: `Europe/${SECRET}` },
      queuedPrompt: SECRET,
      output: SECRET,
    } as Record<string, unknown>,
    respawnFlags: ['--append-system-prompt', SECRET, '--name', 'job'],
  };
  makeJob(made.home, {
    ...past,
    ...secrets,
    fields: { ...secrets.fields, queuedPrompt: null } as never,
  });
  makeJob(made.home, { ...past, ...secrets });
  makeJob(made.home, { resetsAt: Date.now() + HOUR, ...secrets });
  makeJob(made.home, { ...past, ...secrets, version: '2.1.233', transcript: 'none' });
  for (const state of ['done', 'working', 'stopped', 'failed', SECRET.toLowerCase()]) {
    makeJob(made.home, { ...past, ...secrets, state: state === 'secret-7f3a' ? 'asleep' : state });
  }
  // Just after a prompt arrives, the detail is the prompt's own text for some seconds (client.md §3).
  for (const state of ['blocked', 'working', 'failed', 'running', 'starting']) {
    const detail = `${SECRET} in the prompt`;
    makeJob(made.home, { ...past, ...secrets, state, error: null, detail, needs: null });
  }
  const broken = makeJob(made.home, { ...past, ...secrets });
  writeFileSync(broken.statePath, `{"providerEnv": {"ANTHROPIC_API_KEY": "${SECRET}"`);
  const foreign = makeJob(made.home, { ...past, ...secrets });
  writeFileSync(foreign.statePath, JSON.stringify({ state: 'blocked', detail: [SECRET] }));
  const credentials = { claudeAiOauth: { accessToken: SECRET, refreshToken: SECRET } };
  writeFileSync(join(made.home, '.credentials.json'), JSON.stringify(credentials));
  writeFileSync(join(made.home, 'settings.json'), JSON.stringify({ env: { KEY: SECRET } }));
  appendFileSync(join(made.home, 'daemon.log'), SECRET);
}

test('no secret and no prompt is ever printed or kept', async () => {
  plantSecrets();
  const more = { CLAUDE_CODE_OAUTH_TOKEN: SECRET, ANTHROPIC_API_KEY: SECRET };
  const words = ['--prompt', `${SECRET} of ours`];
  const rans = await runForms(words);
  const real = await tick(program, made.home, [...words, '--max-per-run', '1'], { more });
  expect(readLaunches(made.home)).toHaveLength(1);
  const again = await tick(program, made.home, [...words, '--dry-run', '--json'], { more });
  for (const ran of [...rans, real, again]) {
    expectClear(ran);
    const lines = `${ran.stdout}\n${ran.stderr}`.split('\n');
    expect.soft(lines.filter((line) => line.includes(SECRET))).toEqual([]);
  }
  for (const path of filesIn(folderOf(made.home))) {
    expect.soft(readFileSync(path, 'utf8'), path).not.toContain(SECRET);
    expect.soft(statSync(path).mode & 0o077, path).toBe(0);
  }
  expect(statSync(folderOf(made.home)).mode & 0o777).toBe(0o700);
});

test('no secret is printed when the program fails', async () => {
  plantSecrets();
  const more = { CLAUDE_CODE_OAUTH_TOKEN: SECRET, SECONDWIND_DEBUG: '1' };
  writeWeather(made.home, { listing: { exit: 3, stdout: SECRET, stderr: SECRET } });
  const listing = await tick(program, made.home, ['--prompt', SECRET], { more });
  expect(listing.status).toBe(69);
  const usage = await tick(program, made.home, ['--prompt', SECRET, '--margin', 'x'], { more });
  expect(usage.status).toBe(2);
  for (const ran of [listing, usage]) {
    expectClear(ran);
    expect(`${ran.stdout}${ran.stderr}`).not.toContain(SECRET);
  }
});

// Jobs that cannot be read as they should: each is said to be unknown, with why, and none hides another one.
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeJob, readLaunches, writeWeather } from '../stand-in.ts';
import { useHome, useProgram } from '../use.ts';
import { expectClear, expectRefusal, shownOf, tick } from './program.ts';

const HOUR = 3_600_000;
const past = { shownAt: Date.now() - 3 * HOUR, resetsAt: Date.now() - HOUR };
const DRY = ['--dry-run', '--json'];
const program = useProgram();
const made = useHome();

const idOf = (index: number): string => `bad${index.toString(16).padStart(5, '0')}`;

/** A folder under `jobs/` with this text as its state; null: with none. */
function writeFolder(id: string, text: string | null): string {
  const folder = join(made.home, 'jobs', id);
  mkdirSync(folder, { recursive: true });
  if (text !== null) writeFileSync(join(folder, 'state.json'), text);
  return folder;
}

const TEXTS: readonly (readonly [string, string | null, RegExp])[] = [
  ['no state at all', null, /has no state\.json/],
  ['an empty file', '', /no JSON/],
  ['a file cut short', '{"state": "blocked", "detail": "You\'ve hit', /no JSON/],
  ['zeros', '\0'.repeat(4096), /no JSON/],
  ['HTML', '<!DOCTYPE html><html><body>520</body></html>', /no JSON/],
  ['an array', '[{"state":"blocked"}]', /no object/],
  ['null', 'null', /no object/],
  ['a text', '"blocked"', /no object/],
  ['an object of something else', '{"jobs": 3}', /foreign state/],
  ['a state nobody knows', '{"state":"hibernating","template":"bg"}', /hibernating/],
  ['an empty state', '{"state":""}', /not known/],
  ['256 KiB and more', `{"state":"blocked","detail":"${'x'.repeat(300_000)}"}`, /larger than/],
  ['deep nesting', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, /no object|no JSON/],
];

test('says of each unreadable state why, and still sees the others', async () => {
  const good = makeJob(made.home, past);
  const waits = makeJob(made.home, { resetsAt: Date.now() + HOUR });
  for (const [index, [, text]] of TEXTS.entries()) writeFolder(idOf(index), text);
  const ran = await tick(program, made.home, DRY);
  expectClear(ran);
  expect(ran.status).toBe(0);
  const shown = shownOf(ran);
  for (const [index, [title, , why]] of TEXTS.entries()) {
    expect.soft(shown[idOf(index)], title).toMatch(/^skip \w+ unknown: /);
    expect.soft(shown[idOf(index)], title).toMatch(why);
  }
  expect(shown[good.id]).toMatch(/^resume - usage_cap/);
  expect(shown[waits.id]).toMatch(/^wait reset usage_cap/);
});

test('says of each field of a foreign type which one it is', async () => {
  const good = makeJob(made.home, past);
  const foreign: Record<string, unknown[]> = {
    state: [7, null, ['blocked'], { blocked: true }],
    detail: [[], {}, 12, true],
    needs: [{ text: 'x' }, 1],
    inFlight: ['none', [], { tasks: '3' }, { queued: null }, { kinds: {} }],
    respawnFlags: ['--name x', { 0: '--name' }, [1, 2]],
    sessionId: [12, {}, []],
    resumeSessionId: [false, []],
    cwd: [{}, ['/tmp'], 0],
    createdAt: [1_796_084_400_000, 'yesterday', {}],
    updatedAt: [1_796_084_400, 'soon'],
    template: [1, {}],
    backend: [['daemon']],
    intent: [{}],
    linkScanPath: [4, []],
    name: [{ first: 'x' }, 5],
  };
  const ids = new Map<string, string>();
  for (const [field, values] of Object.entries(foreign)) {
    for (const value of values) {
      const id = idOf(ids.size);
      makeJob(made.home, { ...past, id, fields: { [field]: value } as never });
      ids.set(id, field);
    }
  }
  const ran = await tick(program, made.home, DRY);
  expectClear(ran);
  const shown = shownOf(ran);
  for (const [id, field] of ids) {
    expect.soft(shown[id]).toMatch(new RegExp(`^skip \\w+ unknown: .*foreign .*${field}`));
  }
  expect(shown[good.id]).toMatch(/^resume - usage_cap/);
});

test('takes names that a program could trip over for what they are: no sessions', async () => {
  const good = makeJob(made.home, past);
  const names = ['__proto__', 'constructor', 'toString', '../../x', '', 'ABC', 'x'.repeat(5000)];
  const ids = names.map((name, index) => {
    const fields = { sessionId: name, resumeSessionId: name };
    return makeJob(made.home, { ...past, id: idOf(index), fields }).id;
  });
  const ran = await tick(program, made.home, DRY);
  expectClear(ran);
  expect(ran.status).toBe(0);
  const shown = shownOf(ran);
  for (const id of ids) expect.soft(shown[id]).toMatch(/^skip \w+ unknown/);
  expect(shown[good.id]).toMatch(/^resume - usage_cap/);
});

test('passes over what is no job folder', async () => {
  const good = makeJob(made.home, past);
  writeFileSync(join(made.home, 'jobs', 'index.json'), '{}');
  for (const name of ['.hidden', 'with space', 'é', '-rf\u001b[2J']) writeFolder(name, '{}');
  symlinkSync('/nowhere', join(made.home, 'jobs', 'aaaaaaaa'));
  mkdirSync(join(writeFolder('bbbbbbbb', null), 'state.json'));
  symlinkSync('state.json', join(writeFolder('cccccccc', null), 'state.json'));
  const ran = await tick(program, made.home, DRY);
  expectClear(ran);
  const shown = shownOf(ran);
  expect(shown['bbbbbbbb']).toMatch(/^skip kind unknown: .*cannot be read \(EISDIR\)/);
  expect(shown['cccccccc']).toMatch(/^skip kind unknown: .*cannot be read \(ELOOP\)/);
  expect(shown[good.id]).toMatch(/^resume - usage_cap/);
  expect(Object.keys(shown).every((id) => /^[\w.-]+$/.test(id))).toBe(true);
});

test('is not held up by a pipe in the place of a file', async () => {
  const good = makeJob(made.home, past);
  const folder = writeFolder('dddddddd', null);
  execFileSync('mkfifo', [join(folder, 'state.json')]);
  // The stand-in client would wait at the pipe itself.
  writeWeather(made.home, { listing: { stdout: '[]' } });
  const through = ['timeout', '--signal=KILL', '5'];
  const ran = await tick(program, made.home, DRY, { through });
  expect(ran.status).toBe(0);
  expect(shownOf(ran)[good.id]).toMatch(/^resume - usage_cap/);
});

test('sees nothing when there are no jobs at all, and fails when they cannot be listed', async () => {
  rmSync(join(made.home, 'jobs'), { recursive: true });
  const none = await tick(program, made.home, ['--json']);
  expect([none.status, shownOf(none)]).toEqual([0, {}]);
  writeFileSync(join(made.home, 'jobs'), 'a file');
  expectRefusal(await tick(program, made.home), 74, /cannot list .*jobs \(ENOTDIR\)/);
});

test('reads the end of a transcript of 1 GB, fast, and does not believe one without records there', async () => {
  const large = makeJob(made.home, past);
  const text = readFileSync(large.transcriptPath, 'utf8');
  truncateSync(large.transcriptPath, 2 ** 30);
  appendFileSync(large.transcriptPath, `\n${text}`);
  const hollow = makeJob(made.home, past);
  truncateSync(hollow.transcriptPath, 2 ** 30);
  const ran = await tick(program, made.home, DRY);
  const shown = shownOf(ran);
  expect(shown[large.id]).toMatch(/^resume - usage_cap/);
  expect(shown[hollow.id]).toMatch(/^skip cause unknown: its transcript holds no whole record/);
  expect(ran.wallMs).toBeLessThan(5000);
});

test('does not trust a broken transcript, timeline or roster', async () => {
  const jobs = {
    folder: makeJob(made.home, past),
    garbage: makeJob(made.home, past),
    halfLine: makeJob(made.home, past),
    timeline: makeJob(made.home, past),
  };
  rmSync(jobs.folder.transcriptPath);
  mkdirSync(jobs.folder.transcriptPath);
  writeFileSync(jobs.garbage.transcriptPath, Buffer.from([0xff, 0xfe, 0, 10, 0x7b, 10, 0x80]));
  appendFileSync(jobs.halfLine.transcriptPath, '{"type":"user","uuid":"half');
  const timeline = join(made.home, 'jobs', jobs.timeline.id, 'timeline.jsonl');
  writeFileSync(timeline, '\u0000\n[]\n{"at":"+275760-09-13T00:00:00.000Z","state":"blocked"\n');
  const shown = shownOf(await tick(program, made.home, DRY));
  expect(shown[jobs.folder.id]).toMatch(/^skip cause unknown: its transcript cannot be read/);
  expect(shown[jobs.garbage.id]).not.toMatch(/^skip kind/);
  expect(shown[jobs.halfLine.id]).toMatch(/^resume - usage_cap/);
  expect(shown[jobs.timeline.id]).toMatch(/^resume - usage_cap/);
  for (const text of ['{', '[]', '{"workers": []}', '{"workers": {"x": 1}}']) {
    writeFileSync(join(made.home, 'daemon', 'roster.json'), text);
    const ran = await tick(program, made.home, DRY);
    expectClear(ran);
    expect.soft(shownOf(ran)[jobs.halfLine.id]).toMatch(/^skip \w+ unknown: .*roster\.json/);
  }
});

test('shows an HTML page in a message as one short line', async () => {
  const page = `<!DOCTYPE html>\n<html lang="en"><head><title>520</title><script>alert(1)</script>${'<p>x</p>'.repeat(8000)}</html>`;
  const detail = `API Error: 520 ${page}`;
  const jobs = [
    makeJob(made.home, { ...past, error: 'server_error', detail }),
    makeJob(made.home, { ...past, error: 'server_error', detail: page }),
    makeJob(made.home, { ...past, error: null, detail: page, needs: page }),
  ];
  const good = makeJob(made.home, past);
  const ran = await tick(program, made.home, DRY);
  expectClear(ran);
  const shown = shownOf(ran);
  for (const { id } of jobs) {
    expect.soft(shown[id]?.length).toBeLessThan(350);
    expect.soft(shown[id]).not.toContain('\n');
  }
  expect(shown[jobs[0]?.id ?? '']).toMatch(/^resume - transient/);
  expect(shown[good.id]).toMatch(/^resume - usage_cap/);
  const table = await tick(program, made.home, ['--dry-run'], { more: { SECONDWIND_TABLE: '1' } });
  expect(Math.max(...table.stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(120);
});

test('does not act on a stop from the future: the clock jumped, or the file is wrong', async () => {
  const ahead = Date.now() + 24 * HOUR;
  const jobs = [
    makeJob(made.home, { shownAt: ahead, resetsAt: ahead + HOUR }),
    makeJob(made.home, { shownAt: ahead, resetsAt: Date.now() - HOUR }),
    makeJob(made.home, {
      ...past,
      timeline: [{ at: '+275760-09-13T00:00:00.000Z', state: 'blocked', detail: 'x', text: 'x' }],
      transcript: 'none',
      fields: { updatedAt: '+275760-09-13T00:00:00.000Z' },
    }),
  ];
  const good = makeJob(made.home, past);
  const ran = await tick(program, made.home, DRY);
  expectClear(ran);
  const shown = shownOf(ran);
  for (const { id } of jobs) expect.soft(shown[id]).toMatch(/^skip \w+ unknown/);
  expect(shown[jobs[0]?.id ?? '']).toMatch(/dated in the future/);
  expect(shown[good.id]).toMatch(/^resume - usage_cap/);
});

test('brings the good one back in the midst of bad ones', async () => {
  const good = makeJob(made.home, past);
  for (const [index, [, text]] of TEXTS.entries()) writeFolder(idOf(index), text);
  makeJob(made.home, { ...past, fields: { cwd: '/nowhere/at/all' } });
  const ran = await tick(program, made.home);
  expectClear(ran);
  expect(ran.status).toBe(0);
  expect(ran.stdout).toMatch(new RegExp(`${good.id} .*woken`));
  expect(readLaunches(made.home)).toHaveLength(1);
});

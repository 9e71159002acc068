// Claims: of any number of takers one gets it, no number comes twice, and a broken one counts as open.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  answerPaths,
  type Claim,
  claimsFolder,
  clearClaim,
  closeClaim,
  readClaims,
  takeClaim,
  writeClaim,
} from '../../src/store/claims.ts';
import { bundle } from '../bundle.ts';
import { JOB_ID, SESSION_ID } from '../core/situation.ts';
import { type Folder, makeFolder } from '../folder.ts';
import { draft } from './claim-draft.ts';

let folder: Folder;
let state: string;
beforeEach(() => {
  folder = makeFolder();
  state = join(folder.path, 'secondwind');
});
afterEach(() => folder.remove());

const OTHER = 'bbbbbbbb-0000-4000-8000-000000000002';
const SETTLED = { outcome: 'woken', successor: null, message: '' };

function take(over: Partial<Claim> = {}): Claim {
  const taken = takeClaim(state, draft(over));
  if (!taken.ok || taken.value === null) throw new Error(JSON.stringify(taken));
  return taken.value;
}
function all(): Claim[] {
  const claims = readClaims(state);
  if (!claims.ok) throw new Error(claims.failure.message);
  return claims.value;
}

test('there are none before the first', () => {
  expect(readClaims(state)).toEqual({ ok: true, value: [] });
});

test('a claim is whole on disk, private, and read back as it was taken', () => {
  const claim = take();
  expect(claim).toEqual({ ...draft(), number: 0 });
  expect(all()).toEqual([claim]);
  const path = join(claimsFolder(state), `${SESSION_ID}.0.json`);
  expect((statSync(path).mode & 0o777).toString(8)).toBe('600');
  expect((statSync(claimsFolder(state)).mode & 0o777).toString(8)).toBe('700');
});

test.each(['stopping', 'launching', 'launched'] as const)(
  'nobody gets a second claim while one is %s',
  (phase) => {
    const claim = take({ phase });
    expect(takeClaim(state, draft({ nonce: 'fedcba9876543210' }))).toEqual({
      ok: true,
      value: null,
    });
    expect(all()).toEqual([claim]);
  },
);

test('conversations do not stand in each other’s way', () => {
  take();
  expect(take({ conversation: OTHER }).number).toBe(0);
  expect(all()).toHaveLength(2);
});

test('a claim goes through its phases', () => {
  const claim = take({ phase: 'stopping' });
  const launched = { ...claim, phase: 'launched', answer: JOB_ID } as const;
  expect(writeClaim(state, launched)).toEqual({ ok: true, value: launched });
  expect(all()).toEqual([launched]);
});

describe('a closed claim', () => {
  test('frees the conversation, keeps its outcome, and takes its answer away', () => {
    const claim = take();
    const { stdout, stderr } = answerPaths(state, claim);
    for (const path of [stdout, stderr]) writeFileSync(path, 'x');
    closeClaim(state, claim, SETTLED);
    expect(all()).toEqual([{ ...claim, phase: 'closed', settled: SETTLED }]);
    expect(readdirSync(claimsFolder(state))).toEqual([`${SESSION_ID}.0.json`]);
    expect(take().number).toBe(1);
  });

  test('is all that can be removed', () => {
    const claim = take();
    clearClaim(state, claim);
    expect(all()).toHaveLength(1);
  });

  test('closed twice is closed once', () => {
    const claim = take();
    closeClaim(state, claim, SETTLED);
    const once = all();
    closeClaim(state, claim, SETTLED);
    expect(all()).toEqual(once);
  });
});

describe('a number is never used twice', () => {
  test('one after the other', () => {
    const numbers = [0, 1, 2].map(() => {
      const claim = take();
      closeClaim(state, claim, SETTLED);
      return claim.number;
    });
    expect(numbers).toEqual([0, 1, 2]);
  });

  test('not even after the closed claim was removed: who is slow to remove it would take away a new one', () => {
    const old = take();
    const closed = closeClaim(state, old, SETTLED);
    if (!closed.ok) throw new Error(closed.failure.message);
    clearClaim(state, closed.value);
    const taken = take({ nonce: 'fedcba9876543210' });
    // A second tick has read the closed one before.
    clearClaim(state, closed.value);
    expect(all().map(({ nonce }) => nonce)).toContain(taken.nonce);
  });
});

describe('a broken claim is a failure, since it may be open', () => {
  const whole = () => JSON.stringify({ ...draft(), number: 0 });
  test.each<[string, () => string]>([
    ['cut short', () => whole().slice(0, -3)],
    ['empty', () => ''],
    ['null', () => 'null'],
    ['of another version', () => whole().replace('"version":1', '"version":2')],
    ['of no known phase', () => whole().replace('"launching"', '"resting"')],
    ['without a nonce', () => whole().replace('0123456789abcdef', 'x')],
    ['of no instant', () => whole().replace('2026-12-01T12:00:00.000Z', 'soon')],
    ['without a holder', () => JSON.stringify({ ...draft(), number: 0, holder: null })],
    ['without an episode', () => JSON.stringify({ ...draft(), number: 0, episode: null })],
  ])('%s', (_, text) => {
    mkdirSync(claimsFolder(state), { recursive: true });
    const path = join(claimsFolder(state), `${SESSION_ID}.0.json`);
    writeFileSync(path, text());
    const failure = { kind: 'broken', path, message: expect.stringContaining(path) };
    expect(readClaims(state)).toMatchObject({ ok: false, failure });
    expect(takeClaim(state, draft({ conversation: OTHER }))).toMatchObject({ ok: false, failure });
    expect(readFileSync(path, 'utf8')).toBe(text());
  });

  test('files of other names are none of ours', () => {
    mkdirSync(claimsFolder(state), { recursive: true });
    for (const name of ['.x.json.1.ab', `${SESSION_ID}.0.out`, 'notes.txt']) {
      writeFileSync(join(claimsFolder(state), name), 'x');
    }
    expect(all()).toEqual([]);
  });

  test('a folder that cannot be listed is one', () => {
    mkdirSync(state);
    writeFileSync(claimsFolder(state), '');
    expect(readClaims(state)).toMatchObject({ failure: { kind: 'unreadable' } });
    expect(takeClaim(state, draft())).toMatchObject({ failure: { kind: 'unwritable' } });
  });
});

/** Waits for the file `go`, then takes ten conversations' claims and prints which it got. */
const TAKER = `
import { existsSync } from 'node:fs';
import { takeClaim } from '../src/store/claims.ts';
const [state = '', go = '', text = ''] = process.argv.slice(2);
console.log('ready');
const clock = new Int32Array(new SharedArrayBuffer(4));
while (!existsSync(go)) Atomics.wait(clock, 0, 0, 2);
const got: number[] = [];
for (let n = 0; n < 10; n += 1) {
  const conversation = '0000000' + n + '-0000-4000-8000-000000000000';
  const taken = takeClaim(state, { ...JSON.parse(text), conversation });
  if (!taken.ok) throw new Error(taken.failure.message);
  if (taken.value !== null) got.push(n);
}
console.log(JSON.stringify(got));
`;

test('of twenty processes at once exactly one gets each claim', async () => {
  const program = await bundle(folder.path, TAKER);
  const go = join(folder.path, 'go');
  const takers = Array.from({ length: 20 }, (_, n) => {
    const text = JSON.stringify(draft({ nonce: n.toString(16).padStart(16, '0') }));
    const child = spawn(process.execPath, [program, state, go, text], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let printed = '';
    child.stdout.on('data', (chunk) => {
      printed += chunk;
    });
    return {
      child,
      ready: once(child.stdout, 'data'),
      closed: once(child, 'close'),
      text: () => printed,
    };
  });
  await Promise.all(takers.map(({ ready }) => ready));
  writeFileSync(go, '');
  await Promise.all(takers.map(({ closed }) => closed));
  const got = takers.flatMap(({ text }) => JSON.parse(text().split('\n')[1] ?? '') as number[]);
  expect(got.sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(all()).toHaveLength(10);
});

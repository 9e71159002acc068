// Many processes take, close and clear claims on one conversation all the time: two never hold it at once.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bundle } from '../bundle.ts';
import { type Folder, makeFolder } from '../folder.ts';
import { draft } from './claim-draft.ts';

let folder: Folder;
beforeEach(() => {
  folder = makeFolder();
});
afterEach(() => folder.remove());

/** Whoever holds the claim makes the file `held`, which must not be there; prints how often it was. */
const TAKER = `
import { existsSync, openSync, closeSync, unlinkSync } from 'node:fs';
import { closeClaim, readClaims, clearClaim, takeClaim } from '../src/store/claims.ts';
const [state = '', go = '', held = '', text = ''] = process.argv.slice(2);
const clock = new Int32Array(new SharedArrayBuffer(4));
console.log('ready');
while (!existsSync(go)) Atomics.wait(clock, 0, 0, 2);
let [twice, got] = [0, 0];
const settled = { outcome: 'woken', successor: null, message: '' };
for (let n = 0; n < 150; n += 1) {
  const nonce = (process.pid * 1000 + n).toString(16).padStart(16, '0');
  const taken = takeClaim(state, { ...JSON.parse(text), nonce });
  if (taken.ok && taken.value !== null) {
    got += 1;
    let mine = false;
    try {
      closeSync(openSync(held, 'wx'));
      mine = true;
    } catch {
      twice += 1;
    }
    Atomics.wait(clock, 0, 0, 1);
    if (mine) unlinkSync(held);
    closeClaim(state, taken.value, settled);
  }
  const claims = readClaims(state);
  if (claims.ok) for (const claim of claims.value) clearClaim(state, claim);
}
console.log(JSON.stringify({ twice, got }));
`;

test('a conversation is never held twice, whoever clears what is closed', async () => {
  const program = await bundle(folder.path, TAKER);
  const go = join(folder.path, 'go');
  const args = [
    program,
    join(folder.path, 'state'),
    go,
    join(folder.path, 'held'),
    JSON.stringify(draft()),
  ];
  const takers = Array.from({ length: 8 }, () => {
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    let printed = '';
    child.stdout.on('data', (chunk) => {
      printed += chunk;
    });
    return { ready: once(child.stdout, 'data'), closed: once(child, 'close'), text: () => printed };
  });
  await Promise.all(takers.map(({ ready }) => ready));
  writeFileSync(go, '');
  await Promise.all(takers.map(({ closed }) => closed));
  const counts = takers.map(({ text }) => JSON.parse(text().split('\n')[1] ?? ''));
  expect(counts.reduce((sum, { got }) => sum + got, 0)).toBeGreaterThan(8);
  expect(counts.reduce((sum, { twice }) => sum + twice, 0)).toBe(0);
}, 60_000);

// Makes the code files of a built folder: runs what ticks run over made-up homes, then asks V8 for the code of it.
// They fit the Node that runs this; any other compiles the program itself.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { makeBenchHome } from './bench-home.mjs';

/** `homes`: made by the process that began this one. */
const [, self, built, homes] = process.argv;
const { loadPart, codeOfParts } = createRequire(import.meta.url)(join(built, 'load.cjs'));
const standIn = fileURLToPath(new URL('../demo/stand-in-client.mjs', import.meta.url));
const noOutput = { write() {}, isTTY: false, columns: undefined, fault: () => null };

if (homes === undefined) await makeAll();
else {
  await tick(homes, 'healthy', 0);
  writeCode(() => true);
}

/** The main part's code comes from a process of its own that runs a healthy tick and no more: the less, the sooner loaded. */
async function makeAll() {
  const folder = mkdtempSync(join(tmpdir(), 'secondwind-code-'));
  try {
    await tick(folder, 'healthy', 0);
    // From here on its files are old enough to be remembered.
    await sleep(2100);
    await tick(folder, 'healthy', 0);
    await tick(folder, 'few', 2, '--dry-run');
    writeCode((file) => file !== 'main.code');
    execFileSync(process.execPath, [self, built, folder], { stdio: 'inherit' });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function tick(folder, name, resumable, ...words) {
  const home = join(folder, name, '.claude');
  if (!existsSync(home)) makeBenchHome(home, { jobs: 60, resumable });
  const argv = ['', '', 'tick', '--claude-home', home, '--claude-bin', standIn, ...words];
  const env = { HOME: join(folder, name), PATH: process.env.PATH, TZ: 'UTC' };
  const { main } = loadPart('main');
  const status = await main({ argv, env, stdout: noOutput, stderr: noOutput });
  if (status !== 0) throw new Error(`a tick over the home "${name}" ended with ${status}`);
}

function writeCode(isWanted) {
  for (const { file, content } of codeOfParts())
    if (isWanted(file)) writeFileSync(join(built, file), content);
}

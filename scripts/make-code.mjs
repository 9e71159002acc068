// Makes the code files of a built folder: runs what ticks run over a made-up home, then asks V8 for the code of it.
// They fit the Node that runs this; any other compiles the program itself.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeBenchHome } from './bench-home.mjs';

const built = process.argv[2];
const { loadPart, codeOfParts } = createRequire(import.meta.url)(join(built, 'load.cjs'));
const standIn = fileURLToPath(new URL('../demo/stand-in-client.mjs', import.meta.url));
const noOutput = {
  write() {},
  isTTY: false,
  columns: undefined,
  fault: () => null,
  isFlushed: true,
};
const folder = mkdtempSync(join(tmpdir(), 'secondwind-code-'));

try {
  const { main } = loadPart('main');
  const tick = async (name, resumable, ...words) => {
    const home = join(folder, name, '.claude');
    if (!existsSync(home)) makeBenchHome(home, { jobs: 60, resumable });
    const argv = ['', '', 'tick', '--claude-home', home, '--claude-bin', standIn, ...words];
    const env = { HOME: join(folder, name), PATH: process.env.PATH, TZ: 'UTC' };
    const status = await main({ argv, env, stdout: noOutput, stderr: noOutput });
    if (status !== 0) throw new Error(`a tick over the home "${name}" ended with ${status}`);
  };
  await tick('healthy', 0);
  await tick('healthy', 0);
  // What a healthy tick runs, and no more: the shorter the code, the sooner it is loaded.
  const healthy = codeOfParts();
  await tick('few', 2, '--dry-run');
  const besides = codeOfParts().filter(({ file }) => healthy.every((one) => one.file !== file));
  for (const { file, content } of [...healthy, ...besides])
    writeFileSync(join(built, file), content);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

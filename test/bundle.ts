// Makes a program of a few lines of TypeScript over the sources, for tests that need processes of their own.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Imports in `source` are relative to `test/`. Gives the path of a script for `node`. */
export async function bundle(folder: string, source: string): Promise<string> {
  const outfile = join(folder, 'program.mjs');
  await build({
    stdin: {
      contents: source,
      resolveDir: fileURLToPath(new URL('.', import.meta.url)),
      loader: 'ts',
    },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
    banner: { js: "import{createRequire as __c}from'node:module';const require=__c('file:///');" },
  });
  return outfile;
}

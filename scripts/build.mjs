// Bundles the program into dist/, split so that a healthy tick loads nothing that it does not need, with the
// notices of every library that went in.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
// Built beside and swapped in: a tick that runs meanwhile must find a whole program.
const fresh = `dist.${process.pid}.new`;

// The parser of the line asks for child processes only for commands in files of their own, which there are none of.
const withoutChildProcesses = {
  name: 'without-child-processes',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:child_process$/ }, ({ importer }) =>
      importer.includes('/commander/') ? { path: 'none', namespace: 'none' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'none' }, () => ({ contents: 'module.exports = {}' }));
  },
};

const result = await build({
  plugins: [withoutChildProcesses],
  absWorkingDir: root,
  entryPoints: { main: 'src/cli/main.ts', reason: 'src/core/reason.ts' },
  outdir: fresh,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  minify: true,
  keepNames: false,
  metafile: true,
  chunkNames: 'chunks/[name]-[hash]',
  // Libraries in CommonJS ask for node's own modules by `require`.
  banner: {
    js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
  },
  legalComments: 'none',
});

const packages = new Set();
for (const input of Object.keys(result.metafile.inputs)) {
  const match = /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input);
  if (match !== null) packages.add(match[1]);
}
// The ledger's validator was compiled ahead of time from these.
for (const name of ['ajv', 'ajv-formats']) packages.add(name);

const notices = [...packages].sort().map((name) => {
  const folder = join(root, 'node_modules', name);
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = [
    'LICENSE',
    'License',
    'LICENSE.md',
    'license',
    'license.md',
    'LICENSE.txt',
    'LICENCE',
    'LICENSE-MIT',
  ].find((one) => existsSync(join(folder, one)));
  if (file === undefined) throw new Error(`${name} has no licence file to pass on`);
  return `${name} ${manifest.version} (${manifest.license})\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
});
writeFileSync(
  join(root, 'THIRD-PARTY-NOTICES.txt'),
  `secondwind contains parts of these libraries:\n\n${notices.join(`\n${'-'.repeat(80)}\n\n`)}`,
);

execFileSync(
  process.execPath,
  [
    join(root, 'node_modules/typescript/bin/tsc'),
    '--ignoreConfig',
    '--declaration',
    '--emitDeclarationOnly',
    '--strict',
    '--target',
    'es2023',
    '--module',
    'nodenext',
    '--rootDir',
    join(root, 'src'),
    '--outDir',
    join(root, fresh, 'types'),
    join(root, 'src/core/reason.ts'),
  ],
  { stdio: 'inherit', cwd: root },
);

const old = join(root, `dist.${process.pid}.old`);
if (existsSync(join(root, 'dist'))) renameSync(join(root, 'dist'), old);
renameSync(join(root, fresh), join(root, 'dist'));
rmSync(old, { recursive: true, force: true });

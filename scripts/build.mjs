// Bundles the program into dist/: one file for a healthy tick, and one for each part that is loaded on demand, with
// the notices of every library that went in.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
// Built beside and swapped in: a tick that runs meanwhile must find a whole program.
const fresh = `dist.${process.pid}.new`;

// Commander asks for child processes only for commands in files of their own, which there are none of.
const unused = {
  name: 'unused',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /child_process$/ }, ({ importer }) =>
      importer.includes('/commander/') ? { path: 'none', namespace: 'unused' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'unused' }, () => ({ contents: 'module.exports = {}' }));
  },
};

/** Parts that are loaded only when they are needed; each is whole by itself. */
const LAZY = ['cli/program', 'cli/table', 'claude/run-client', 'core/reset-time', 'store/lock'];

// One file for what every tick needs: each further one costs the loader some two milliseconds. So nothing is shared
// between the files, and a dynamic import stays one.
const lazyParts = {
  name: 'lazy-parts',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\.?\// }, ({ path, kind, resolveDir }) => {
      if (kind !== 'dynamic-import') return undefined;
      const part = relative(join(root, 'src'), join(resolveDir, path)).replace(/\.ts$/, '');
      if (!LAZY.includes(part))
        throw new Error(`${part} is imported on demand and not among the lazy parts`);
      return { path: `./${basename(part)}`, external: true };
    });
  },
};

const common = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  metafile: true,
  legalComments: 'none',
};
const result = await build({
  ...common,
  plugins: [unused, lazyParts],
  entryPoints: ['cli/main', ...LAZY].map((part) => ({
    in: `src/${part}.ts`,
    out: basename(part),
  })),
  outdir: fresh,
  // CommonJS starts some ten milliseconds before an ES module does.
  format: 'cjs',
  supported: { 'dynamic-import': false },
  outExtension: { '.js': '.cjs' },
  minify: true,
  write: false,
});
mkdirSync(join(root, fresh));
for (const { path, contents } of result.outputFiles) {
  // By this line a part and the code that was made of it know each other.
  const name = createHash('sha256').update(contents).digest('hex');
  writeFileSync(path, Buffer.concat([Buffer.from(`//${name}\n`), contents]));
}
await build({
  ...common,
  entryPoints: { secondwind: 'src/cli/bin.ts', load: 'src/cli/load.ts' },
  outdir: fresh,
  format: 'cjs',
  outExtension: { '.js': '.cjs' },
  minify: true,
});
await build({
  ...common,
  entryPoints: ['src/core/reason.ts'],
  outfile: `${fresh}/reason.js`,
  format: 'esm',
});
// In a process of its own: the code is that of the functions that have run there.
execFileSync(process.execPath, [join(root, 'scripts/make-code.mjs'), join(root, fresh)], {
  stdio: 'inherit',
});

rmSync(join(root, fresh, 'load.cjs'));

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

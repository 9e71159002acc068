// Bundles the program into dist/: one file for a healthy tick, and one for each part that is loaded on demand, with
// the notices of every library that went in.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
// Built beside and swapped in: a tick that runs meanwhile must find a whole program.
const fresh = `dist.${process.pid}.new`;

// Node's own modules are taken as they are, not through the facade that an ES import makes: that touches each of their
// exports, and so loads the streams and more for a program that reads a few small files. Commander asks for child
// processes only for commands in files of their own, which there are none of.
const builtins = {
  name: 'builtins',
  setup({ onResolve, onLoad }) {
    onResolve(
      {
        filter:
          /^(?:node:)?(?:fs|path|os|module|url|events|util|process|buffer|stream|crypto|assert|child_process|string_decoder|timers|tty|v8|constants)(?:\/promises)?$/,
      },
      ({ path, importer }) => {
        const isUnused = path.endsWith('child_process') && importer.includes('/commander/');
        return { path: isUnused ? 'none' : path.replace(/^node:/, ''), namespace: 'builtin' };
      },
    );
    onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({
      contents:
        path === 'none'
          ? 'module.exports = {}'
          : `module.exports = process.getBuiltinModule('node:${path}')`,
    }));
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
      return { path: `./${basename(part)}.js`, external: true };
    });
  },
};

const result = await build({
  plugins: [builtins, lazyParts],
  absWorkingDir: root,
  entryPoints: [
    { in: 'src/cli/main.ts', out: 'main' },
    { in: 'src/core/reason.ts', out: 'reason' },
    ...LAZY.map((part) => ({ in: `src/${part}.ts`, out: basename(part) })),
  ],
  outdir: fresh,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  minify: true,
  keepNames: false,
  metafile: true,
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

// Compiles ledger.schema.json into a module that needs no library at run time; `--check` only compares.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import Ajv from 'ajv';
import standaloneCode from 'ajv/dist/standalone/index.js';
import formats from 'ajv-formats/dist/formats.js';
import { build } from 'esbuild';

const path = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url));
const target = path('src/store/ledger-validator.generated.mjs');

const ajv = new Ajv.default({
  code: { source: true, esm: true },
  allErrors: false,
  strictTypes: false,
  allowUnionTypes: true,
});
// A tick checks hundreds of instants, written by `toISOString`: the library's fast form of one, and that form alone.
ajv.addFormat('date-time', formats.fastFormats['date-time'].validate);
const validate = ajv.compile(JSON.parse(readFileSync(path('ledger.schema.json'), 'utf8')));
const source = standaloneCode.default(ajv, validate);
const bundled = await build({
  stdin: { contents: source, resolveDir: path('.'), loader: 'js' },
  bundle: true,
  write: false,
  format: 'esm',
  minifySyntax: true,
});
const text = `// Generated from ledger.schema.json by scripts/compile-schema.mjs: change the schema, not this file.\n${bundled.outputFiles[0].text}`;

if (process.argv.includes('--check')) {
  if (readFileSync(target, 'utf8') !== text) {
    console.error(
      'ledger-validator.generated.mjs is not what ledger.schema.json compiles to: npm run schema',
    );
    process.exitCode = 1;
  }
} else {
  writeFileSync(target, text);
}

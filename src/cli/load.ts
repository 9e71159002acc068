// Loads the bundled parts of the program, each with the machine code that was made of it beforehand, where this very
// version of Node made it: compiling the program anew takes longer than a healthy tick. Bundled as CommonJS.
import { readFileSync } from 'node:fs';
import { Script } from 'node:vm';

type Exports = Record<string, unknown>;

interface Part {
  readonly exports: Exports;
  readonly script: Script;
}

// A file of code: the first line of its part, then the sum of the code, then, where V8 need not copy it, the code.
const LINE_BYTES = 67;
const SUM_AT = 120;
const CODE_AT = 128;

const folder = __dirname;
const parts = new Map<string, Part>();

const sourcePath = (name: string): string => `${folder}/${name}.cjs`;
const codeName = (name: string): string => `${name}.code`;

/** The exports of a part of this folder (`main`), loaded once. Throws where the part is missing or broken. */
export function loadPart(name: string): Exports {
  const known = parts.get(name);
  if (known !== undefined) return known.exports;
  const source = readFileSync(sourcePath(name), 'utf8');
  const script = new Script(`(function(module,exports,require){${source}\n})`, {
    filename: sourcePath(name),
    cachedData: readCode(name, source.slice(0, LINE_BYTES)),
  });
  const module: { exports: Exports } = { exports: {} };
  script.runInThisContext()(module, module.exports, requirePart);
  parts.set(name, { exports: module.exports, script });
  return module.exports;
}

const builtins = new Map<string, unknown>();

/** What a part asks for: another part, or a module of Node's; each source file asks for its own. */
function requirePart(name: string): unknown {
  if (name.startsWith('./')) return loadPart(name.slice(2));
  if (!builtins.has(name)) builtins.set(name, require(name));
  return builtins.get(name);
}

/**
 * The code of a part; undefined where there is none of this build. V8 itself refuses that of another Node, but it takes
 * damaged code as it is, and dies of it.
 */
function readCode(name: string, firstLine: string): Buffer | undefined {
  let file: Buffer;
  try {
    file = readFileSync(`${folder}/${codeName(name)}`);
  } catch {
    return undefined;
  }
  if (file.length < CODE_AT || file.toString('latin1', 0, LINE_BYTES) !== firstLine)
    return undefined;
  return file.readInt32LE(SUM_AT) === sumOf(file) ? file.subarray(CODE_AT) : undefined;
}

/** Four bytes of each 256: what a crash or a disk does to a file, it does to whole sectors of 512. */
function sumOf(file: Buffer): number {
  const words = new Int32Array(file.buffer, file.byteOffset, file.length >> 2);
  const { length } = words;
  let sum = length;
  for (let index = CODE_AT >> 2; index < length; index += 64) sum ^= words[index] as number;
  return sum;
}

/** The file of code for each part that is loaded now, by its name: what it has run so far is in it. */
export function codeOfParts(): { readonly file: string; readonly content: Buffer }[] {
  return [...parts].map(([name, { script }]) => {
    const code = script.createCachedData();
    const content = Buffer.from(new ArrayBuffer(CODE_AT + code.length));
    readFileSync(sourcePath(name)).copy(content, 0, 0, LINE_BYTES);
    code.copy(content, CODE_AT);
    content.writeInt32LE(sumOf(content), SUM_AT);
    return { file: codeName(name), content };
  });
}

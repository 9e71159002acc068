// Reads the plain lines that schedulers run (`tick` and flags with their values) without loading the whole parser,
// which a healthy tick would pay for with a tenth of its time. Everything else is the parser's.
import { OPTIONS, type OptionSpec } from './options.ts';

const BY_FLAG = new Map<string, OptionSpec>(OPTIONS.map((spec) => [spec.flag, spec]));

/** The flags of a plain `tick` line by their keys; null when it is not one: help, a typo, `--flag=value`. */
export function readPlainTick(words: readonly string[]): Record<string, string | true> | null {
  if (words[0] !== 'tick') return null;
  const flags: Record<string, string | true> = {};
  for (let index = 1; index < words.length; index += 1) {
    const spec = BY_FLAG.get(words[index] ?? '');
    if (spec === undefined) return null;
    if (spec.kind === 'switch') {
      flags[spec.key] = true;
      continue;
    }
    index += 1;
    const value = words[index];
    if (value === undefined || value.startsWith('-')) return null;
    flags[spec.key] = value;
  }
  return flags;
}

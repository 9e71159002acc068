// `config.json` of a home: options by their keys, and what an installation recorded. An unknown key is an error.
import { join } from 'node:path';
import { isRecord } from '../core/record.ts';
import { failed, ok, type Result } from '../core/result.ts';
import { readStateFile, type StoreFailure } from '../store/files.ts';
import type { UsageFailure } from './option-values.ts';
import { OPTIONS, type OptionSpec } from './options.ts';

export interface Config {
  readonly options: Readonly<Record<string, unknown>>;
  /** The PATH recorded at install: what resumed sessions get. */
  readonly path: string | null;
}

/** Reads the config of a state folder; an absent one is empty. */
export function readConfig(folder: string): Result<Config, UsageFailure | StoreFailure> {
  const file = join(folder, 'config.json');
  const bad = (why: string) => failed<UsageFailure>({ kind: 'usage', message: `${file}: ${why}` });
  const text = readStateFile(file);
  if (!text.ok) return text;
  if (text.value === null) return ok({ options: {}, path: null });
  let value: unknown;
  try {
    value = JSON.parse(text.value);
  } catch {
    return bad('is no JSON');
  }
  if (!isRecord(value)) return bad('is no object');
  const { version: _version, path, ...options } = value;
  if (path !== undefined && typeof path !== 'string') return bad('path is no text');
  const allowed = new Set<string>(
    (OPTIONS as readonly OptionSpec[]).filter((one) => one.isPerRun !== true).map((one) => one.key),
  );
  const foreign = Object.keys(options).find((key) => !allowed.has(key));
  if (foreign !== undefined)
    return bad(`has an unknown key ${JSON.stringify(foreign.slice(0, 40))}`);
  return ok({ options, path: path ?? null });
}

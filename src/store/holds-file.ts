// `holds.json`: conversations that an operator holds; unreadable holds stop everything, like any unreadable state.
import { join } from 'node:path';
import { isRecord } from '../core/record.ts';
import { failed, ok, type Result } from '../core/result.ts';
import { readStateFile, type StoreFailure, storeFailure } from './files.ts';

/** `until` in epoch ms; null until it is released. */
export interface HoldRecord {
  readonly until: number | null;
  readonly reason: string;
}

export interface Holds {
  readonly all: HoldRecord | null;
  readonly conversations: Readonly<Record<string, HoldRecord>>;
}

/** The holds of a state folder: `{version: 1, all: HOLD|null, conversations: {KEY: {until: ISO|null, reason}}}`. */
export function readHolds(folder: string): Result<Holds, StoreFailure> {
  const path = join(folder, 'holds.json');
  const text = readStateFile(path);
  if (!text.ok) return text;
  if (text.value === null) return ok({ all: null, conversations: {} });
  const broken = (why: string) => failed(storeFailure('broken', path, why));
  let value: unknown;
  try {
    value = JSON.parse(text.value);
  } catch {
    return broken('is no JSON');
  }
  if (typeof value !== 'object' || value === null) return broken('is no object');
  const { version, all, conversations = {} } = value as Record<string, unknown>;
  if (version !== 1) return broken('is of no known version');
  if (!isRecord(conversations)) return broken('has foreign conversations');
  const kept: Record<string, HoldRecord> = {};
  for (const [key, raw] of Object.entries(conversations)) {
    const hold = holdOf(raw);
    if (hold === null) return broken(`has a foreign hold for ${key.slice(0, 40)}`);
    kept[key] = hold;
  }
  const everything = all === undefined || all === null ? null : holdOf(all);
  if (everything === null && all !== undefined && all !== null)
    return broken('has a foreign hold for all');
  return ok({ all: everything, conversations: kept });
}

function holdOf(value: unknown): HoldRecord | null {
  if (typeof value !== 'object' || value === null) return null;
  const { until, reason } = value as Record<string, unknown>;
  const at = typeof until === 'string' ? Date.parse(until) : null;
  if (until !== null && until !== undefined && (at === null || Number.isNaN(at))) return null;
  return { until: at, reason: typeof reason === 'string' ? reason : '' };
}

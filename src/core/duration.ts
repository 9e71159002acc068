// Durations and sizes as people write them (`90s`, `10m`, `5h`, `7d`, `500MB`), and nothing else.

const UNIT_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};
/** Ten years: more is a slip of the pen, and leads out of the calendar. */
const MAX_MS = 3650 * 86_400_000;
const UNIT_BYTES: Readonly<Record<string, number>> = {
  B: 1,
  KB: 1000,
  MB: 1000 ** 2,
  GB: 1000 ** 3,
  TB: 1000 ** 4,
};

/** `90s`, `10m`, `1h30m`, `7d`, `0s` → milliseconds; null for anything else (a bare number has no unit). */
export function parseDuration(text: string): number | null {
  if (!/^(?:\d{1,9}(?:ms|s|m|h|d))+$/.test(text)) return null;
  let totalMs = 0;
  for (const [, count, unit] of text.matchAll(/(\d+)(ms|s|m|h|d)/g)) {
    totalMs += Number(count) * (UNIT_MS[unit ?? ''] ?? 0);
  }
  return totalMs <= MAX_MS ? totalMs : null;
}

/** Milliseconds → the shortest exact form of `parseDuration`, down to seconds: `1h30m`, `90s` → `1m30s`. */
export function formatDuration(durationMs: number): string {
  let rest = Math.max(0, Math.round(durationMs / 1000)) * 1000;
  let text = '';
  for (const unit of ['d', 'h', 'm', 's']) {
    const size = UNIT_MS[unit] ?? 1;
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) text += `${count}${unit}`;
  }
  return text === '' ? '0s' : text;
}

/** `500MB`, `1.5GB`, `0B` → bytes (decimal units); null for anything else. */
export function parseBytes(text: string): number | null {
  const match = /^(\d{1,9}(?:\.\d{1,3})?)\s?(B|KB|MB|GB|TB)$/i.exec(text);
  if (match === null) return null;
  return Math.round(Number(match[1]) * (UNIT_BYTES[(match[2] ?? '').toUpperCase()] ?? 0));
}

/** Bytes → `500MB`, with one decimal where it has one. */
export function formatBytes(bytes: number): string {
  for (const unit of ['TB', 'GB', 'MB', 'KB']) {
    const size = UNIT_BYTES[unit] ?? 1;
    if (bytes >= size) return `${Math.round((bytes / size) * 10) / 10}${unit}`;
  }
  return `${Math.max(0, Math.round(bytes))}B`;
}

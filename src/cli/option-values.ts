// From what was written, on the line, in the environment or in the config, to typed values; flag over variable over config.
import { parseBytes, parseDuration } from '../core/duration.ts';
import { type Hours, parseHours } from '../core/hours.ts';
import { type OnStop, STOP_KINDS, type StopKind } from '../core/policy.ts';
import { failed, ok, type Result } from '../core/result.ts';
import { OPTIONS, type OptionKey, type OptionSpec, type ValueKind } from './options.ts';

export type OptionValue = string | number | boolean | Hours | Partial<OnStop>;
export type OptionValues = Partial<Record<OptionKey, OptionValue>>;

export interface UsageFailure {
  readonly kind: 'usage';
  readonly message: string;
}

const EXPECTED: Record<ValueKind, string> = {
  text: 'text',
  duration: 'a duration as 90s, 10m, 5h or 7d',
  size: 'a size as 500MB or 2GB',
  count: 'a whole number, 0 or more',
  positive: 'a whole number, 1 or more',
  instant: 'an instant as 2026-12-01T02:00:00Z',
  live: 'restart or wait',
  on: 'a list as weekly=hold,transient=resume (kinds: five_hour, weekly, model, untyped, transient)',
  hours: 'hours as 22:00-07:00 or 22:00-07:00 Europe/Stockholm',
  switch: 'true or false',
};

/** One value as it was written, from wherever → its typed value: ms, bytes, epoch ms, counts, texts. */
export function parseValue(
  spec: OptionSpec,
  raw: unknown,
  origin: string,
): Result<OptionValue, UsageFailure> {
  const value = typedValue(spec.kind, raw);
  if (value !== null) return ok(value);
  const shown = JSON.stringify(raw)?.slice(0, 60) ?? 'nothing';
  return failed({ kind: 'usage', message: `${origin}: ${shown} is not ${EXPECTED[spec.kind]}` });
}

function typedValue(kind: ValueKind, raw: unknown): OptionValue | null {
  const text = typeof raw === 'number' ? String(raw) : raw;
  if (kind === 'switch') {
    if (raw === true || raw === 'true' || raw === '1') return true;
    return raw === false || raw === 'false' || raw === '0' ? false : null;
  }
  if (typeof text !== 'string' || text === '') return null;
  switch (kind) {
    case 'text':
      return text.includes('\0') ? null : text;
    case 'duration':
      return parseDuration(text);
    case 'size':
      return parseBytes(text);
    case 'count':
      return /^\d{1,9}$/.test(text) ? Number(text) : null;
    case 'positive':
      return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;
    case 'live':
      return text === 'restart' || text === 'wait' ? text : null;
    case 'on':
      return parseOnStop(text);
    case 'hours':
      return parseHours(text);
    case 'instant':
      return instantOf(text);
  }
}

/** `weekly=hold,transient=resume` → what is said of each kind; null where a part is not so, or stands twice. */
function parseOnStop(text: string): Partial<OnStop> | null {
  const found: Partial<Record<StopKind, 'resume' | 'hold'>> = {};
  for (const part of text.split(',')) {
    const [name = '', answer = '', more] = part.trim().split('=');
    const kind = STOP_KINDS.find((one) => one === name);
    const isAnswer = answer === 'resume' || answer === 'hold';
    if (kind === undefined || !isAnswer || more !== undefined || found[kind] !== undefined)
      return null;
    found[kind] = answer;
  }
  return found;
}

/** ISO 8601 with a zone: a bare local time would mean another instant on each machine. */
function instantOf(text: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:?\d{2})$/.test(text))
    return null;
  // `Date.parse` takes the 30th of February for the 2nd of March.
  const day = text.slice(0, 10);
  const instant = Date.parse(text);
  if (Number.isNaN(instant) || Number.isNaN(Date.parse(day))) return null;
  return new Date(day).toISOString().slice(0, 10) === day ? instant : null;
}

/** Flag over variable over config over default (which the caller has): the first that is set. */
export function mergeOptions(
  flags: Readonly<Record<string, unknown>>,
  env: NodeJS.ProcessEnv,
  config: Readonly<Record<string, unknown>>,
): Result<OptionValues, UsageFailure> {
  const values: OptionValues = {};
  for (const spec of OPTIONS as readonly (OptionSpec & { key: OptionKey })[]) {
    const fromEnvironment = spec.variable === null ? undefined : env[spec.variable];
    const sources: [unknown, string][] = [
      [flags[spec.key], spec.flag],
      [fromEnvironment === '' ? undefined : fromEnvironment, spec.variable ?? ''],
      [spec.isPerRun === true ? undefined : config[spec.key], `config.json: ${spec.key}`],
    ];
    const set = sources.find(([raw]) => raw !== undefined);
    if (set === undefined) continue;
    const value = parseValue(spec, set[0], set[1]);
    if (!value.ok) return value;
    values[spec.key] = value.value;
  }
  return ok(values);
}

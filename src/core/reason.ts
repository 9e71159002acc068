// Why a session is not running, as a closed set of codes: what a caller switches on; prose is for people only.

/** The closed set. The first seventeen are the pause reasons of the runner that this set comes from. */
export const REASON_CODES = [
  'usage_cap',
  'budget',
  'token_budget',
  'step_limit',
  'approval',
  'abort',
  'cancelled',
  'plan_only',
  'idle',
  'operator',
  'stale',
  'state_not_persisted',
  'uncommitted_work',
  'disk_low',
  'executor_lost',
  'disk_limit',
  'starter_unavailable',
  'transient',
  'unknown',
] as const;

export type ReasonCode = (typeof REASON_CODES)[number];

/** Where the instant of a reason was read. */
export type ReasonSource = 'transcript' | 'timeline' | 'first_seen' | 'updated_at' | 'none';

/** The JSON shape of a reason; `resumes_at` is ISO 8601 UTC, null when nobody knows. */
export interface Reason {
  readonly code: ReasonCode;
  readonly detail: string;
  readonly resumes_at: string | null;
  readonly source: ReasonSource;
}

/** sysexits' EX_IOERR: the account of `state_not_persisted` that survives when no file takes a write. */
export const EXIT_STATE_NOT_PERSISTED = 74;

const NOUNS: Record<ReasonCode, string> = {
  usage_cap: 'usage limit',
  budget: 'spend limit',
  token_budget: 'token budget',
  step_limit: 'attempts spent',
  approval: 'waiting for a person',
  abort: 'refused for good',
  cancelled: 'cancelled',
  plan_only: 'plan only',
  idle: 'nothing to do',
  operator: 'stopped by its operator',
  stale: 'ended without saying so',
  state_not_persisted: 'state could not be written',
  uncommitted_work: 'work left uncommitted',
  disk_low: 'disk space low',
  executor_lost: 'working directory gone',
  disk_limit: 'disk limit reached',
  starter_unavailable: 'no login',
  transient: 'temporary failure',
  unknown: 'cannot be told',
};

/** Whether a string is one of the codes; anything else is a bug of its writer, not an extension. */
export function isReasonCode(value: unknown): value is ReasonCode {
  return typeof value === 'string' && (REASON_CODES as readonly string[]).includes(value);
}

/** A reason that nobody knows the end of. */
export function reasonOf(code: ReasonCode, detail = '', source: ReasonSource = 'none'): Reason {
  return { code, detail, resumes_at: null, source };
}

/**
 * A reason that lifts by itself at `resumesAt` (epoch milliseconds or an ISO instant).
 * Null, zero and what is no instant count as unknown, so a provider's value can be passed as it came.
 */
export function reasonUntil(
  code: ReasonCode,
  detail: string,
  resumesAt: number | string | Date | null | undefined,
  source: ReasonSource = 'none',
): Reason {
  return { code, detail, resumes_at: isoInstant(resumesAt), source };
}

function isoInstant(value: number | string | Date | null | undefined): string | null {
  if (value === null || value === undefined || value === 0) return null;
  // A bare `Date` reads years and months out of almost anything.
  if (typeof value === 'string' && !/^\d{4}-\d{2}-\d{2}T/.test(value)) return null;
  const instant = new Date(value).getTime();
  return Number.isNaN(instant) || instant === 0 ? null : new Date(instant).toISOString();
}

/**
 * The reason to keep for a session in this status: one exists only while it is `paused`, else null.
 * Everything that stores a reason goes through here, so a resumed session cannot still claim a cap.
 */
export function normalize(status: string, reason: Reason | null): Reason | null {
  if (status !== 'paused' || reason === null) return null;
  const code = isReasonCode(reason.code) ? reason.code : 'unknown';
  return { ...reason, code, resumes_at: isoInstant(reason.resumes_at) };
}

/** Whether the pause has ended by `now` (epoch ms) and needs no person: a usage cap at or past its known end. */
export function autoResumable(reason: Reason | null, now: number): boolean {
  if (reason === null || reason.code !== 'usage_cap' || reason.resumes_at === null) return false;
  return Date.parse(reason.resumes_at) <= now;
}

/** Whether it lifts by itself at an unknown time, so that trying again, with back-off, is right. */
export function retryable(reason: Reason | null): boolean {
  return reason?.code === 'transient';
}

/** Whether the one who recorded it still waits it out itself: restarting would put a second one beside it. */
export function runWaits(reason: Reason | null): boolean {
  return reason?.code === 'disk_low';
}

/** The text for people: the detail, or the code's own noun when there is none. */
export function label(reason: Reason): string {
  return reason.detail.trim() === '' ? NOUNS[reason.code] : reason.detail;
}

/**
 * One line: `5-hour cap reached, resumes 14:50`, the clock of IANA `zone`, with the date when that is another
 * day than `now` (epoch ms) there. A zone that the runtime does not know is read as UTC.
 */
export function summary(reason: Reason, zone: string, now: number): string {
  if (reason.resumes_at === null) return label(reason);
  const at = new Date(reason.resumes_at);
  const isSameDay = fullDayIn(at, zone) === fullDayIn(new Date(now), zone);
  const date = isSameDay ? '' : `${dayIn(at, zone)}, `;
  return `${label(reason)}, resumes ${date}${clockIn(at, zone)}`;
}

const clockIn = (at: Date, zone: string): string =>
  formatIn(at, zone, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const fullDayIn = (at: Date, zone: string): string =>
  formatIn(at, zone, { year: 'numeric', month: 'short', day: 'numeric' });
const dayIn = (at: Date, zone: string): string =>
  formatIn(at, zone, { month: 'short', day: 'numeric' });

function formatIn(at: Date, zone: string, parts: Intl.DateTimeFormatOptions): string {
  const format = (timeZone: string) =>
    new Intl.DateTimeFormat('en-US', { ...parts, timeZone }).format(at);
  try {
    return format(zone);
  } catch {
    return `${format('UTC')} UTC`;
  }
}

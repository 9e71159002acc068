// The words with which the client reports why a session stopped, in the forms that were measured.

const NAMES = {
  five_hour: '5-hour',
  seven_day: 'weekly',
  seven_day_opus: 'Opus',
  seven_day_sonnet: 'Sonnet',
  seven_day_overage_included: 'Fable',
};
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const DAY_MS = 86_400_000;

/**
 * `You've hit your 5-hour limit · resets 12:58am (UTC)`; with the date when the reset is more than a day away.
 * @param {{ limitType: string, resetsAt: number | null, shownAt: number, isOldClient?: boolean }} limit instants in epoch ms
 */
export function limitText({ limitType, resetsAt, shownAt, isOldClient = false }) {
  const known = NAMES[/** @type {keyof typeof NAMES} */ (limitType)] ?? 'usage';
  const name = isOldClient && limitType === 'five_hour' ? 'session' : known;
  const head = `You've hit your ${name} limit`;
  if (resetsAt === null) return head;
  const at = new Date(resetsAt);
  const hour = at.getUTCHours();
  const minute = at.getUTCMinutes();
  const minutes = minute === 0 ? '' : `:${String(minute).padStart(2, '0')}`;
  const clock = `${hour % 12 === 0 ? 12 : hour % 12}${minutes}${hour < 12 ? 'am' : 'pm'}`;
  const date = `${MONTHS[at.getUTCMonth()]} ${at.getUTCDate()}, `;
  return `${head} · resets ${resetsAt - shownAt > DAY_MS ? date : ''}${clock} (UTC)`;
}

const NEEDS = {
  rate_limit: 'rate limited — wait and retry',
  overloaded: 'API unavailable — retry',
  server_error: 'API unavailable — retry',
  authentication_failed: 'login required — run /login',
  billing_error: 'usage limit reached — check plan',
  invalid_request: 'request too large — /compact or trim',
};

/**
 * `needs` of a job that stopped with this error and message; null for an error that none was measured for.
 * @param {string | null} error
 * @param {string} text
 */
export function needsText(error, text) {
  const head = NEEDS[/** @type {keyof typeof NEEDS} */ (error)];
  return head === undefined ? null : `${head} · ${text}`;
}

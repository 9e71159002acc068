// The refusals the client turns into the stops under test, with the headers it reads.

export const fine = { text: 'Carried on.' };

const second = (/** @type {number} */ instant) => String(Math.floor(instant / 1000));

/**
 * A usage limit that lifts at `resetAt` (epoch ms), the way the API says it; an answer afterwards.
 * @param {{ claim: 'five_hour' | 'seven_day', resetAt: number }} given
 * @returns {import('./mock-api.mjs').Weather}
 */
export function usageLimit({ claim, resetAt }) {
  const isSession = claim === 'five_hour';
  const other = second(resetAt + 86_400_000);
  const unified = 'anthropic-ratelimit-unified';
  return {
    ...fine,
    refusal: {
      until: resetAt,
      status: 429,
      type: 'rate_limit_error',
      message: 'This request would exceed the limit of your account.',
      headers: {
        'x-should-retry': 'false',
        [`${unified}-status`]: 'rejected',
        [`${unified}-reset`]: second(resetAt),
        [`${unified}-representative-claim`]: claim,
        [`${unified}-5h-status`]: isSession ? 'rejected' : 'allowed',
        [`${unified}-5h-reset`]: isSession ? second(resetAt) : other,
        [`${unified}-5h-utilization`]: isSession ? '1.0' : '0.4',
        [`${unified}-7d-status`]: isSession ? 'allowed' : 'rejected',
        [`${unified}-7d-reset`]: isSession ? other : second(resetAt),
        [`${unified}-7d-utilization`]: isSession ? '0.4' : '1.0',
        [`${unified}-overage-status`]: 'rejected',
        [`${unified}-overage-disabled-reason`]: 'org_level_disabled',
      },
    },
  };
}

/** @type {import('./mock-api.mjs').Weather} */
export const overloaded = {
  refusal: {
    status: 529,
    type: 'overloaded_error',
    message: 'Overloaded',
    headers: { 'x-should-retry': 'false' },
  },
};

/** A command that no permission mode but a bypassing one runs unasked. @type {import('./mock-api.mjs').Weather} */
export const asksPermission = {
  tool: {
    name: 'Bash',
    input: { command: 'touch made-here && rm -rf made-here', description: 'Touch' },
  },
};

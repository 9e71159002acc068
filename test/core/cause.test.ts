import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Cause, causeOf, causeOfText, namesHuman } from '../../src/core/cause.ts';
import type { ErrorRecord } from '../../src/core/session.ts';

describe('limits', () => {
  test.each([
    ['session', true, 'Session limit reached ∙ resets 5:00 PM'],
    ['session', true, '  ⎿  Session limit reached ∙ resets 9:30pm'],
    ['weekly', true, 'Weekly limit reached ∙ resets Jul 24 at 10:59am (America/New_York)'],
    ['opus', true, 'Opus weekly limit reached ∙ resets Oct 9, 5pm'],
    ['weekly', true, "You've hit your weekly usage limit. Resets Monday 9am"],
    ['untyped', true, "│ You've hit your limit · resets Sep 27, 3am (UTC)  │"],
    ['untyped', true, 'Usage limit reached. Resets in 2h 30m'],
    ['session', true, '5-hour limit reached, resets in 45 minutes'],
    ['session', true, '5-hour limit reached - resets 7:00 PM'],
    ['session', true, '5-hour limit reached • resets 3am'],
    ['session', true, '5-hour limit reached | resets 3am'],
    ['session', true, '5-hour limit reached — resets 3am (Europe/Paris)'],
    [
      'session',
      true,
      "You've hit your session limit · resets 9:10pm (Australia/Sydney) · progress saved",
    ],
    ['untyped', true, "You've hit your limit · resets 11pm · progress saved"],
    [
      'fable',
      true,
      "You've hit your Fable limit · resets Dec 2, 10pm (UTC). /model to switch models.",
    ],
    [
      'fable',
      true,
      "You've hit your Fable 5 limit · resets Dec 2, 10pm (UTC). Run /usage-credits to continue or switch models with /model.",
    ],
    ['opus', true, "You've hit your Opus 4.5 limit · resets 9pm (UTC)"],
    ['untyped', true, "You've hit your Mythos limit · resets Jan 2, 2027, 6pm (UTC)"],
    ['untyped', true, "You've hit your Quartz 2 limit · resets Dec 2, 10pm (UTC)"],
    ['session', true, "You've hit your 5-hour limit · resets 12:58am (UTC) · out of usage credits"],
    ['session', true, "YOU'VE HIT YOUR SESSION LIMIT · RESETS 3PM (UTC)"],
    ['session', true, 'You’ve hit your session limit · resets 3:45 PM (UTC)'],
    [
      'session',
      true,
      "You've hit your team's pooled group budget · resets Nov 1, 12am (UTC) · raise it at claude.ai/admin-settings/usage · your 5-hour limit resets 3pm (UTC)",
    ],
    [
      'weekly',
      true,
      "You've hit your org's monthly spend limit · run /usage-credits to raise it, or visit claude.ai/admin-settings/usage · your weekly limit resets Dec 4, 10pm (UTC)",
    ],
    [
      'session',
      true,
      "You've hit your channel's monthly spend limit · an org owner or channel manager can raise it in the channel's Claude settings · your session limit resets 9am (UTC)",
    ],
    [
      'session',
      true,
      "You've hit your individual spend limit · manage it in admin settings on the web · your 5-hour limit resets 3pm",
    ],
    ['org', true, "You've hit your individual usage limit · resets Oct 1, 12am (UTC)"],
    ['org', true, "You've hit your channel's monthly usage limit · resets Oct 1"],
    ['untyped', false, "You've hit your usage limit. Try again later."],
    ['weekly', false, 'You have reached your weekly limit'],
    ['session', false, "You've reached your session limit"],
    ['untyped', true, "You've hit your daily limit · resets 12am (UTC)"],
    ['untyped', true, "You've exceeded your usage limit. Your limit will reset at 5pm (UTC)."],
    ['untyped', true, 'Claude Pro usage limit reached. Your limit will reset at 7pm (Asia/Tokyo).'],
    ['untyped', true, 'Claude AI usage limit reached|1753500000000'],
    ['untyped', true, 'Claude AI usage limit reached | 1753500000'],
    ['untyped', true, 'Claude usage limit reached · resets 3am'],
    [
      'untyped',
      true,
      'Limit reached · resets Jan 12 at 8am (Europe/Berlin) · /upgrade to Max or turn on /extra-usage',
    ],
    ['untyped', false, 'Usage limit reached · /upgrade to Max'],
    ['opus', true, 'Usage limit reached for Opus 4 · resets 3pm'],
    ['untyped', true, 'Your usage limit has been reached. Resets at 5pm (UTC).'],
    ['spend', true, 'spend limit reached · resets Aug 9, 12am (UTC)'],
    [
      'spend',
      true,
      'API Error: Request rejected (429) · spend limit reached · resets Aug 9, 12am (UTC)',
    ],
    [
      'spend',
      true,
      'API Error: 429 {"type":"error","error":{"type":"rate_limit_error","message":"spend limit reached (monthly; resets 2026-08-20 06:38 UTC)"}}',
    ],
    ['spend', true, 'spend limit reached (monthly; resets 2026-08-20 06:38 UTC)'],
    [
      'spend',
      true,
      'API Error: 400 {"type":"error","error":{"type":"invalid_request_error","message":"You have reached your specified API usage limits. You will regain access on 2025-07-01 at 00:00 UTC."}}',
    ],
    ['extra_usage', true, "You're out of extra usage · resets 2:30pm (Asia/Tokyo)"],
    ['extra_usage', true, 'You are out of extra usage · resets 4pm.'],
    ['org', true, 'Your org is out of usage · resets 5pm (UTC)'],
    [
      'weekly',
      true,
      "rate limited — wait and retry · You've hit your weekly limit · resets Dec 4, 10pm (UTC)",
    ],
    ['untyped', false, 'rate limited - wait and retry'],
    ['session', true, "API Error: You've hit your session limit · resets 3pm (UTC)"],
    ['untyped', false, 'API Error: Usage limit reached'],
    ['session', true, 'Session limit reached - resets soon'],
    ['session', true, "You've hit your session limit · resets 13am (UTC)"],
    ['session', true, "You've hit your session limit · resets 5 Uhr (Europe/Berlin)"],
    ['session', true, "You've hit your session limit · resets 3pm (Europe/Barcelona)"],
    ['session', true, "You've hit your session limit · resets at midnight"],
    ['weekly', true, "You've hit your weekly limit · resets tomorrow at 5am"],
    ['weekly', true, "You've hit your weekly limit · resets in 3 days"],
    ['session', true, "You've hit your session limit · resets 3pm PST"],
  ] as const)('is a %s limit (states a reset: %s): %s', (limit, statesReset, text) => {
    expect(causeOfText(text)).toMatchObject({ kind: 'limit', limit, statesReset });
  });
});

describe('what lifts by itself', () => {
  test.each([
    [
      'api',
      'API Error: 500 Internal server error. This is a server-side issue, usually temporary — try again in a moment. If it persists, check your inference gateway (localhost:8080).',
    ],
    [
      'api',
      'API Error: 503 upstream connect error or disconnect/reset before headers. reset reason: connection timeout',
    ],
    [
      'api',
      'API Error: upstream connect error or disconnect/reset before headers. reset reason: connection timeout',
    ],
    ['api', 'API Error: 521 <html><head><title>Web server is down</title>'],
    ['api', 'API Error: 522'],
    ['api', 'API Error: 502 <html>\\\n<head><title>502 Bad Gateway</title></head>'],
    ['api', 'API Error (502 <html>'],
    ['api', 'API Error: 504 Gateway Time-out'],
    ['api', 'API Error: 500 {"error":{"message":"x","type":"api_error"}}'],
    [
      'overload',
      'API Error: 529 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
    ],
    ['overload', 'API Error (529 overloaded)'],
    ['overload', '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}'],
    ['overload', '529 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}'],
    [
      'overload',
      'API Error: Repeated 529 Overloaded errors. The API is at capacity — this is usually temporary. Try again in a moment. If it persists, check https://status.claude.com.',
    ],
    ['overload', 'Opus is experiencing high load, please use /model to switch to Sonnet'],
    ['overload', 'Fable is experiencing high load. Switch to Sonnet.'],
    ['overload', 'API Error: Overloaded'],
    ['overload', 'Overloaded'],
    [
      'network',
      'API Error: No response from API (waited 3m, then 10m on the retry). If a proxy or gateway on your network holds responses until they complete, raise API_TIMEOUT_MS or CLAUDE_STREAM_FIRST_BYTE_TIMEOUT_MS to wait longer.',
    ],
    ['network', 'API Error: The response stopped arriving. The response above may be incomplete.'],
    [
      'network',
      'API Error: Part of the response never arrived. The response above may be incomplete.',
    ],
    ['api', 'API Error: The response stream was malformed. The response above may be incomplete.'],
    ['network', 'API Error: The response stalled before a response was produced. Try again.'],
    ['network', 'API Error: Response stalled mid-stream. The response above may be incomplete.'],
    ['network', 'API Error: Connection closed mid-response. The response above may be incomplete.'],
    [
      'network',
      'API Error: Connection closed while thinking, before producing a response. Try again.',
    ],
    [
      'network',
      'API Error: Response stalled while thinking, before producing a response. Try again.',
    ],
    [
      'network',
      'API Error: Connection to the API was lost (ECONNRESET). This is usually temporary — try again.',
    ],
    [
      'network',
      'API Error: Connection dropped (ECONNRESET). A VPN, firewall, or security software can cause this. Check those or switch networks, then try again.',
    ],
    [
      'network',
      'API Error: Connection dropped (EPIPE). Check the proxy set in HTTPS_PROXY, then try again.',
    ],
    [
      'network',
      'API Error: Connection refused — a firewall or proxy may be blocking it (ECONNREFUSED)',
    ],
    ['network', "API Error: Can't reach the API server — check your internet or DNS (EAI_AGAIN)"],
    ['network', 'API Error: No internet route — check your connection or VPN (ENETUNREACH)'],
    ['network', 'API Error: Unable to connect to API. Check your internet connection'],
    ['network', 'API Error: Unable to connect to API due to poor internet connection'],
    ['network', 'API Error: Unable to connect to API (ConnectionRefused)'],
    ['network', 'API Error: Unable to connect to API (UND_ERR_CONNECT_TIMEOUT)'],
    [
      'network',
      'Request timed out. No data arrived for more than 5 minutes. Set CLAUDE_STREAM_IDLE_TIMEOUT_MS above 1',
    ],
    ['network', 'API Error: Request timed out.'],
    ['network', 'API Error: Connection error.'],
    [
      'network',
      'API Error: The socket connection was closed unexpectedly. For more information, pass `verbose: true` in the second argument to fetch()',
    ],
    ['network', 'API Error: Connection closed before the response finished'],
    ['network', 'API Error: Stream idle timeout - partial response received'],
    ['network', 'API Error: The operation timed out.'],
    ['network', 'API Error: fetch failed'],
    ['network', 'TypeError: fetch failed'],
    ['api', 'API Error: The API is temporarily unavailable'],
    ['network', 'Error: getaddrinfo ENOTFOUND api.anthropic.com'],
    ['network', 'getaddrinfo EAI_AGAIN api.anthropic.com'],
    ['network', 'connect ETIMEDOUT 160.79.104.10:443'],
    ['network', 'Error: write EPIPE'],
    ['network', 'code=ECONNRESET'],
    ['network', "code: 'ETIMEDOUT'"],
    ['network', 'ECONNRESET'],
    ['network', 'Error: socket hang up'],
    ['network', 'read ECONNRESET'],
    ['network', 'Client network socket disconnected before secure TLS connection was established'],
    [
      'throttle',
      'API Error: Server is temporarily limiting requests (not your usage limit) · Number of request tokens has exceeded your per-minute rate limit',
    ],
    ['throttle', 'API Error: Server is temporarily limiting requests (not your usage limit)'],
    [
      'throttle',
      'API Error: Request rejected (429) · this may be a temporary capacity issue. If it persists, check https://status.claude.com.',
    ],
    ['throttle', 'API Error: Request rejected (429)'],
    ['throttle', 'API Error: Request rejected (429) · upstream rate limit exceeded'],
    ['throttle', 'upstream rate limit exceeded'],
    ['overload', 'upstream overloaded'],
    ['throttle', 'API Error: 429 upstream rate limit exceeded'],
    ['api', 'API Error: 502 all upstreams failed (2 attempted)'],
    [
      'throttle',
      '429 {"type":"error","error":{"type":"rate_limit_error","message":"This request would exceed your organization\'s rate limit of 400,000 input tokens per minute"}}',
    ],
    ['throttle', 'API Error: Rate limited'],
    ['throttle', 'Rate limit exceeded. Please try again later.'],
    [
      'api',
      'API unavailable — retry · API Error: 503 Service unavailable. This is a server-side issue',
    ],
    ['api', 'API unavailable — retry'],
    ['api', 'API unavailable — retry · API Error: Something new happened'],
    [
      'network',
      'Could not refresh your login because another Claude Code process is refreshing it (or exited mid-refresh) · Try again in a minute; if it keeps happening, close other Claude Code windows or sign in again with /login',
    ],
    ['api', 'Agent terminated early due to an API error'],
    ['overload', 'Agent terminated early due to an API error: API Error: 529 Overloaded'],
    ['network', 'GCP credentials check timed out'],
    ['network', 'Connection interrupted by system sleep'],
  ])('is a passing %s error: %s', (family, text) => {
    expect(causeOfText(text)).toMatchObject({ kind: 'transient', family });
  });
});

describe('what needs a person, or goes on by itself', () => {
  test.each([
    ['budget', 'usage limit reached — check plan'],
    ['budget', 'usage limit reached — check plan · Credit balance is too low'],
    ['budget', 'Usage limit reached · check your plan'],
    ['budget', "You've hit your usage limit · contact your admin to increase it"],
    ['budget', "You've hit your Fable 5 limit."],
    [
      'budget',
      "You've reached your Quartz 2 limit. Run /usage-credits to continue or switch models with /model.",
    ],
    ['budget', 'Opus limit reached'],
    ['budget', "You've hit your monthly spend limit. Switch to another model to continue."],
    ['budget', "You've hit your team's pooled group budget."],
    [
      'budget',
      'Your usage allocation has been disabled by your admin · run /usage-credits to ask your admin for a higher limit',
    ],
    ['budget', "Your group's usage limit is set to $0"],
    ['budget', 'This service is disabled for your org'],
    ['budget', 'Usage is paused for your organization. For help, please contact support.'],
    [
      'budget',
      'API Error: Usage credits required for 1M context · run /usage-credits to turn them on (they take effect after you restart Claude Code), or /model to switch to standard context',
    ],
    ['budget', 'API Error: Usage credits ran out before the response was finished.'],
    [
      'budget',
      'API Error: Extra usage is required for 1M context · enable extra usage at claude.ai/settings/usage',
    ],
    [
      'budget',
      'API Error: 429 {"type":"error","error":{"type":"rate_limit_error","message":"Extra usage is required for long context requests."}}',
    ],
    [
      'budget',
      'API Error: 429 {"type":"error","error":{"type":"rate_limit_error","message":"spend limit reached"}}',
    ],
    ['budget', 'API Error: Request rejected (429) · spend limit reached'],
    ['budget', 'Opus 4.8 requires usage credits. Switch to another model to continue.'],
    ['budget', 'Credit balance is too low'],
    [
      'budget',
      'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.',
    ],
    [
      'budget',
      'API Error: 400 {"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the Anthropic API."}}',
    ],
    ['budget', "You've hit your monthly limit"],
    ['in_flight', 'Usage limit reached · continuing automatically at Oct 3, 7pm · esc to cancel'],
    [
      'in_flight',
      '⚠ Usage limit reached · continuing automatically at Oct 3, 6:50pm · esc to cancel',
    ],
    ['in_flight', 'Usage limit reached · set to continue automatically at 7pm'],
    ['in_flight', 'Usage limit reached · wrapping up'],
    ['in_flight', 'Waiting for API response · will retry in 5s'],
    ['in_flight', 'API Error (Connection error.) · Retrying in 20 seconds… (attempt 7/10)'],
    ['in_flight', 'Retrying in 5 seconds… (attempt 2/10)'],
    ['in_flight', '5-hour limit reached · Retrying in 20 minutes… (attempt 1/10)'],
  ])('is %s: %s', (kind, text) => {
    expect(causeOfText(text)).toMatchObject({ kind });
  });

  test.each([
    ['too_large', 'Context window limit reached'],
    ['too_large', "You've reached the context window limit."],
    [
      'login',
      'API Error: 401 {"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}',
    ],
    [
      'login',
      'API Error: 403 {"error":{"type":"permission_error","message":"OAuth token has been revoked"}}',
    ],
    ['login', 'Please run /login · API Error: 401 Invalid bearer token'],
    ['login', 'login required — run /login · API Error: 529 Overloaded'],
    [
      'setup',
      'API Error: Unable to connect to API: Self-signed certificate detected (SELF_SIGNED_CERT_IN_CHAIN). The certificate',
    ],
    ['setup', 'API Error: Unable to connect to API (SELF_SIGNED_CERT_IN_CHAIN)'],
    ['setup', 'API Error: Unable to connect to API (UNABLE_TO_VERIFY_LEAF_SIGNATURE)'],
    ['setup', 'API Error: Unable to connect to API: SSL certificate has expired'],
    ['setup', 'API Error: Unable to connect to API: SSL error (ERR_SSL_WRONG_VERSION_NUMBER)'],
    [
      'setup',
      "API Error: Couldn't connect through your proxy (ERR_PROXY_TUNNEL) — the proxy refused the tunnel",
    ],
    [
      'setup',
      'API Error: Unable to connect to API: sign in to network or proxy. The request was redirected',
    ],
    ['setup', 'Error: unable to get local issuer certificate'],
    ['too_large', 'Prompt is too long · automatic compaction failed: API Error: 529 Overloaded'],
    ['too_large', 'Prompt is too long · automatic compaction failed: Request timed out'],
    ['too_large', 'request too large — /compact or trim · Request too large (max 32MB).'],
    ['too_large', 'API Error: 413 Request too large'],
    [
      'setup',
      'API Error: 400 due to tool use concurrency issues. Run /rewind to recover the conversation.',
    ],
    [
      'setup',
      'API Error: 400 {"type":"error","error":{"type":"invalid_request_error","message":"messages.5: tool_use ids were found without tool_result blocks"}}',
    ],
    [
      'model',
      'API Error: 404 {"type":"error","error":{"type":"not_found_error","message":"model: claude-x"}}',
    ],
    ['model', 'API Error (us.anthropic.claude-x): 400 The provided model identifier is invalid.'],
    [
      'policy',
      'API Error: Claude Code is unable to respond to this request, which appears to violate our Usage Policy',
    ],
    ['setup', 'upstream rejected the request'],
  ])('is fatal (%s): %s', (family, text) => {
    expect(causeOfText(text)).toMatchObject({ kind: 'fatal', family });
  });
});

describe('texts that must not match', () => {
  test.each([
    'Added the usage limit page',
    'I hit your session limit bug',
    "You've hit your session limit handler is now fixed",
    'Session limit reached handler added',
    'Session limit reached - handler added',
    'Session limit reached: fix the banner',
    'Weekly limit reached — write the page that shows it',
    'Usage limit reached page is done',
    '"You\'ve hit your session limit · resets 3pm (UTC)"',
    "> You've hit your session limit · resets 3pm (UTC)",
    "The log says: You've hit your session limit · resets 3pm (UTC)",
    "You've hit your session limit · resets 3pm (UTC) is what the banner says",
    "You've hit your session limit · resets 3pm (UTC) — make this message friendlier",
    "You've hit your session limit · resets are shown in local time",
    "You've hit your session limit and the retry logic works now",
    "You've hit your fast limit · resets in 2h 4m",
    "You've hit your subagent limit",
    "You've hit your Subagent limit · resets 3pm",
    'Subagent limit reached',
    'Tool-use limit reached',
    'Turn limit reached · resets 3pm',
    'Upload limit reached · resets 3pm',
    'Claude Opus 4 limit reached, now using Sonnet 4',
    'Opus limit reached · now using Sonnet',
    'Approaching 5-hour limit · resets 3pm',
    "You've used 97% of your session limit · resets 3pm (UTC)",
    'Over 90% of your weekly limit used · resets 3pm',
    "You're close to your usage credit limit",
    "You're now using usage credits · Your weekly limit resets Dec 4, 10pm (UTC)",
    'Now using usage credits for Fable · Your Fable limit resets 3pm',
    'Current session: 40% used · resets 3pm',
    'Resets in 2h',
    'Your usage limit has reset · press enter to continue',
    'Usage limit has reset · press enter to continue',
    '[Usage limit reached — grace window active. Wrap up: finish or checkpoint]',
    'Lower-priority mode is no longer available · it has ended; new messages wait for your usage limit to reset',
    'API Error: Request was aborted.',
    'API Error',
    'API Error: ',
    'API error',
    'API error — see detail',
    'API Error: 500 when saving a user; find and fix',
    'API Error: 503 responses are retried now',
    'API Error 500 page added to the site',
    'API errors are handled',
    'API Error: 502 Bad Gateway page added to the site',
    'API Error: 503 Service unavailable handler: write a test',
    'Error: read ECONNRESET banner',
    'The log says spend limit reached (daily; resets 2026-08-09 00:00 UTC)',
    'Session limit reached?',
    'Usage limit reached (see the screenshot)',
    "You've hit your weekly limit · resets 1pm (UTC) (429) in the tests",
    'Connection error handling added to the client',
    'Connection lost banner fixed',
    'Request timed out in the payment test',
    'Request timed out. Fix the payment test',
    'The request timed out in CI twice. Raise the timeout?',
    'Overloaded operator fixed',
    'Overloaded methods: keep all three?',
    'Rate limit reached handler written',
    'Rate limiting added to the API',
    'rate limited — wait and retry logic added',
    'rate limited — wait and retry · Added the usage limit page',
    'connect ECONNREFUSED 127.0.0.1:5432',
    'Error: connect ECONNREFUSED ::1:3000',
    'Service unavailable page added',
    'socket hang up in the proxy test is fixed',
    'ECONNRESET is now retried',
    'fetch failed tests pass',
    'Stream ended handler fixed',
    'double jump or wall climb?',
    'should I raise the rate limit to 100?',
    'Should the rate limit be per user or per IP?',
  ])('knows nothing of: %s', (text) => {
    expect(causeOfText(text).kind).toBe('unknown');
  });
});

describe('a session that waits for a person', () => {
  test.each([
    'approve Bash: rm -rf build',
    'approve plan',
    'answer: Which database? (SQLite · Postgres)',
    'choose: continue on usage credits or switch models',
    'awaiting input: paste the key',
    'send a prompt to start',
    '(idle — send a prompt to start)',
    'permission prompt',
    'input needed',
    'sandbox request',
    'worker request',
    'dialog open',
    'needs input: which branch?',
    'Awaiting your approval of the plan',
    'waiting for your decision on the schema',
    'Claude needs your permission to use Bash',
    'Claude is waiting for your input',
    'Claude Code needs your approval for the plan',
    'Fable 5 limit reached · continuing on Fable 5 uses usage credits, and the prompt to confirm went unanswered — nothing was sent · answer it where this session is running, or /model to change',
  ])('says so: %s', (text) => {
    expect(causeOfText(text).kind).toBe('human');
    expect(namesHuman({ detail: '', needs: text, waitingFor: null })).not.toBeNull();
  });

  const LIMIT = "You've hit your session limit · resets 3pm (UTC)";

  test.each([
    [LIMIT, 'approve Bash: npm publish'],
    [`${LIMIT} — awaiting your decision`, ''],
    [`${LIMIT}\nWhat do you want to do?\n1. Stop and wait for limit to reset`, ''],
    ['Blocked on the usage limit; waiting for you to pick an account', ''],
    ['Hit the weekly limit. Should I switch to the API key?', ''],
    ['Session limit reached, need you to confirm the migration', ''],
    ['The limit page needs your review', ''],
    ['Paused for approval of the spend', ''],
    ['Waiting on the maintainer', ''],
    ['Let me know which of these you want', ''],
    ['Do you want me to wait for the reset?', ''],
    ['permission needed to write outside the worktree', ''],
  ])('is named beside a limit: %s / %s', (detail, needs) => {
    expect(namesHuman({ detail, needs, waitingFor: null })).not.toBeNull();
  });

  test("is named by the client's listing, whatever the texts say", () => {
    const named = namesHuman({
      detail: LIMIT,
      needs: '',
      waitingFor: 'permission \u001b[1mprompt',
    });
    expect(named).toBe('permission prompt');
    expect(namesHuman({ detail: LIMIT, needs: '', waitingFor: '' })).toBeNull();
  });

  test.each([
    LIMIT,
    `${LIMIT}\n/login to switch to an API usage-billed account.`,
    "You've hit your org's monthly spend limit · run /usage-credits to ask your admin for a higher limit · your session limit resets 3pm (UTC)",
    "You've hit your org's monthly spend limit · ask your admin to raise it at claude.ai/admin-settings/usage · your session limit resets 9am (UTC)",
    'Usage limit reached · continuing automatically at 7pm · esc or type to cancel',
    "You've hit your usage limit · contact your admin to increase it",
    'Weekly limit reached · resets 10am (Asia/Seoul) · /upgrade to Max or turn on /extra-usage',
    'No room for lower-priority work; new messages wait for your usage limit to reset',
    'API Error: 529 Overloaded. This is a server-side issue, usually temporary — try again in a moment.',
    'API Error: Request timed out. Check your internet connection and proxy settings',
    'login required — run /login · OAuth token revoked',
    'Prompt is too long · automatic compaction failed: Request timed out',
    '',
  ])('is not named by advice: %s', (text) => {
    expect(
      namesHuman({
        detail: text,
        needs: `rate limited — wait and retry · ${text}`,
        waitingFor: null,
      }),
    ).toBeNull();
  });
});

function record(text: string, error: string | null, more: Partial<ErrorRecord> = {}): ErrorRecord {
  return { uuid: 'u', at: 0, error, status: null, text, quota: null, ...more };
}

const quota = (
  resetsAt: number | null,
  limitType: string | null = null,
): NonNullable<ErrorRecord['quota']> => ({
  resetsAt,
  limitType,
  overageDisabledReason: 'org_level_disabled',
});

/** Detail, needs, the error record; kind and, where it has one, limit or family. */
type Weighed = readonly [
  title: string,
  detail: string,
  needs: string,
  error: ErrorRecord | null,
  kind: Cause['kind'],
  of: string | null,
];

function weighs(table: readonly Weighed[]): void {
  test.each(table)('%s', (_title, detail, needs, error, kind, of) => {
    const cause = causeOf({ detail, needs, error });
    const found = 'limit' in cause ? cause.limit : 'family' in cause ? cause.family : null;
    expect([cause.kind, found]).toEqual([kind, of]);
  });
}

const WEEKLY = "You've hit your weekly limit · resets Dec 4, 10pm (UTC)";
const FILED = 'rate limited — wait and retry';
const PROSE = 'Added the usage limit page';

describe('detail and needs together', () => {
  weighs([
    [
      'the client files a limit as rate limited',
      WEEKLY,
      `${FILED} · ${WEEKLY}`,
      null,
      'limit',
      'weekly',
    ],
    ['needs alone carries the limit', '', `${FILED} · ${WEEKLY}`, null, 'limit', 'weekly'],
    ['a bare filing is a limit without a reset', '', FILED, null, 'limit', 'untyped'],
    ['the detail completes a bare filing', WEEKLY, FILED, null, 'limit', 'weekly'],
    [
      'a throttle under the same filing passes',
      'API Error: Rate limited',
      FILED,
      null,
      'transient',
      'throttle',
    ],
    [
      'check plan is the opposite of wait and retry',
      '',
      'usage limit reached — check plan',
      null,
      'budget',
      null,
    ],
    [
      'check plan wins over a limit beside it',
      WEEKLY,
      'usage limit reached — check plan · Credit balance is too low',
      null,
      'budget',
      null,
    ],
    [
      'a login wins over its network error',
      'API Error: 529 Overloaded',
      'login required — run /login · API Error: 529 Overloaded',
      null,
      'fatal',
      'login',
    ],
    [
      'a login that passes is a network error',
      'Authentication error · This may be a temporary network issue, please try again',
      'login required — run /login · Authentication error · This may be a temporary network issue, please try again',
      null,
      'transient',
      'network',
    ],
    [
      'too large is fatal',
      'Prompt is too long',
      'request too large — /compact or trim · Prompt is too long',
      null,
      'fatal',
      'too_large',
    ],
    [
      'an unavailable API passes',
      'API Error: 503 Service unavailable.',
      'API unavailable — retry · API Error: 503 Service unavailable.',
      null,
      'transient',
      'api',
    ],
    ['an approval wins over a limit', WEEKLY, 'approve Bash: ls', null, 'human', null],
    [
      'a warning stays a warning, however it is filed',
      "You've used 99% of your session limit",
      `${FILED} · You've used 99% of your session limit`,
      null,
      'unknown',
      null,
    ],
    ['prose under a filing is not a limit', PROSE, `${FILED} · ${PROSE}`, null, 'unknown', null],
    ["prose in detail makes needs a model's word", PROSE, FILED, null, 'unknown', null],
    [
      "prose in needs makes detail a model's word",
      WEEKLY,
      'Pick a colour for the button',
      null,
      'unknown',
      null,
    ],
    ['nothing says nothing', '', '', null, 'unknown', null],
    [
      'a continuation of the client itself wins over the limit',
      'Usage limit reached · continuing automatically at 7pm',
      `${FILED} · ${WEEKLY}`,
      null,
      'in_flight',
      null,
    ],
  ]);
});

describe('the error record', () => {
  weighs([
    [
      'names the limit by its type',
      '',
      '',
      record("You've hit your limit · resets 3pm", 'rate_limit', {
        quota: quota(1, 'seven_day_opus'),
      }),
      'limit',
      'opus',
    ],
    [
      'names Fable by its overage type',
      '',
      '',
      record("You've hit your Fable limit · resets 3pm", 'rate_limit', {
        quota: quota(1, 'seven_day_overage_included'),
      }),
      'limit',
      'fable',
    ],
    [
      'keeps the kind of a spend limit whose session resets',
      '',
      '',
      record(
        "You've hit your monthly spend limit · your session limit resets 2:40pm",
        'rate_limit',
        { quota: quota(1, 'five_hour') },
      ),
      'limit',
      'session',
    ],
    [
      'keeps a money limit a money limit',
      '',
      '',
      record("You're out of extra usage · resets 5pm", 'rate_limit', {
        quota: quota(1, 'five_hour'),
      }),
      'limit',
      'extra_usage',
    ],
    [
      'outlives a new wording, by its quota',
      '',
      '',
      record('Your window is used up', 'rate_limit', { quota: quota(1, 'five_hour') }),
      'limit',
      'session',
    ],
    [
      'of no known wording and no quota is not known',
      '',
      '',
      record('Your window is used up', 'rate_limit'),
      'unknown',
      null,
    ],
    [
      'with a quota but no reset anywhere is a credit cap',
      '',
      '',
      record("You've hit your usage limit", 'rate_limit', { quota: quota(null) }),
      'budget',
      null,
    ],
    [
      'with a reset in its text needs none in its quota',
      '',
      '',
      record(WEEKLY, 'rate_limit', { quota: quota(null) }),
      'limit',
      'weekly',
    ],
    [
      'of an older client is read by its text',
      '',
      '',
      record("You've hit your weekly limit", 'rate_limit'),
      'limit',
      'weekly',
    ],
    [
      'without a class is read by its status and quota',
      '',
      '',
      record('Used up', null, { status: 429, quota: quota(1, 'seven_day') }),
      'limit',
      'weekly',
    ],
    [
      'of a server throttle passes',
      '',
      '',
      record(
        'API Error: Server is temporarily limiting requests (not your usage limit) · Rate limited',
        'rate_limit',
      ),
      'transient',
      'throttle',
    ],
    [
      'of the long context is money',
      '',
      '',
      record(
        'API Error: Usage credits required for 1M context · run /usage-credits to turn them on',
        'rate_limit',
      ),
      'budget',
      null,
    ],
    [
      'of a model out of credits is money even under a reset',
      '',
      '',
      record(
        "You've reached your Fable 5 limit. Run /usage-credits to continue or switch models with /model.",
        'rate_limit',
        { quota: quota(1, 'five_hour') },
      ),
      'budget',
      null,
    ],
    [
      'of a warning never becomes a limit',
      '',
      '',
      record("You've hit your fast limit · resets in 2m", 'rate_limit', {
        quota: quota(1, 'five_hour'),
      }),
      'unknown',
      null,
    ],
    [
      'billing_error is money',
      '',
      '',
      record('Credit balance is too low', 'billing_error', { status: 400 }),
      'budget',
      null,
    ],
    [
      'billing_error is money in any words',
      '',
      '',
      record('Something else', 'billing_error'),
      'budget',
      null,
    ],
    [
      'authentication_failed is a login',
      '',
      '',
      record('Something new', 'authentication_failed', { status: 401 }),
      'fatal',
      'login',
    ],
    [
      'authentication_failed can pass',
      '',
      '',
      record(
        'Authentication error · This may be a temporary network issue, please try again',
        'authentication_failed',
      ),
      'transient',
      'network',
    ],
    [
      'oauth_org_not_allowed is a login',
      '',
      '',
      record('x', 'oauth_org_not_allowed'),
      'fatal',
      'login',
    ],
    [
      'model_not_found is a model',
      '',
      '',
      record("There's an issue with the selected model (x).", 'model_not_found'),
      'fatal',
      'model',
    ],
    [
      'invalid_request is fatal in any words',
      '',
      '',
      record('API Error: Please wait a moment and try again.', 'invalid_request'),
      'fatal',
      'setup',
    ],
    [
      'invalid_request with a stated day of return waits for it',
      '',
      '',
      record(
        'API Error: 400 You have reached your specified API usage limits. You will regain access on 2026-08-01 at 00:00 UTC.',
        'invalid_request',
        { status: 400 },
      ),
      'limit',
      'spend',
    ],
    [
      'server_error passes in any words',
      '',
      '',
      record('API Error: Something new', 'server_error', { status: 503 }),
      'transient',
      'api',
    ],
    [
      'server_error of 529 is an overload',
      '',
      '',
      record('API Error: Something new', 'server_error', { status: 529 }),
      'transient',
      'overload',
    ],
    [
      'server_error of a certificate does not pass',
      '',
      '',
      record('API Error: Unable to connect to API: SSL certificate has expired', 'server_error'),
      'fatal',
      'setup',
    ],
    [
      "server_error of a gateway's refusal does not pass",
      '',
      '',
      record('upstream rejected the request', 'server_error'),
      'fatal',
      'setup',
    ],
    [
      'server_error without words is not known',
      '',
      '',
      record('API error', 'server_error'),
      'unknown',
      null,
    ],
    [
      "in the API's own names means the same",
      '',
      '',
      record('x', 'overloaded_error'),
      'transient',
      'overload',
    ],
    [
      'of an unknown class is read by its text',
      '',
      '',
      record('API Error: Connection error.', 'unknown'),
      'transient',
      'network',
    ],
    [
      'too long wins over the network error in its tail',
      '',
      '',
      record(
        'Prompt is too long · automatic compaction failed: API Error: 529 Overloaded',
        'server_error',
      ),
      'fatal',
      'too_large',
    ],
  ]);
});

describe('the record beside the texts', () => {
  const limit = record(WEEKLY, 'rate_limit', { quota: quota(1, 'seven_day') });
  weighs([
    [
      "the record outlives a detail in a model's words",
      'The build is green',
      'Pick a colour',
      limit,
      'limit',
      'weekly',
    ],
    [
      "the prompt's own text does not hide it",
      'Fix the rate limit bug',
      '',
      limit,
      'limit',
      'weekly',
    ],
    ['a person named in needs wins', '', 'answer: which one?', limit, 'human', null],
    [
      'a login filed by the client wins',
      '',
      'login required — run /login',
      limit,
      'fatal',
      'login',
    ],
    ['a plan to check wins', '', 'usage limit reached — check plan', limit, 'budget', null],
    [
      'a fatal record wins over a limit in the texts',
      WEEKLY,
      `${FILED} · ${WEEKLY}`,
      record('x', 'invalid_request'),
      'fatal',
      'setup',
    ],
    [
      'an unknown record of the right class lets the texts speak',
      WEEKLY,
      `${FILED} · ${WEEKLY}`,
      record('Used up', 'rate_limit'),
      'limit',
      'weekly',
    ],
    [
      'of another class it does not',
      WEEKLY,
      `${FILED} · ${WEEKLY}`,
      record('Blocked', 'dlp_request_denied'),
      'unknown',
      null,
    ],
    [
      "a credit cap stays one in the texts' words",
      "You've hit your usage limit",
      '',
      record('Used up', 'rate_limit', { quota: quota(null) }),
      'budget',
      null,
    ],
    [
      'a throttle in the record is no limit in the texts',
      "You've hit your limit",
      '',
      record('API Error: Rate limited', 'rate_limit'),
      'transient',
      'throttle',
    ],
  ]);

  test('a detail cut short does not hide the reset that the record states', () => {
    const text =
      "You've hit your org's monthly spend limit · run /usage-credits to ask your admin for a higher limit · your session limit resets 3pm (UTC)";
    const error = record(text, 'rate_limit', { quota: quota(1, 'five_hour') });
    const detail = `${text.slice(0, 100)}…`;
    expect(causeOf({ detail, needs: '', error })).toMatchObject({
      kind: 'limit',
      limit: 'session',
    });
    expect(causeOf({ detail, needs: '', error: null }).kind).toBe('budget');
  });

  test('an exact reset counts as stated, whatever the text says', () => {
    const bare = record("You've hit your weekly limit", 'rate_limit', {
      quota: quota(1, 'seven_day'),
    });
    expect(causeOf({ detail: '', needs: '', error: bare })).toMatchObject({ statesReset: true });
  });
});

describe('what 2.1.332 wrote at real stops', () => {
  const rate = (text: string) => [text, `${FILED} · ${text}`] as const;
  weighs([
    [
      'five_hour',
      ...rate("You've hit your 5-hour limit · resets 12:58am (UTC)"),
      null,
      'limit',
      'session',
    ],
    [
      'weekly_hours',
      ...rate("You've hit your weekly limit · resets 3am (UTC)"),
      null,
      'limit',
      'weekly',
    ],
    [
      'opus',
      ...rate("You've hit your Opus limit · resets Dec 3, 10pm (UTC)"),
      null,
      'limit',
      'opus',
    ],
    [
      'overage_incl',
      ...rate("You've hit your Fable limit · resets Dec 2, 10pm (UTC). /model to switch models."),
      null,
      'limit',
      'fable',
    ],
    [
      'out_of_credits',
      ...rate("You've hit your 5-hour limit · resets 12:58am (UTC) · out of usage credits"),
      null,
      'limit',
      'session',
    ],
    [
      'plain429',
      ...rate(
        'API Error: Server is temporarily limiting requests (not your usage limit) · Number of request tokens has exceeded your per-minute rate limit',
      ),
      null,
      'transient',
      'throttle',
    ],
    [
      'e529',
      'API Error: 529 Overloaded. This is a server-side issue, usually temporary — try again in a moment.',
      'API unavailable — retry · API Error: 529 Overloaded. This is a server-side issue, usually temporary — try again in a moment.',
      null,
      'transient',
      'overload',
    ],
    [
      'e401',
      'API Error: 401 Invalid bearer token',
      'login required — run /login · API Error: 401 Invalid bearer token',
      null,
      'fatal',
      'login',
    ],
    [
      'e403',
      'OAuth token revoked',
      'login required — run /login · OAuth token revoked',
      null,
      'fatal',
      'login',
    ],
    [
      'e400credit',
      'Credit balance is too low',
      'usage limit reached — check plan · Credit balance is too low',
      null,
      'budget',
      null,
    ],
    [
      'e404model',
      "There's an issue with the selected model (claude-opus-5-5). It may not exist or you may not have access to it. Run /model to pick a different model.",
      '',
      null,
      'fatal',
      'model',
    ],
    [
      'e413',
      'Request too large (max 32MB). Accumulated images pushed the request over the limit.',
      'request too large — /compact or trim · Request too large (max 32MB).',
      null,
      'fatal',
      'too_large',
    ],
  ]);
});

/** Milliseconds of the fastest of `times` runs: other work on the machine does not count. */
function fastestOf(times: number, run: () => void): number {
  const took = Array.from({ length: times }, () => {
    const start = performance.now();
    run();
    return performance.now() - start;
  });
  return Math.min(...took);
}

describe('properties', () => {
  const WORDS = fc.constantFrom(
    ...[
      "You've hit your",
      'session',
      'weekly',
      'Opus',
      'fast',
      'monthly spend',
      'limit',
      'reached',
      'resets',
      '3pm',
    ],
    ...[
      '(UTC)',
      '·',
      '—',
      '\n',
      'API Error:',
      '529',
      '401',
      'Overloaded',
      'Connection error.',
      'handler added',
    ],
    ...[
      'rate limited — wait and retry',
      'Retrying in 5 seconds…',
      'approve Bash:',
      '{"type":"error"',
      '"message":"',
    ],
    ...[
      'out of extra usage',
      '/upgrade',
      '(429)',
      'Error: ',
      '\u001b[31m',
      '⎿',
      'Fable 5.1',
      'check plan',
      'ECONNRESET',
    ],
  );
  const TEXTS = fc.oneof(
    fc.array(WORDS, { maxLength: 10 }).map((words) => words.join(' ')),
    fc.string({ unit: 'binary', maxLength: 300 }),
  );
  const RECORDS = fc.option(
    fc.record({
      uuid: fc.constant(null),
      at: fc.constant(null),
      error: fc.option(
        fc.oneof(
          fc.constantFrom(
            'rate_limit',
            'server_error',
            'billing_error',
            '__proto__',
            'constructor',
          ),
          fc.string(),
        ),
      ),
      status: fc.option(fc.integer({ min: 0, max: 999 })),
      text: TEXTS,
      quota: fc.option(
        fc.record({
          resetsAt: fc.option(fc.double()),
          limitType: fc.option(fc.constantFrom('five_hour', 'overage', 'constructor', 'x')),
          overageDisabledReason: fc.constant(null),
        }),
      ),
    }),
  );

  test('no evidence throws, and the same evidence says the same', () => {
    fc.assert(
      fc.property(TEXTS, TEXTS, RECORDS, (detail, needs, error) => {
        const cause = causeOf({ detail, needs, error });
        expect(causeOf({ detail, needs, error })).toEqual(cause);
        namesHuman({ detail, needs, waitingFor: needs });
        const kinds = ['limit', 'transient', 'budget', 'fatal', 'human', 'in_flight', 'unknown'];
        expect(kinds).toContain(cause.kind);
        expect(
          typeof ('limit' in cause ? cause.limit : 'family' in cause ? cause.family : ''),
        ).toBe('string');
        expect(cause.text).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
      }),
      { numRuns: 3000 },
    );
  });

  const HEADS = fc.constantFrom(
    ...[
      "You've hit your session limit",
      'You’ve hit your weekly limit',
      'You have reached your limit',
    ],
    ...[
      "You've hit your Opus 4.5 limit",
      "You've reached your weekly Opus limit",
      "You've hit your Fable 5.1 limit",
    ],
    ...[
      "You've hit your org's monthly usage limit",
      "You're out of extra usage",
      "You're out of usage credits",
    ],
    ...[
      '5-hour limit reached',
      'Opus weekly limit reached',
      'Claude Max usage limit reached',
      'Limit reached',
    ],
    ...[
      'Usage limit exceeded',
      'Your weekly limit was reached',
      'Daily limit reached',
      'spend limit reached',
    ],
    ...[
      "You've hit your individual spend limit",
      "You've hit your team's shared budget",
      'API Error: Usage limit reached',
    ],
  );
  const SEPARATORS = fc.constantFrom(
    ...[
      ' · ',
      ' ∙ ',
      ' • ',
      ' | ',
      ' - ',
      ' – ',
      ' — ',
      '. ',
      ', ',
      '; ',
      ': ',
      '\n',
      '\n   · ',
      ' ',
      ' (',
    ],
  );
  const LEADS = fc.constantFrom(
    ...[
      'resets ',
      'Resets ',
      'resets at ',
      'Your limit will reset at ',
      'will reset at ',
      'It resets at ',
    ],
    ...['your session limit resets ', 'please try again at '],
  );
  const TIMES = fc.constantFrom(
    ...[
      '3pm',
      '3:45 PM',
      '15:00',
      '3pm (UTC)',
      '3pm (America/New_York)',
      'Jul 3, 6pm (UTC)',
      'Jul 3',
      'Fri 12:00am',
    ],
    ...[
      'Jul 3 at 5am (Asia/Riyadh)',
      '2026-07-03 00:00 UTC',
      '2026-07-03T00:00:00Z',
      'Jul 3, 2026, 6pm (UTC)',
    ],
    ...[
      '3pm\n(America/Lima)',
      'tomorrow at 3am (UTC)',
      '3pm (Etc/GMT+5)',
      '11:59 p.m.',
      '13am (UTC)',
    ],
  );
  const ADVICE = fc.constantFrom(
    ...[
      '',
      '.',
      ' · progress saved',
      '\n/upgrade to increase your usage limit.',
      ' (429)',
      '. /model to switch models.',
    ],
    ...[
      '/login to switch to an API usage-billed account.',
      ' · out of usage credits',
      ' · contact your admin to increase it',
    ],
    ...[
      '. Run /usage-credits to continue or switch models with /model.',
      ' or upgrade to Max',
      ' │',
      '…',
    ],
  );

  test('any known head, separator, reset and advice together are a limit that states its reset', () => {
    fc.assert(
      fc.property(
        HEADS,
        SEPARATORS,
        LEADS,
        TIMES,
        ADVICE,
        fc.boolean(),
        (head, gap, lead, time, advice, isLoud) => {
          const text = head + gap + lead + time + advice;
          const cause = causeOfText(isLoud ? text.toUpperCase() : text);
          expect(cause).toMatchObject({ kind: 'limit', statesReset: true });
          expect(namesHuman({ detail: text, needs: '', waitingFor: null })).toBeNull();
        },
      ),
      { numRuns: 3000 },
    );
  });

  test('a cause read from its own text is the same cause', () => {
    fc.assert(
      fc.property(TEXTS, (text) => {
        const cause = causeOfText(text);
        expect(causeOfText(cause.text)).toEqual(cause);
      }),
      { numRuns: 3000 },
    );
  });

  test.each([
    ['spaces', ' \n'],
    ['escapes', '\u001b]\u001b['],
    ['HTML behind a 524', 'API Error: 524 <!DOCTYPE html>'],
    ['quotes', 'API Error: 500 {"message":"\\"'],
    ['limits', "You've hit your limit "],
    ['names', 'your a '],
    ['words', 'waiting for the '],
    ['connections', 'connection lost '],
    ['bullets', '• ⎿ '],
    ['letters', 'a'],
  ])('reads a megabyte of %s in less than 50 ms', (_, piece) => {
    const text = piece.repeat(Math.ceil(1_000_000 / piece.length));
    const error = record(text, 'rate_limit');
    const ms = fastestOf(5, () => {
      causeOf({ detail: text, needs: `rate limited — wait and retry · ${text}`, error });
      namesHuman({ detail: text, needs: text, waitingFor: text });
    });
    expect(ms).toBeLessThan(50);
  });
});

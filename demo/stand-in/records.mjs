// The records of a transcript in the shapes that the client writes, without those that only describe its requests.
import { randomUUID } from 'node:crypto';

/** @typedef {import('./records.mjs').Session} Session */

/**
 * What every record of a conversation carries.
 * @param {Session} session
 * @param {number} at
 */
function envelope(session, at) {
  return {
    isSidechain: false,
    uuid: randomUUID(),
    timestamp: new Date(at).toISOString(),
    sessionKind: 'bg',
    userType: 'external',
    entrypoint: 'cli',
    cwd: session.cwd,
    sessionId: session.sessionId,
    version: session.version,
    gitBranch: 'HEAD',
  };
}

/** @type {typeof import('./records.mjs').userRecord} */
export function userRecord(session, at, content) {
  return {
    parentUuid: null,
    promptId: randomUUID(),
    type: 'user',
    message: { role: 'user', content },
    permissionMode: 'default',
    origin: { kind: 'human' },
    promptSource: 'typed',
    ...envelope(session, at),
  };
}

/** @type {typeof import('./records.mjs').assistantRecord} */
export function assistantRecord(session, at, content) {
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  const isCall = blocks.some((block) => block.type === 'tool_use');
  return {
    parentUuid: null,
    message: {
      id: `msg_${randomUUID().slice(0, 8)}`,
      type: 'message',
      role: 'assistant',
      model: 'claude-opus-5-5',
      stop_sequence: null,
      content: blocks,
      stop_reason: isCall ? 'tool_use' : 'end_turn',
      usage: { input_tokens: 10, output_tokens: 5 },
    },
    type: 'assistant',
    ...envelope(session, at),
  };
}

/**
 * @param {Session} session
 * @param {number} at
 * @param {string} text
 */
function syntheticRecord(session, at, text) {
  return {
    parentUuid: null,
    type: 'assistant',
    message: {
      id: randomUUID(),
      model: '<synthetic>',
      role: 'assistant',
      stop_reason: 'stop_sequence',
      stop_sequence: '',
      type: 'message',
      usage: { input_tokens: 0, output_tokens: 0 },
      content: [{ type: 'text', text }],
    },
    ...envelope(session, at),
  };
}

const STATUS = {
  rate_limit: 429,
  overloaded: 529,
  server_error: 529,
  authentication_failed: 401,
  billing_error: 400,
  invalid_request: 400,
};

/** @type {typeof import('./records.mjs').stopRecord} */
export function stopRecord(
  session,
  at,
  { error, text, limitType = null, resetsAt = null, status },
) {
  const quotaLimits = {
    status: 'rejected',
    resetsAt: resetsAt === null ? null : Math.floor(resetsAt / 1000),
    unifiedRateLimitFallbackAvailable: false,
    rateLimitType: limitType,
    overageStatus: 'rejected',
    overageDisabledReason: 'org_level_disabled',
    isUsingOverage: false,
  };
  return {
    ...syntheticRecord(session, at, text),
    ...(error === 'rate_limit' && resetsAt !== null
      ? { apiError: 'usage_limit_reached', quotaLimits }
      : {}),
    error,
    isApiErrorMessage: true,
    apiErrorStatus: status ?? STATUS[/** @type {keyof typeof STATUS} */ (error)] ?? null,
  };
}

/** @type {typeof import('./records.mjs').metaRecords} */
export function metaRecords(session, at) {
  return [
    {
      ...userRecord(session, at, [{ type: 'text', text: 'Continue from where you left off.' }]),
      isMeta: true,
    },
    { ...syntheticRecord(session, at, 'No response requested.'), isApiErrorMessage: false },
  ];
}

/** @type {typeof import('./records.mjs').bookkeepingRecords} */
export function bookkeepingRecords({ sessionId }, lastPrompt, name) {
  return [
    { type: 'last-prompt', lastPrompt, leafUuid: randomUUID(), sessionId },
    ...(name === null ? [] : [{ type: 'custom-title', customTitle: name, sessionId }]),
    { type: 'mode', mode: 'normal', sessionId },
    { type: 'permission-mode', permissionMode: 'default', sessionId },
  ];
}

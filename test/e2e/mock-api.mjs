// A stand-in for the model's API on 127.0.0.1, where each conversation has weather of its own and every request is kept.
import { createServer } from 'node:http';

/**
 * What the API does to a request: `text` answers one turn; `tool` calls a tool first and answers once its result is
 * there; `refusal` is an HTTP error, up to `until` (epoch ms) if it has one; `cut` destroys the connection; `slowMs`
 * keeps an answer back for that long.
 * @typedef {{ text?: string, tool?: { name: string, input: object }, slowMs?: number, cut?: boolean,
 *   refusal?: { status: number, type: string, message: string, headers: Record<string, string>, until?: number }
 * }} Weather
 */

/**
 * One request for a turn. `marker` is the conversation's `[weather NAME]`, `asked` all that was said since the last answer,
 * `isTurn` false for the client's own small requests (titles, summaries), which carry no tools.
 * @typedef {{ at: number, marker: string | null, isTurn: boolean, asked: string, model: string,
 *   answered: 'text' | 'tool' | 'cut' | number }} SeenRequest
 */

const MARKER = /\[weather ([a-z0-9-]+)\]/;

/** The words that put a conversation under the weather called `name`: part of its first prompt. */
export const markerOf = (/** @type {string} */ name) => `[weather ${name}]`;

/** Starts the API on a port that the system chooses. */
export async function startMockApi() {
  /** @type {Map<string, Weather>} */
  const weathers = new Map();
  /** @type {SeenRequest[]} */
  const seen = [];
  let count = 0;
  const server = createServer((request, response) => {
    /** @type {Buffer[]} */
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const path = request.url ?? '';
      if (request.method === 'HEAD') return response.end();
      if (!path.startsWith('/v1/messages')) return sendJson(response, 404, notFound);
      if (path.includes('count_tokens')) return sendJson(response, 200, { input_tokens: 10 });
      const body = parseBody(Buffer.concat(chunks).toString('utf8'));
      const marker = MARKER.exec(JSON.stringify(body.messages ?? []))?.[1] ?? null;
      const weather = weathers.get(marker ?? '') ?? weathers.get('*') ?? {};
      count += 1;
      const answered = answer({ request, response, body, weather, count });
      const asked = askedIn(body.messages ?? []);
      const isTurn = (body.tools?.length ?? 0) > 0;
      seen.push({ at: Date.now(), marker, isTurn, asked, model: body.model ?? '', answered });
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    /** Sets the weather of one conversation, or with `*` of all that have none. */
    setWeather: (/** @type {string} */ name, /** @type {Weather} */ weather) =>
      void weathers.set(name, weather),
    /** The turns asked for under a marker in which `words` were said. */
    turns: (/** @type {string} */ marker, words = '') =>
      seen.filter((one) => one.isTurn && one.marker === marker && one.asked.includes(words)),
    requests: () => [...seen],
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve(undefined));
        server.closeAllConnections();
      }),
  };
}

/** @typedef {Awaited<ReturnType<typeof startMockApi>>} MockApi */

const notFound = { type: 'error', error: { type: 'not_found_error', message: 'not found' } };

/** @returns {any} */
function parseBody(/** @type {string} */ text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

/** The client's own reminders can follow what was said, as messages of their own. */
function askedIn(/** @type {any[]} */ messages) {
  const answered = messages.findLastIndex((message) => message.role === 'assistant');
  return messages
    .slice(answered + 1)
    .map(textOf)
    .join('\n');
}

/** All the text of a message, tool results included. */
function textOf(/** @type {any} */ message) {
  if (typeof message?.content === 'string') return message.content;
  const parts = Array.isArray(message?.content) ? message.content : [];
  return parts
    .map((/** @type {any} */ part) => part.text ?? JSON.stringify(part.content ?? ''))
    .join('\n');
}

function sendJson(
  /** @type {import('node:http').ServerResponse} */ response,
  /** @type {number} */ status,
  /** @type {object} */ value,
  /** @type {Record<string, string>} */ headers = {},
) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(value));
}

/**
 * @param {{ request: import('node:http').IncomingMessage, response: import('node:http').ServerResponse, body: any,
 *   weather: Weather, count: number }} given
 * @returns {SeenRequest['answered']}
 */
function answer({ request, response, body, weather, count }) {
  if (weather.cut) {
    request.socket.destroy();
    return 'cut';
  }
  if (weather.refusal && Date.now() < (weather.refusal.until ?? Number.POSITIVE_INFINITY)) {
    const { status, type, message, headers } = weather.refusal;
    const error = { type: 'error', error: { type, message }, request_id: `req_${count}` };
    sendJson(response, status, error, headers);
    return status;
  }
  const last = JSON.stringify(body.messages?.at(-1) ?? '');
  const isOffered = body.tools?.some((/** @type {any} */ tool) => tool.name === weather.tool?.name);
  const calls = weather.tool !== undefined && isOffered && !last.includes('"tool_result"');
  /** @type {any[]} */
  const blocks = [{ type: 'text', text: calls ? 'Working.' : (weather.text ?? 'All done.') }];
  if (calls) blocks.push({ type: 'tool_use', id: `toolu_${count}`, ...weather.tool });
  const stopReason = calls ? 'tool_use' : 'end_turn';
  const deliver = () => {
    if (body.stream) sendStream(response, body.model, blocks, stopReason, count);
    else
      sendJson(response, 200, {
        ...head(body.model, count),
        content: blocks,
        stop_reason: stopReason,
        usage,
      });
  };
  if (weather.slowMs === undefined) deliver();
  else setTimeout(deliver, weather.slowMs).unref();
  return calls ? 'tool' : 'text';
}

const usage = { input_tokens: 10, output_tokens: 5 };

const head = (/** @type {string} */ model, /** @type {number} */ count) => ({
  id: `msg_${String(count).padStart(6, '0')}`,
  type: 'message',
  role: 'assistant',
  model,
  stop_sequence: null,
});

/** The answer as server-sent events, one delta for each block. */
function sendStream(
  /** @type {import('node:http').ServerResponse} */ response,
  /** @type {string} */ model,
  /** @type {any[]} */ blocks,
  /** @type {string} */ stopReason,
  /** @type {number} */ count,
) {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (/** @type {string} */ type, /** @type {object} */ data) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  const message = { ...head(model, count), content: [], stop_reason: null, usage };
  send('message_start', { message });
  blocks.forEach((block, index) => {
    const isText = block.type === 'text';
    const empty = isText ? { type: 'text', text: '' } : { ...block, input: {} };
    const delta = isText
      ? { type: 'text_delta', text: block.text }
      : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) };
    send('content_block_start', { index, content_block: empty });
    send('content_block_delta', { index, delta });
    send('content_block_stop', { index });
  });
  send('message_delta', { delta: { stop_reason: stopReason, stop_sequence: null }, usage });
  send('message_stop', {});
  response.end();
}

// The forms of API, overload, throttle and network errors: what lifts by itself, and which HTTP status never does.
import { pattern } from './pattern.ts';

export type TransientFamily = 'api' | 'overload' | 'network' | 'throttle';
export type FatalFamily = 'login' | 'model' | 'too_large' | 'policy' | 'setup';

// Node's, undici's and Bun's names for a broken connection. Certificates and proxies have names of their own, for a person.
const ERRNO =
  'E(?:CONN(?:RESET|REFUSED|ABORTED)|(?:SOCKET)?TIMEDOUT|NOTFOUND|AI_AGAIN|PIPE|(?:HOST|NET)(?:UNREACH|DOWN)|NETRESET|NOTCONN|ADDRNOTAVAIL)|UND_ERR_[A-Z_]+|ERR_(?:STREAM_PREMATURE_CLOSE|SOCKET_[A-Z_]+|HTTP2_[A-Z_]+|NETWORK[A-Z_]*|CONNECTION_[A-Z_]+|INTERNET_DISCONNECTED)|Connection(?:Refused|Closed|Reset|Idle)|FailedToOpenSocket';
const LOST =
  '(?:was |has been )?(?:lost|closed|dropped|reset|refused|interrupted|aborted|terminated|timed out|failed)';
const LOST_HOW =
  '(?: (?:mid-response|mid-stream|unexpectedly|prematurely|by (?:peer|server|the server|remote host|system sleep)|while your computer was asleep|while thinking(?:, before producing a response)?|before (?:a|the) response(?: was produced| was complete| finished)?))?';

const TRANSIENT: readonly (readonly [TransientFamily, string])[] = [
  ['network', 'connection error'],
  [
    'network',
    `(?:the )?(?:network |socket |stream )?connection (?:to (?:the )?(?:api|server|anthropic) )?${LOST}${LOST_HOW}`,
  ],
  ['network', '(?:the )?(?:request|operation|response) (?:has )?timed out|request timeout'],
  ['network', String.raw`timeout of \d+ ?ms exceeded|no response from api`],
  [
    'network',
    String.raw`(?:unable|failed) to connect to (?:the )?(?:anthropic )?(?:api|services|api\.anthropic\.com)(?: due to poor internet connection)?(?:: (?:${ERRNO}))?`,
  ],
  [
    'network',
    "(?:can't|cannot|could not) reach the api(?: server)?|no internet (?:route|connection)",
  ],
  ['network', String.raw`unable to connect(?=\. is the computer able)`],
  ['network', 'socket hang up|socket is closed|other side closed|premature close'],
  ['network', 'client network socket disconnected before secure tls connection was established'],
  ['network', String.raw`(?:typeerror:? )?\(?(?:fetch failed|failed to fetch)`],
  ['network', 'network (?:error|request failed|is unreachable)|dns (?:lookup|resolution) failed'],
  [
    'network',
    `(?:the )?response (?:stalled|stopped arriving)(?: mid-stream| while thinking(?:, before producing a response)?| before a response was produced)?`,
  ],
  ['network', 'part of the response never arrived(?: and no response was produced)?'],
  ['network', 'your computer went to sleep (?:mid-response|before a response was produced)'],
  [
    'network',
    'stream (?:idle timeout|ended|closed|disconnected|interrupted|timed out)(?: - (?:partial response|no chunks) received| without receiving any events| before the response was complete| unexpectedly| prematurely)?',
  ],
  [
    'network',
    String.raw`(?:connect|read|write|send|getaddrinfo) (?:${ERRNO})(?: (?!localhost|127\.|::1|0\.0\.0\.0)[\w-]{1,63}(?:[.:][\w-]{1,63}){1,12})?`,
  ],
  ['network', `code ?[=:] ?'?(?:${ERRNO})'?|(?:${ERRNO})`],
  // Keychains and credential helpers that did not answer in time, once; the attempts are capped.
  ['network', '(?:aws|gcp|google cloud|azure) [a-z -]{0,24}credentials?[a-z ]{0,20} timed out'],
  [
    'network',
    '(?:could not|failed to) refresh (?:your login|oauth token)(?: because|:) another claude code process.*',
  ],
  ['api', 'server error mid-response|internal server error|bad gateway|gateway time-?out'],
  ['api', 'please wait a moment and try again'],
  [
    'api',
    'service (?:is )?(?:temporarily )?unavailable|(?:the )?api (?:is )?(?:temporarily )?unavailable',
  ],
  [
    'api',
    'no healthy upstream|upstream error|upstream request timeout|upstream connect error or disconnect/reset before headers.{0,400}',
  ],
  ['api', '(?:spend limit|policy check) unavailable'],
  [
    'api',
    'the response (?:stream was malformed(?: and no response was produced)?|could not be read)',
  ],
  // Cloudflare's reasons for 520 to 530.
  [
    'api',
    'web server (?:is down|is returning an unknown error)|connection timed out|a timeout occurred|origin is unreachable|ssl handshake failed|server error|unknown error|error code:? \\d{3,4}|status code \\(no body\\)|all upstreams failed',
  ],
  ['overload', '(?:repeated )?(?:529 )?overloaded(?: errors?)?|upstream overloaded'],
  [
    'overload',
    '(?:the )?(?:api|server|service) (?:is )?(?:currently |temporarily )?(?:overloaded|at capacity)',
  ],
  [
    'overload',
    String.raw`(?:claude )?(?:opus|sonnet|fable|haiku|mythos)[\d. ]* is (?:currently )?experiencing high (?:load|demand)`,
  ],
  [
    'overload',
    "we(?:'re| are) (?:currently )?experiencing high demand[a-z ]{0,20}|due to unexpected capacity constraints.*",
  ],
  ['throttle', String.raw`server is temporarily limiting requests(?: \(not your usage limit\))?`],
  ['throttle', 'rate limited|too many requests|(?:upstream )?rate limit exceeded'],
  ['throttle', "this request would exceed (?:your|the) [a-z' ]{0,30}rate limit"],
  ['throttle', 'number of [a-z ]{1,30} has exceeded your [a-z -]{0,30}rate limit'],
];

const TABLE = TRANSIENT.map(([family, form]) => [family, pattern(`^(?:${form})`, 'i')] as const);

// How the client goes on behind an error. Anything else behind a full stop or dash is prose about the error.
const MORE =
  /^(?:check (?:your|any|those|that|if|status|https?:|for|the (?:proxy|gateway))|try again|please (?:try|check|wait|use|retry)|the (?:response above|api is|server is|request)|this (?:is|may|usually)|it (?:is|may) |if (?:it|this|the|that|a proxy|you)|a (?:vpn|firewall|proxy)|usually |to wait|no data|your (?:internet|network)|retry(?: in| later|[.…]|$)|see https?:|was there a typo|is the computer|https?:|switch to|wait a (?:moment|few)|for more information|caused by|request id)/i;

/** What stands behind an error's words is the end, a bracket, the client's own dot or its advice; not prose. */
export function endsHere(rest: string): boolean {
  const behind = rest.replace(/^[\s.,:;!…)\]}"']*(?:\([^()]{0,160}\)[\s.,:;!…)\]}"']*)?/, '');
  if (behind === '' || /^[·∙•|]/.test(behind)) return true;
  return behind.length < rest.length && MORE.test(behind.replace(/^[—–-] /, ''));
}

/** The family of a transient error whose words open `text`; null when they do not, or prose goes on. */
export function transientFamilyOf(text: string): TransientFamily | null {
  for (const [family, form] of TABLE) {
    const match = form.exec(text);
    if (match !== null && endsHere(text.slice(match[0].length))) return family;
  }
  return null;
}

/** An HTTP error as the client prints it: `API Error: 529 …`, `API Error (520 <!DOCTYPE…`, `API Error (model): 400 …`. */
export interface ApiError {
  readonly status: number | null;
  /** What stands behind the prefix and the status; of a JSON body, its `message`. */
  readonly message: string;
  /** The body is JSON: no prose, whatever its message begins with. */
  readonly isJson: boolean;
  /** The `type` inside a JSON body: `overloaded_error`, …; null when there is none. */
  readonly type: string | null;
}

const PREFIX =
  /^(?:please run \/login · |failed to authenticate\. )?api error ?(?:\([\w.:@/-]{3,80}\): ?|: ?|\((?:status )?)(?=\S)/i;
const BODY = /^(?:error: )?(?:\d{3} )?\{ ?"(?:type|error)" ?: ?/i;

/** Takes an API error apart; null when `head` is none. */
export function apiErrorOf(head: string): ApiError | null {
  const prefix = PREFIX.exec(head)?.[0] ?? (BODY.test(head) ? '' : null);
  if (prefix === null) return null;
  const body = head.slice(prefix.length).replace(prefix === '' ? /^error: /i : /^/, '');
  const status = /^(\d{3})(?![\w-])/.exec(body);
  const behind = body.slice(status?.[0].length ?? 0).trim();
  const json = /"message" ?: ?"((?:[^"\\]|\\.){0,600})/.exec(behind);
  const types = [...behind.slice(0, 1000).matchAll(/"type" ?: ?"(\w+_error|request_too_large)"/g)];
  return {
    status: status === null ? null : Number(status[1]),
    message: json?.[1] ?? behind,
    isJson: json !== null,
    type: types.at(-1)?.[1] ?? null,
  };
}

// "API Error: 500 when saving" and "API Error: 502 Bad Gateway page added" are tasks. A body is markup or JSON, or one
// of the known reasons; behind any other reason the client says that it is the server's (since 2.1.170 at the latest).
const MARKUP = /^(?:$|[^a-z0-9\s])/i;
const SERVER_SIDE = /\. This is a server-side issue\b/;
const isReason = ({ message, isJson }: ApiError): boolean =>
  isJson ||
  MARKUP.test(message) ||
  SERVER_SIDE.test(message) ||
  transientFamilyOf(message) !== null;

/** What an HTTP status means for waiting; null for one that says nothing. */
export function statusVerdict(
  status: number,
  error: ApiError,
):
  | { readonly kind: 'transient'; readonly family: TransientFamily }
  | { readonly kind: 'fatal'; readonly family: FatalFamily }
  | { readonly kind: 'budget' }
  | null {
  if (status >= 500 || status === 429 || status === 408 || status === 409) {
    if (!isReason(error)) return null;
    const isOverload =
      status === 529 || error.type === 'overloaded_error' || /^overloaded/i.test(error.message);
    const family = status === 429 ? 'throttle' : isOverload ? 'overload' : 'api';
    return { kind: 'transient', family };
  }
  if (status === 402 || error.type === 'billing_error') return { kind: 'budget' };
  if (status === 401 || status === 403) return { kind: 'fatal', family: 'login' };
  if (status === 404) return { kind: 'fatal', family: 'model' };
  if (status === 413) return { kind: 'fatal', family: 'too_large' };
  return status >= 400 ? { kind: 'fatal', family: 'setup' } : null;
}

const STATUS_OF_TYPE: ReadonlyMap<string, number> = new Map([
  ['overloaded_error', 529],
  ['api_error', 500],
  ['timeout_error', 504],
  ['rate_limit_error', 429],
  ['authentication_error', 401],
  ['permission_error', 403],
  ['not_found_error', 404],
  ['invalid_request_error', 400],
  ['request_too_large', 413],
  ['billing_error', 402],
]);

/** The status that a JSON body's `type` stands for, where none is printed. */
export function statusOfType(type: string | null): number | null {
  return type === null ? null : (STATUS_OF_TYPE.get(type) ?? null);
}

// Heads of messages that no waiting helps: a person, money, a broken set-up; and notes of work that goes on.
import type { FatalFamily } from './api-forms.ts';
import { type Pattern, pattern } from './pattern.ts';

const anyOf = (...forms: readonly string[]): Pattern => pattern(`^(?:${forms.join('|')})`, 'i');

/** A wait of the client itself: its retries, its automatic continuation. */
export const IN_FLIGHT =
  /(?:^|[·∙•|)\]…] ?)retrying (?:in \d|shortly|automatically|\(|…|\.\.\.)|\(attempt \d{1,3}\/\d{1,3}\)|^usage limit (?:reset|available again)\b|^continuing (?:automatically|now)\b|^waiting for api response\b/i;

/** `waitingFor` values and `needs` of a session that waits for a person. */
export const HUMAN = anyOf(
  String.raw`approve\b[^:]{0,80}:`,
  'approve plan',
  '(?:answer|choose|confirm|type|mcp input|awaiting input|needs input): ?',
  String.raw`\(?(?:idle — )?send a prompt to (?:start|continue)`,
  '(?:permission prompt|input needed|needs input|awaiting input|sandbox request|worker request|dialog open|goal proposal)',
  'awaiting (?:your|you|user|human|approval|permission|input|confirmation|decision|direction)',
  'waiting (?:for|on) (?:your|you|the user|user|human|approval|permission|input|confirmation)',
  '(?:an? )?(?:claude|mcp server|sandboxed command)[a-z ]{0,20} (?:needs|is waiting for|wants) ',
  'open this session',
  "can't open mcp settings",
  'org(?:anization)? verification required',
  'account on hold',
);

export const BUDGET = anyOf(
  '(?:your )?credit balance (?:is )?too low',
  'usage limit reached — check plan',
  String.raw`[\w.]+(?: [\w.]+){0,3} (?:now )?(?:requires?|uses|needs?) usage credits`,
  '(?:usage credits|extra usage) (?:is |are )?(?:required|needed|exhausted|disabled|ran out)',
  'usage credits (?:required|ran out)',
  "your seat type doesn't include",
  'your usage allocation',
  "your group's usage limit",
  'this service is disabled for your org',
  'usage is paused',
  'insufficient (?:credits?|funds|balance|quota)',
  'payment required',
  "can't use subscription|claude code can't use your claude subscription",
  'billing_error|billing error',
);

const FATAL: readonly (readonly [FatalFamily, Pattern])[] = [
  [
    'too_large',
    anyOf(
      'prompt is too long|conversation too long|input is too long|request too large|request_too_large',
      'error (?:during compaction|compacting)',
      '(?:an? )?(?:image|pdf|document)[a-z ]{0,20} (?:too large|exceeds?|is password)|the pdf |unable to resize image',
      'context (?:limit|window)|the model has reached its context|input length and|too many total text bytes',
      String.raw`claude's response exceeded|.{0,40}\boutput token maximum`,
    ),
  ],
  [
    'login',
    anyOf(
      '(?:please )?run /login',
      'oauth (?:access )?token|oauth session|oauth authentication',
      "(?:login|sign-in) (?:expired|required|reached|not available)|login can't be saved",
      '(?:claude\\.ai|anthropic profile|console|gateway) (?:login|sign-in|session) expired',
      'not (?:logged|signed) in|signed out of claude|claude login not accepted|your account is on hold|authentication (?:required|error|failed)|failed to authenticate|re-?authenticate',
      'invalid (?:api key|auth token|bearer token|x-api-key|authentication)',
      'could not resolve authentication|(?:could not|failed to) refresh',
      'your apikeyhelper script',
      '(?:your|this) org(?:anization)? has (?:been )?disabled|org disabled oauth|your anthropic_api_key',
      "claude code can't use the anthropic console|can't use anthropic console",
      '(?:aws|gcp|google cloud|azure|cloud|bedrock|vertex|foundry)[a-z ]{0,30} credentials?',
      'could not load [a-z ]{0,24}credentials',
      "(?:your organization's )?gateway refused|cloud gateway|(?:aws|google cloud|microsoft foundry) authentication failed",
    ),
  ],
  [
    'model',
    anyOf(
      "there's an issue with the selected model|the provided model identifier",
      String.raw`(?:claude )?(?:the model )?[\w."' -]{1,60} is not available`,
      String.raw`model ["'<\w][^·]{0,60} (?:is restricted|not found|does not exist)`,
      '(?:invalid|unknown) model|model not found|auto mode is unavailable',
      String.raw`thinking\.type\.|effort '`,
    ),
  ],
  [
    'policy',
    anyOf(
      'claude code is unable to respond|output blocked by content filtering',
      '(?:this )?request (?:was )?(?:blocked|flagged|denied)',
    ),
  ],
  [
    'setup',
    anyOf(
      'workspace not trusted|no conversation found|the current directory no longer exists',
      String.raw`-?-?agent '|extra inputs are not permitted|invalid (?:anthropic_|request header|api request|request\b)`,
      'ended while the background service was off',
      'upstream (?:rejected|resource not found|does not support)',
      'api returned an empty or malformed response',
      "proxy |couldn't connect through your proxy|unable to connect to api: sign in|network or region blocked",
      "a mod's http",
    ),
  ],
];

// A certificate that nobody trusts begins like a broken connection, and stays.
const CERTIFICATE =
  /^(?:unable to connect|failed to connect|self-?signed|ssl|certificate|connection error|error:|fetch failed).{0,120}?(?:\bssl\b|\bcertificate|self-?signed|CERT_|_CERT\b|UNABLE_TO_(?:GET|VERIFY)_|ERR_TLS|HOSTNAME_MISMATCH|ERR_PROXY|ERR_BAD_REQUEST)/i;
// "Authentication error · This may be a temporary network issue, please try again": a login only by its first words.
const PASSING = /^authentication error · this may be a temporary network issue/i;

/** The family of a fatal message; null when it is none. */
export function fatalFamilyOf(head: string): FatalFamily | null {
  return FATAL.find(([, form]) => form.test(head))?.[0] ?? null;
}

export const isCertificateError = (head: string): boolean => CERTIFICATE.test(head);
export const isPassingLoginError = (head: string): boolean => PASSING.test(head);

/** Warnings, panels and answers of the client: they name limits and errors, and nothing has stopped. */
export const NOTE = anyOf(
  String.raw`you've used \d|over \d+% of|approaching |you're (?:close to|nearing|now using)|now using `,
  'current (?:session|week)|resets? ',
  'fast mode|automatic continue|lower-priority mode is|claude code exited',
  'note: |backgrounded · |starting background service|respawned |session \\S+ is currently running',
  'api error$|api error — see detail',
);

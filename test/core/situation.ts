// Builds evidence, stops and situations for the tables of core: by default a session that may be resumed now.
import type { Cause } from '../../src/core/cause.ts';
import type { Machine, Situation } from '../../src/core/decide.ts';
import { known } from '../../src/core/fact.ts';
import type { Attempt, Episode } from '../../src/core/ledger.ts';
import { DEFAULT_POLICY } from '../../src/core/policy.ts';
import type {
  ErrorRecord,
  JobEvidence,
  JobState,
  ListingRow,
  TranscriptTail,
} from '../../src/core/session.ts';
import type { Stop } from '../../src/core/stop.ts';

export const MINUTE = 60_000;
export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
export const NOW = Date.UTC(2026, 11, 1, 12);
export const SHOWN_AT = NOW - 3 * HOUR;
export const RESET_AT = NOW - HOUR;
export const JOB_ID = 'ac67d09b';
export const SESSION_ID = 'ac67d09b-0000-4000-8000-000000000001';
export const LIMIT_TEXT = "You've hit your 5-hour limit · resets 11am (UTC)";
export const iso = (instant: number): string => new Date(instant).toISOString();

export const jobState = (over: Partial<JobState> = {}): JobState => ({
  state: 'blocked',
  detail: LIMIT_TEXT,
  needs: `rate limited — wait and retry · ${LIMIT_TEXT}`,
  tempo: 'blocked',
  inFlight: 0,
  queuedPrompt: null,
  hasSelfWake: false,
  template: 'bg',
  backend: 'daemon',
  respawnFlags: [],
  intent: 'say hello',
  name: 'job one',
  sessionId: SESSION_ID,
  resumeSessionId: SESSION_ID,
  cwd: '/home/user/project',
  transcriptPath: null,
  cliVersion: '2.1.332',
  zone: null,
  createdAt: SHOWN_AT - HOUR,
  updatedAt: SHOWN_AT,
  endedAt: null,
  ...over,
});

export const errorRecord = (over: Partial<ErrorRecord> = {}): ErrorRecord => ({
  uuid: 'record-1',
  at: SHOWN_AT,
  error: 'rate_limit',
  status: 429,
  text: LIMIT_TEXT,
  quota: { resetsAt: RESET_AT, limitType: 'five_hour', overageDisabledReason: null },
  ...over,
});

export const tail = (over: Partial<TranscriptTail> = {}): TranscriptTail => ({
  path: '/home/user/.claude/projects/-home-user-project/x.jsonl',
  error: errorRecord(),
  hasMovedOn: false,
  hasOpenToolCall: false,
  lastAssistantAt: SHOWN_AT - MINUTE,
  hasRecords: true,
  nonces: [],
  statedZone: null,
  ...over,
});

export const row = (over: Partial<ListingRow> = {}): ListingRow => ({
  id: JOB_ID,
  kind: 'background',
  state: 'blocked',
  status: null,
  waitingFor: null,
  pid: null,
  sessionId: SESSION_ID,
  name: 'job one',
  cwd: '/home/user/project',
  ...over,
});

export const jobEvidence = (over: Partial<JobEvidence> = {}): JobEvidence => ({
  id: JOB_ID,
  state: known(jobState()),
  timeline: known({ at: SHOWN_AT, text: LIMIT_TEXT }),
  transcript: known(tail()),
  process: known('gone'),
  row: known(row()),
  place: known({ hasCwd: true, hasTranscript: true }),
  copies: known([]),
  ...over,
});

export const LIMIT: Cause = {
  kind: 'limit',
  limit: 'session',
  statesReset: true,
  text: LIMIT_TEXT,
};
export const OUTAGE: Cause = {
  kind: 'transient',
  family: 'overload',
  text: 'API Error: 529 Overloaded.',
};

export const stopOf = (over: Partial<Stop> = {}): Stop => ({
  episodeId: 'record-1',
  recordUuid: 'record-1',
  shown: { at: SHOWN_AT, source: 'timeline' },
  cause: LIMIT,
  reset: { at: RESET_AT, source: 'transcript', suspect: null },
  resetProblem: null,
  isUnconfirmed: false,
  isOurStop: false,
  ...over,
});

export const episode = (over: Partial<Episode> = {}): Episode => ({
  id: 'record-1',
  record_uuid: 'record-1',
  shown_at: iso(SHOWN_AT),
  shown_source: 'timeline',
  first_seen_at: iso(SHOWN_AT + MINUTE),
  message: LIMIT_TEXT,
  cause: 'limit',
  limit: 'session',
  reset_at: iso(RESET_AT),
  reset_source: 'transcript',
  suspect: null,
  reason: null,
  waited_until: null,
  stopping: null,
  attempts: [],
  given_back: 0,
  ...over,
});

export const attempt = (over: Partial<Attempt> = {}): Attempt => ({
  nonce: '0123456789abcdef',
  at: iso(NOW - HOUR),
  job_id: JOB_ID,
  outcome: 'woken',
  successor: null,
  message: '',
  progress: null,
  ...over,
});

/** An earlier stop whose continuation brought nothing. */
export const fruitless = (id: string, over: Partial<Episode> = {}): Episode =>
  episode({
    id,
    record_uuid: id,
    shown_at: iso(SHOWN_AT - DAY),
    attempts: [attempt({ progress: false })],
    ...over,
  });

export const MACHINE: Machine = {
  freeDiskBytes: known(10e9),
  hasLogin: known(true),
  hasTerminalClient: known(false),
};

/** What may differ from a session that is resumed: parts of the job, the stop, the policy, or whole facts. */
export interface Change extends Partial<Omit<Situation, 'stop' | 'policy' | 'machine'>> {
  readonly state?: Partial<JobState>;
  readonly job?: Partial<JobEvidence>;
  readonly stop?: Partial<Stop> | null;
  readonly policy?: Partial<Situation['policy']>;
  readonly machine?: Partial<Machine>;
}

export function situation(change: Change = {}): Situation {
  const { state, job, stop, policy, machine, ...rest } = change;
  return {
    conversation: {
      key: SESSION_ID,
      job: jobEvidence({ state: known(jobState(state)), ...job }),
      others: [],
    },
    stop: stop === null ? null : stopOf(stop),
    history: { episodes: [] },
    hold: null,
    claim: null,
    policy: { ...DEFAULT_POLICY, ...policy },
    machine: { ...MACHINE, ...machine },
    launchesOfDay: [],
    launchesOfTick: 0,
    now: NOW,
    ...rest,
  };
}

/** A session whose process lives idle, past its grace: it is stopped and resumed. */
export const ALIVE: Change = {
  job: {
    process: known('alive'),
    row: known(row({ status: 'idle', pid: 4242 })),
  },
};

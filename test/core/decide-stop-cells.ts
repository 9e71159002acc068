// The table of decisions that files settle: for each rule, a change of a session that could go on, and the answer.
import type { RuleName, Situation } from '../../src/core/decide.ts';
import { known } from '../../src/core/fact.ts';
import type { Attempt } from '../../src/core/ledger.ts';
import { DEFAULT_POLICY } from '../../src/core/policy.ts';
import type { JobEvidence } from '../../src/core/session.ts';
import {
  attempt,
  type Change,
  episode,
  HOUR,
  jobEvidence,
  NOW,
  OUTAGE,
  row,
  SHOWN_AT,
  tail,
} from './situation.ts';

/** A title, the change, and `action code`. */
export type Cell = readonly [string, Change, string];

const unread = { known: false, why: 'cannot be read (EACCES)' } as const;
const other = (over: Partial<JobEvidence>): Situation['conversation'] => ({
  key: 'k',
  job: jobEvidence(),
  others: [jobEvidence({ id: 'bbbbbbbb', ...over })],
});
const tried = (over: Partial<Attempt> = {}): Change => ({
  history: { episodes: [episode({ attempts: [attempt(over)] })] },
});
const copy = (jobId: string) => ({ successor: { job_id: jobId, session_id: null } });

export const STOP_CELLS: Partial<Record<RuleName, readonly Cell[]>> = {
  kind: [
    ['leaves a job that cannot be read', { job: { state: unread } }, 'skip unknown'],
    ['leaves a shell job', { state: { template: 'exec' } }, 'skip operator'],
    ['leaves a job of another kind', { state: { template: 'cron' } }, 'skip operator'],
    ['leaves a remote job', { state: { backend: 'cloud' } }, 'skip operator'],
    [
      'leaves an interactive session',
      { job: { row: known(row({ kind: 'interactive' })) } },
      'skip operator',
    ],
    ['leaves a folder that is no job id', { job: { id: 'ac67d09b.bak' } }, 'skip unknown'],
    [
      'leaves a session without an id',
      { state: { sessionId: null, resumeSessionId: null } },
      'skip unknown',
    ],
    [
      'leaves a session id that is a path',
      { state: { resumeSessionId: '../../x' } },
      'skip unknown',
    ],
    [
      'leaves an upper-case session id',
      { state: { resumeSessionId: 'AC67D09B-0000-4000-8000-000000000001' } },
      'skip unknown',
    ],
    [
      'takes an agent that names neither template nor backend',
      { state: { template: null, backend: null } },
      'resume usage_cap',
    ],
    ['takes one that the listing does not show', { job: { row: known(null) } }, 'resume usage_cap'],
  ],
  succeeded: [
    ['waits while a claim is open', { claim: { message: 'not settled yet' } }, 'wait operator'],
    ['leaves a stop that a copy goes on with', tried(copy('bbbbbbbb')), 'skip operator'],
    [
      'takes a stop of the copy itself',
      { ...tried(copy('ac67d09b')), policy: { maxAttempts: 2 } },
      'resume usage_cap',
    ],
    [
      'leaves it while another job of it lives',
      { conversation: other({ process: known('alive') }) },
      'skip operator',
    ],
    [
      'leaves it while another job is about to be restarted',
      { conversation: other({ process: known('restarting') }) },
      'skip operator',
    ],
    [
      'leaves it when it cannot tell whether another job lives',
      { conversation: other({ process: unread }) },
      'skip unknown',
    ],
    [
      'takes it when the other jobs are dead',
      { conversation: other({ process: known('gone') }) },
      'resume usage_cap',
    ],
    [
      'leaves it when somebody else made a copy',
      { job: { copies: known(['cccccccc']) } },
      'skip operator',
    ],
    ['leaves it when copies cannot be told', { job: { copies: unread } }, 'skip unknown'],
  ],
  hold: [
    ['leaves what is held until released', { hold: { until: null, reason: '' } }, 'skip operator'],
    [
      'leaves what is held until later',
      { hold: { until: NOW + 1, reason: 'lunch' } },
      'skip operator',
    ],
    [
      'takes it at the instant the hold ends',
      { hold: { until: NOW, reason: '' } },
      'resume usage_cap',
    ],
  ],
  human: [
    [
      'keeps a session parked while its row waits',
      { job: { row: known(row({ waitingFor: 'permission prompt' })) } },
      'skip approval',
    ],
    [
      'keeps it parked whatever it waits for',
      { job: { row: known(row({ status: 'waiting' })) } },
      'skip approval',
    ],
    [
      'keeps a permission wait parked that reads working',
      { state: { state: 'working', needs: 'approve Bash: rm -rf build' } },
      'skip approval',
    ],
    [
      'keeps a session parked that waits for its person',
      { state: { needs: '', detail: 'Waiting for your decision on the schema' } },
      'skip approval',
    ],
    [
      'wins over a limit named beside it',
      { state: { needs: 'Waiting for your approval' } },
      'skip approval',
    ],
    [
      'keeps it parked while a tool call is open',
      { job: { transcript: known(tail({ hasOpenToolCall: true })) } },
      'skip approval',
    ],
    [
      'does not trip over advice about an admin',
      {
        state: {
          detail:
            "You've hit your session limit · resets 11am (UTC) · run /usage-credits to ask your admin",
          needs: '',
        },
      },
      'resume usage_cap',
    ],
  ],
  state: [
    ['leaves what is done', { state: { state: 'done' } }, 'skip idle'],
    ['leaves what its owner stopped', { state: { state: 'stopped' } }, 'skip operator'],
    [
      'takes what we stopped ourselves',
      { state: { state: 'stopped' }, stop: { isOurStop: true } },
      'resume usage_cap',
    ],
    ['leaves what failed', { state: { state: 'failed' } }, 'skip stale'],
    ['leaves what crashed', { state: { state: 'crashed' } }, 'skip stale'],
    [
      'leaves what works',
      { state: { state: 'working', needs: '' }, job: { process: known('alive') } },
      'skip idle',
    ],
    [
      'leaves what starts',
      { state: { state: 'starting', needs: '' }, job: { process: known('alive') } },
      'skip idle',
    ],
    ['leaves what died at work', { state: { state: 'working', needs: '' } }, 'skip stale'],
    ['leaves a state that nobody knows', { state: { state: 'hibernating' } }, 'skip unknown'],
    ['leaves an empty state', { state: { state: '' } }, 'skip unknown'],
  ],
  cause: [
    [
      'leaves what has no known cause',
      { stop: { cause: { kind: 'unknown', text: 'fixed the parser' } } },
      'skip unknown',
    ],
    [
      'leaves what says nothing',
      { stop: { cause: { kind: 'unknown', text: '' } }, state: { detail: '', needs: '' } },
      'skip unknown',
    ],
    ['leaves what no stop was read of', { stop: null }, 'skip unknown'],
    [
      'leaves a login',
      { stop: { cause: { kind: 'fatal', family: 'login', text: 'x' } } },
      'skip abort',
    ],
    [
      'leaves a model',
      { stop: { cause: { kind: 'fatal', family: 'model', text: 'x' } } },
      'skip abort',
    ],
    [
      'leaves what is too large',
      { stop: { cause: { kind: 'fatal', family: 'too_large', text: 'x' } } },
      'skip abort',
    ],
    [
      'leaves a credit limit',
      { stop: { cause: { kind: 'budget', text: 'Credit balance is too low' } } },
      'skip budget',
    ],
    ['leaves a human', { stop: { cause: { kind: 'human', text: 'x' } } }, 'skip approval'],
    [
      'leaves what goes on by itself',
      { stop: { cause: { kind: 'in_flight', text: 'x' } } },
      'skip unknown',
    ],
    [
      'leaves what the transcript does not confirm',
      { stop: { isUnconfirmed: true } },
      'skip unknown',
    ],
    [
      'leaves an unconfirmed outage',
      { stop: { cause: OUTAGE, reset: null, isUnconfirmed: true } },
      'skip unknown',
    ],
    ['leaves an unreadable timeline', { job: { timeline: unread } }, 'skip unknown'],
    ['leaves an unreadable transcript', { job: { transcript: unread } }, 'skip unknown'],
  ],
  moved_on: [
    [
      'leaves what went on after its stop',
      { job: { transcript: known(tail({ hasMovedOn: true })) } },
      'skip idle',
    ],
  ],
  reset: [
    [
      'waits for a reset that has not come',
      { stop: { reset: { at: NOW + 1, source: 'timeline', suspect: null } } },
      'wait usage_cap',
    ],
    [
      'waits out an unreadable reset',
      { stop: { reset: null, resetProblem: 'x' }, now: SHOWN_AT + HOUR },
      'wait usage_cap',
    ],
    [
      'takes an unreadable reset once it was waited out',
      { stop: { reset: null, resetProblem: 'x' }, now: SHOWN_AT + HOUR + 90_000 },
      'resume usage_cap',
    ],
    [
      'leaves a stop of the future',
      { stop: { shown: { at: NOW + 600_001, source: 'timeline' } } },
      'skip unknown',
    ],
    [
      'bears a clock that is ten minutes off',
      { stop: { shown: { at: NOW + 600_000, source: 'timeline' } } },
      'resume usage_cap',
    ],
  ],
  policy: [
    [
      'leaves a kind that is held',
      { policy: { on: { ...DEFAULT_POLICY.on, five_hour: 'hold' } } },
      'skip operator',
    ],
    [
      'takes it where only another kind is held',
      { policy: { on: { ...DEFAULT_POLICY.on, weekly: 'hold', transient: 'hold' } } },
      'resume usage_cap',
    ],
    [
      'leaves an outage where those are held',
      {
        stop: { cause: OUTAGE, reset: null },
        policy: { on: { ...DEFAULT_POLICY.on, transient: 'hold' } },
      },
      'skip operator',
    ],
    [
      'waits outside the hours',
      { policy: { hours: { fromMinute: 22 * 60, toMinute: 7 * 60, zone: 'UTC' } } },
      'wait operator',
    ],
    [
      'goes on within them',
      { policy: { hours: { fromMinute: 11 * 60, toMinute: 13 * 60, zone: 'UTC' } } },
      'resume usage_cap',
    ],
    [
      'leaves hours of an unknown zone',
      { policy: { hours: { fromMinute: 0, toMinute: 1, zone: 'Mars/Olympus' } } },
      'skip unknown',
    ],
  ],
};

// The table of decisions that need the listing and the machine: a change of a session that could go on, the answer.
import type { RuleName } from '../../src/core/decide.ts';
import { known } from '../../src/core/fact.ts';
import type { ListingRow } from '../../src/core/session.ts';
import type { Cell } from './decide-stop-cells.ts';
import {
  attempt,
  type Change,
  episode,
  fruitless,
  HOUR,
  MINUTE,
  NOW,
  OUTAGE,
  RESET_AT,
  row,
  SHOWN_AT,
} from './situation.ts';

const unread = { known: false, why: 'cannot be read (EACCES)' } as const;
const living = (over: Partial<ListingRow> = {}, change: Change = {}): Change => ({
  ...change,
  job: { process: known('alive'), row: known(row({ status: 'idle', pid: 4242, ...over })) },
});
const tried: Change = {
  history: { episodes: [episode({ attempts: [attempt({ outcome: 'failed' })] })] },
};
const failures = (cause: 'limit' | 'throttle' | 'network', count: number): Change => ({
  history: { episodes: [1, 2, 3].slice(0, count).map((n) => fruitless(`e${n}`, { cause })) },
});

export const PLACE_CELLS: Partial<Record<RuleName, readonly Cell[]>> = {
  alive: [
    ['restarts an idle living one past its grace', living(), 'resume usage_cap'],
    [
      'waits when living ones are to be left',
      living({}, { policy: { live: 'wait' } }),
      'wait usage_cap',
    ],
    ['waits within the grace', living({}, { now: RESET_AT + 90_000 + MINUTE }), 'wait usage_cap'],
    [
      'waits within the grace of an outage',
      living({}, { stop: { cause: OUTAGE, reset: null }, now: SHOWN_AT + MINUTE }),
      'wait transient',
    ],
    ['waits while it is busy', living({ status: 'busy' }), 'wait usage_cap'],
    ['waits when its status is not known', living({ status: null }), 'wait usage_cap'],
    ['waits when its row says working', living({ state: 'working' }), 'wait usage_cap'],
    [
      'waits when the listing does not show it',
      { job: { process: known('alive'), row: known(null) } },
      'wait usage_cap',
    ],
    [
      'waits while something of its own runs',
      living({}, { state: { inFlight: 1 } }),
      'wait usage_cap',
    ],
    [
      'waits while a prompt is queued',
      living({}, { state: { queuedPrompt: 'x' } }),
      'wait usage_cap',
    ],
    [
      'waits when it wakes by itself',
      living({}, { state: { hasSelfWake: true } }),
      'wait usage_cap',
    ],
    [
      'waits while a terminal client is open',
      living({}, { machine: { hasTerminalClient: known(true) } }),
      'wait usage_cap',
    ],
    [
      'leaves it when terminal clients cannot be told',
      living({}, { machine: { hasTerminalClient: unread } }),
      'skip unknown',
    ],
    [
      'leaves it when nobody looked for terminal clients',
      living({}, { machine: { hasTerminalClient: null } }),
      'skip unknown',
    ],
    [
      'waits while its supervisor restarts it',
      { job: { process: known('restarting') } },
      'wait usage_cap',
    ],
    [
      'waits while our own stop still ends it',
      living({}, { stop: { isOurStop: true } }),
      'wait usage_cap',
    ],
    ['leaves it when its process cannot be told', { job: { process: unread } }, 'skip unknown'],
    ['leaves it when the listing cannot be read', { job: { row: unread } }, 'skip unknown'],
    ['leaves it when nobody asked for the listing', { job: { row: null } }, 'skip unknown'],
    [
      'takes one that no process is recorded of',
      { job: { process: known('none') } },
      'resume usage_cap',
    ],
  ],
  old: [
    [
      'takes what could go on for exactly the longest time',
      { now: RESET_AT + 90_000 + 48 * HOUR },
      'resume usage_cap',
    ],
    ['leaves what could for longer', { now: RESET_AT + 90_000 + 48 * HOUR + 1 }, 'skip stale'],
    [
      'leaves an old outage',
      { stop: { cause: OUTAGE, reset: null }, now: SHOWN_AT + 48 * HOUR + 1 },
      'skip stale',
    ],
  ],
  place: [
    [
      'leaves a directory that is gone',
      { job: { place: known({ hasCwd: false, hasTranscript: true }) } },
      'skip executor_lost',
    ],
    [
      'leaves a conversation without a transcript',
      { job: { place: known({ hasCwd: true, hasTranscript: false }) } },
      'skip executor_lost',
    ],
    ['leaves it when its place cannot be read', { job: { place: unread } }, 'skip unknown'],
    ['leaves it when nobody looked at its place', { job: { place: null } }, 'skip unknown'],
    [
      'leaves it without a login',
      { machine: { hasLogin: known(false) } },
      'skip starter_unavailable',
    ],
    ['leaves it when the login cannot be told', { machine: { hasLogin: unread } }, 'skip unknown'],
    ['waits for disk space', { machine: { freeDiskBytes: known(500e6 - 1) } }, 'wait disk_low'],
    [
      'leaves it when the disk cannot be read',
      { machine: { freeDiskBytes: unread } },
      'skip unknown',
    ],
  ],
  attempts: [
    ['leaves a stop whose attempts are spent', tried, 'skip step_limit'],
    [
      'takes it again where more are allowed',
      { ...tried, policy: { maxAttempts: 2 } },
      'resume usage_cap',
    ],
    ['takes it after two fruitless limits', failures('limit', 2), 'resume usage_cap'],
    ['holds it after three fruitless limits', failures('limit', 3), 'skip step_limit'],
    ['holds it after three fruitless throttles', failures('throttle', 3), 'skip step_limit'],
    ['does not hold it after three outages', failures('network', 3), 'resume usage_cap'],
    [
      'backs off after an outage',
      { ...failures('network', 1), stop: { cause: OUTAGE, reset: null }, now: SHOWN_AT + MINUTE },
      'wait transient',
    ],
  ],
  budget: [
    [
      'waits when the day is full',
      { policy: { maxPerDay: 1 }, launchesOfDay: [NOW - HOUR] },
      'wait budget',
    ],
    [
      'takes it when the day has room',
      { policy: { maxPerDay: 2 }, launchesOfDay: [NOW - HOUR] },
      'resume usage_cap',
    ],
    [
      'waits when this tick is full',
      { policy: { maxPerRun: 1 }, launchesOfTick: 1 },
      'wait budget',
    ],
    ['knows no bound of a tick by default', { launchesOfTick: 1000 }, 'resume usage_cap'],
    ['launches nothing on a day of none', { policy: { maxPerDay: 0 } }, 'wait budget'],
  ],
};

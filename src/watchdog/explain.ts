// One decision rule by rule: what each rule saw, what it answered, and which one settled it.
import { causeOfText, namesHuman } from '../core/cause.ts';
import {
  type Decision,
  decideFromFiles,
  type RuleAnswer,
  type RuleName,
  type Situation,
  traceRules,
} from '../core/decide.ts';
import { kindOfStop } from '../core/decide-policy.ts';
import { limitEndsAt } from '../core/decide-stop.ts';
import { formatBytes, formatDuration } from '../core/duration.ts';
import type { Fact } from '../core/fact.ts';
import { spentAttempts, successorOf } from '../core/ledger.ts';
import { failed, ok, type Result } from '../core/result.ts';
import type { JobEvidence, JobState } from '../core/session.ts';
import { survey } from '../resume/survey.ts';
import { findSession, type SessionNotFound } from './find-session.ts';
import { type LookRequest, lookWithListing, nowOf, type Seen } from './look.ts';
import { whyStopped } from './status.ts';
import type { TickFailure } from './tick.ts';

export interface Explanation {
  readonly now: number;
  readonly home: string;
  readonly situation: Situation;
  readonly decision: Decision;
  /** Up to and including the first that answered. */
  readonly rules: readonly RuleAnswer[];
  /** Files alone settle most; else the client was asked. */
  readonly isListingRead: boolean;
}

/** Explains the decision on the session that `text` names, as the next tick would take it now. */
export async function explain(
  request: LookRequest,
  text: string,
): Promise<Result<Explanation, TickFailure | SessionNotFound>> {
  const now = nowOf(request);
  const first = await survey(request.context, { now, rows: null });
  if (!first.ok) return first;
  const found = findSession(first.value.situations, text);
  if (!found.ok) return found;
  const fromFiles = decideFromFiles(found.value);
  const { key } = found.value.conversation;
  const seen =
    fromFiles === null
      ? await lookAgain(request, now, key)
      : ok({ situation: found.value, decision: fromFiles });
  if (!seen.ok) return seen;
  return ok({
    now,
    home: request.context.home.path,
    ...seen.value,
    rules: traceRules(seen.value.situation),
    isListingRead: fromFiles === null,
  });
}

/** All of them: those that are due before it count against the day and the tick. */
async function lookAgain(
  request: LookRequest,
  now: number,
  key: string,
): Promise<Result<Seen, TickFailure | SessionNotFound>> {
  const all = await lookWithListing(request, now);
  if (!all.ok) return all;
  const seen = all.value.find(({ situation }) => situation.conversation.key === key);
  const message = 'the session was removed while it was looked at';
  return seen === undefined ? failed({ kind: 'usage', message }) : ok(seen);
}

/** Writes an instant (epoch ms). */
export type Clock = (at: number) => string;

/** What a rule looks at, in one line that is not cleaned yet; null where the job cannot be read at all. */
export function evidenceOf(rule: RuleName, situation: Situation, clock: Clock): string | null {
  const { state } = situation.conversation.job;
  if (!state.known) return null;
  return EVIDENCE[rule]({
    ...situation,
    state: state.value,
    job: situation.conversation.job,
    clock,
  });
}

interface View extends Situation {
  readonly state: JobState;
  readonly job: JobEvidence;
  readonly clock: Clock;
}

const EVIDENCE: Readonly<Record<RuleName, (view: View) => string>> = {
  kind: ({ state, job }) =>
    list([
      `kind ${state.template ?? 'not stated'}`,
      `runs on ${state.backend ?? 'what is not stated'}`,
      `session ${state.resumeSessionId ?? state.sessionId ?? 'not named'}`,
      told(job.row, (row) => (row === null ? 'not listed' : `listed as ${row.kind}`)),
    ]),
  succeeded: ({ claim, history, stop, conversation, job }) => {
    const episode = history.episodes.find((one) => one.id === stop?.episodeId);
    const successor = episode === undefined ? null : successorOf(episode);
    return list([
      claim === null ? 'no open claim' : claim.message,
      successor === null ? 'no successor' : `successor ${successor.job_id}`,
      conversation.others.length === 0
        ? 'no other job'
        : conversation.others.map(({ id, process }) => otherJob(id, process)).join(', '),
      told(job.copies, (copies) =>
        copies.length === 0 ? 'no copies' : `copies ${copies.join(', ')}`,
      ),
    ]);
  },
  hold: ({ hold, clock }) => {
    if (hold === null) return 'no hold';
    const until = hold.until === null ? 'until it is released' : `until ${clock(hold.until)}`;
    return list([`held ${until}`, hold.reason]);
  },
  human: ({ state, job }) =>
    list([
      needsText(state.needs),
      told(job.transcript, (tail) =>
        tail?.hasOpenToolCall === true ? 'a tool call is open' : 'no tool call is open',
      ),
      told(job.row, (row) =>
        row?.waitingFor == null ? null : `waits for ${head(row.waitingFor)}`,
      ),
    ]),
  state: ({ state, job, stop }) =>
    list([
      `state ${state.state === '' ? 'not stated' : state.state}`,
      stop?.isOurStop === true ? 'stopped by secondwind' : null,
      processText(job),
    ]),
  cause: ({ stop, job }) => {
    if (stop === null) return list(['no stop was read', unread(job.transcript)]);
    const { cause } = stop;
    const words = whyStopped(stop);
    return list([
      cause.kind === 'limit' ? `limit (${cause.limit})` : cause.kind.replace('_', ' '),
      words === null ? 'its words are not shown' : `"${head(words)}"`,
      told(job.transcript, (tail) =>
        tail?.error == null ? 'no error record in its transcript' : 'an error record ends it',
      ),
    ]);
  },
  moved_on: ({ job }) =>
    told(job.transcript, (tail) => {
      if (tail === null) return 'it has no transcript';
      return tail.hasMovedOn ? 'a real record after its stop' : 'no real record after its stop';
    }) ?? 'its transcript was not read',
  reset: ({ stop, policy, clock }) =>
    stop === null
      ? 'no stop was read'
      : list([
          `stop shown at ${clock(stop.shown.at)} (${stop.shown.source})`,
          resetText(stop, clock),
          `margin ${formatDuration(policy.marginMs)}`,
        ]),
  policy: ({ stop, policy, now, clock }) =>
    list([
      stop === null
        ? 'no stop was read'
        : `--on ${kindOfStop(stop)}=${policy.on[kindOfStop(stop)]}`,
      policy.hours === null ? 'at any hour' : `--only is set, and it is ${clock(now)}`,
    ]),
  alive: ({ job, state, machine, policy }) =>
    list([
      processText(job),
      told(job.row, (row) => (row === null ? 'not listed' : `listed as ${row.status ?? 'ended'}`)),
      `in flight ${state.inFlight}`,
      state.queuedPrompt === null ? null : 'a prompt is queued',
      told(machine.hasTerminalClient, (open) => `terminal client ${open ? 'open' : 'not open'}`),
      `--live ${policy.live}, --live-grace ${formatDuration(policy.liveGraceMs)}`,
    ]),
  old: (view) => {
    const { stop, history, policy, clock } = view;
    if (stop === null) return 'no stop was read';
    const isLimit = stop.cause.kind === 'limit';
    const since = isLimit ? limitEndsAt(view, stop) : stop.shown.at;
    const waited = history.episodes.find((one) => one.id === stop.episodeId)?.waited_until ?? null;
    return list([
      `${isLimit ? 'could go on since' : 'stopped at'} ${clock(since)}`,
      waited === null ? null : `kept back until ${clock(Date.parse(waited))}`,
      `--max-age ${formatDuration(policy.maxAgeMs)}`,
    ]);
  },
  place: ({ job, machine, policy }) =>
    list([
      told(job.place, ({ hasCwd, hasTranscript }) =>
        list([
          hasCwd ? 'its directory is there' : 'its directory is gone',
          hasTranscript ? 'its transcript is there' : 'no transcript in its folder',
        ]),
      ),
      told(machine.hasLogin, (hasLogin) => (hasLogin ? 'login present' : 'no login')),
      told(
        machine.freeDiskBytes,
        (free) => `${formatBytes(free)} free of ${formatBytes(policy.minFreeDiskBytes)} needed`,
      ),
    ]),
  attempts: ({ history, stop, policy }) => {
    const episode = history.episodes.find((one) => one.id === stop?.episodeId);
    const spent = episode === undefined ? 0 : spentAttempts(episode);
    const last = episode?.attempts.at(-1);
    return list([
      `${spent} of ${policy.maxAttempts} spent at this stop`,
      last === undefined ? null : `the last one ${last.outcome.replace('_', ' ')}`,
      episode === undefined || episode.given_back === 0 ? null : `${episode.given_back} given back`,
      history.episodes.length > 1 ? `${history.episodes.length} stops on record` : null,
    ]);
  },
  budget: ({ launchesOfDay, launchesOfTick, policy }) =>
    list([
      `${launchesOfDay.length} of ${policy.maxPerDay} launches in 24 h`,
      `${launchesOfTick} before it in this tick`,
      policy.maxPerRun === 0 ? null : `--max-per-run ${policy.maxPerRun}`,
    ]),
};

const list = (parts: readonly (string | null)[]): string =>
  parts.filter((part) => part !== null && part !== '').join('; ');

/** `needs` in the client's own words only: a prompt's or a model's can stand there too, and `detail` is not shown at all. */
function needsText(needs: string): string {
  if (needs === '') return 'it says that it needs nothing';
  const isKnown =
    namesHuman({ detail: '', needs, waitingFor: null }) !== null ||
    causeOfText(needs).kind !== 'unknown';
  return isKnown ? `needs "${head(needs)}"` : 'what it needs is in no known words';
}

const head = (text: string): string => text.slice(0, 100);

/** A fact in words; null where nobody asked for it. */
function told<T>(fact: Fact<T> | null, words: (value: T) => string | null): string | null {
  if (fact === null) return null;
  return fact.known ? words(fact.value) : `not known: ${fact.why}`;
}

const unread = (fact: Fact<unknown> | null): string | null => told(fact, () => null);

const otherJob = (id: string, process: JobEvidence['process']): string =>
  list([`job ${id}`, told(process, (state) => `(${state})`)]).replace('; ', ' ');

const processText = ({ process }: JobEvidence): string =>
  told(process, (state) => `process ${state}`) ?? 'its process was not looked at';

function resetText(stop: NonNullable<Situation['stop']>, clock: Clock): string {
  if (stop.cause.kind !== 'limit') return 'its kind has no reset';
  if (stop.reset === null) return `no reset: ${stop.resetProblem ?? 'none is stated'}`;
  const { at, source, suspect } = stop.reset;
  return `reset ${clock(at)} (${source})${suspect === null ? '' : `, doubtful: ${suspect}`}`;
}

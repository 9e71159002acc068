// What was stopped, what was tried and how it went: the ledger, with what has become of each stop by now.
import { causeOfText } from '../core/cause.ts';
import { decideFromFiles, type Situation } from '../core/decide.ts';
import { type Episode, historyOf } from '../core/ledger.ts';
import { ok, type Result } from '../core/result.ts';
import { type SurveyFailure, survey } from '../resume/survey.ts';
import { type LookRequest, nowOf } from './look.ts';

/**
 * `by_itself`: it went on without us. `stopped_again`: so it seems, but into the next stop. `unconfirmed` holds those
 * whose attempt was cut off, too. `left`: it is not resumed. `gone`: its job is not in this home any more.
 */
export const FATES = [
  'woken',
  'copied',
  'by_itself',
  'stopped_again',
  'waiting',
  'failed',
  'unconfirmed',
  'left',
  'gone',
] as const;
export type Fate = (typeof FATES)[number];

export interface PastStop {
  readonly conversation: string;
  /** Null when nothing names one any more. */
  readonly jobId: string | null;
  readonly name: string | null;
  readonly episode: Episode;
  /** The head of its message; where that is not in the client's own words (a prompt's can stand there), its kind. */
  readonly why: string;
  readonly fate: Fate;
}

export interface HistoryReport {
  readonly now: number;
  readonly home: string;
  readonly since: number | null;
  /** The newest last. */
  readonly stops: readonly PastStop[];
  readonly summary: HistorySummary;
}

export interface HistorySummary {
  readonly stopped: number;
  readonly fates: Readonly<Record<Fate, number>>;
  /** Woken or copied, but no answer of the model came after it. */
  readonly withoutProgress: number;
  /** Epoch ms of the first and the last thing that happened; null when nothing did. */
  readonly firstAt: number | null;
  readonly lastAt: number | null;
}

/** The stops on record; with `since` (epoch ms) those to which something happened from then on. */
export async function readHistory(
  request: Pick<LookRequest, 'context' | 'clock' | 'replayAt'>,
  since: number | null,
): Promise<Result<HistoryReport, SurveyFailure>> {
  const now = nowOf(request);
  const found = await survey(request.context, { now, rows: null });
  if (!found.ok) return found;
  const { situations, ledger } = found.value;
  const byKey = new Map(situations.map((one) => [one.conversation.key, one]));
  const stops = Object.keys(ledger.conversations)
    .flatMap((key) => pastStops(key, historyOf(ledger, key).episodes, byKey.get(key) ?? null))
    .filter(({ episode }) => since === null || Math.max(...instantsOf(episode)) >= since)
    .sort((a, b) => Date.parse(a.episode.shown_at) - Date.parse(b.episode.shown_at));
  const home = request.context.home.path;
  return ok({ now, home, since, stops, summary: summaryOf(stops, since) });
}

function pastStops(
  conversation: string,
  recorded: readonly Episode[],
  situation: Situation | null,
): PastStop[] {
  // The situation's own history has its progress judged by what the transcript says now.
  const episodes = situation?.history.episodes ?? recorded;
  const job = situation?.conversation.job ?? null;
  return episodes.map((episode, index) => ({
    conversation,
    jobId: job?.id ?? episode.attempts.at(-1)?.job_id ?? episode.stopping?.job_id ?? null,
    name: job?.state.known === true ? job.state.value.name : null,
    episode,
    why: whyOf(episode),
    fate: fateOf(episode, situation, index < episodes.length - 1),
  }));
}

function whyOf({ message, cause, limit }: Episode): string {
  const said = causeOfText(message);
  if (said.kind === 'limit' || said.kind === 'transient') return said.text;
  return limit === null ? cause : `${cause} (${limit})`;
}

function fateOf(episode: Episode, situation: Situation | null, hasLater: boolean): Fate {
  switch (episode.attempts.at(-1)?.outcome) {
    case 'woken':
      return 'woken';
    case 'copied':
      return 'copied';
    case 'came_back':
      return 'by_itself';
    case 'failed':
      return 'failed';
    case 'unconfirmed':
    case 'launching':
      return 'unconfirmed';
    case 'kept':
      return hasLater ? 'stopped_again' : 'waiting';
    case undefined:
      if (hasLater) return 'stopped_again';
      return situation === null ? 'gone' : fateNow(episode, situation);
  }
}

const ENDED = new Set(['stopped', 'failed', 'crashed']);

/** What has become of a stop that nothing was tried at. */
function fateNow(episode: Episode, situation: Situation): Fate {
  const { state } = situation.conversation.job;
  if (!state.known) return 'left';
  const decision = decideFromFiles(situation);
  if (situation.stop?.episodeId === episode.id) {
    if (decision?.rule === 'moved_on') return 'by_itself';
    const isHeld = decision?.rule === 'hold' || decision?.rule === 'policy';
    return decision?.action === 'skip' && !isHeld ? 'left' : 'waiting';
  }
  return ENDED.has(state.value.state) || decision?.rule === 'human' ? 'left' : 'by_itself';
}

/** When something happened to it. */
function instantsOf({ shown_at, waited_until, attempts }: Episode): number[] {
  const texts = [shown_at, waited_until, ...attempts.map(({ at }) => at)];
  return texts.flatMap((text) => (text === null ? [] : [Date.parse(text)]));
}

function summaryOf(stops: readonly PastStop[], since: number | null): HistorySummary {
  const instants = stops
    .flatMap(({ episode }) => instantsOf(episode))
    .filter((at) => since === null || at >= since);
  const count = (test: (stop: PastStop) => boolean) => stops.filter(test).length;
  const fates = Object.fromEntries(
    FATES.map((fate) => [fate, count((stop) => stop.fate === fate)]),
  ) as Record<Fate, number>;
  return {
    stopped: count(({ episode }) => since === null || Date.parse(episode.shown_at) >= since),
    fates,
    withoutProgress: count(
      ({ fate, episode }) =>
        (fate === 'woken' || fate === 'copied') && episode.attempts.at(-1)?.progress === false,
    ),
    firstAt: instants.length === 0 ? null : instants.reduce((a, b) => Math.min(a, b)),
    lastAt: instants.length === 0 ? null : instants.reduce((a, b) => Math.max(a, b)),
  };
}

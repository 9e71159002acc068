// `history` for a terminal and as JSON: each stop with what was tried, and with --since a summary of the night on top.
import { cleanLine } from '../core/clean-text.ts';
import { parseDuration } from '../core/duration.ts';
import type { Attempt } from '../core/ledger.ts';
import { failed, ok, type Result } from '../core/result.ts';
import type { Fate, HistoryReport, PastStop } from '../watchdog/history.ts';
import { clockIn, lineIn } from './columns.ts';
import { parseValue, type UsageFailure } from './option-values.ts';
import type { OptionSpec } from './options.ts';
import type { TableStyle } from './table.ts';

const SINCE: OptionSpec = {
  flag: '--since',
  key: 'since',
  variable: null,
  kind: 'instant',
  placeholder: 'T',
  shownDefault: null,
  help: '',
  isPerRun: true,
};

/** `12h`, `1d` before `now`, or an ISO instant → epoch ms. */
export function parseSince(text: string, now: number): Result<number, UsageFailure> {
  const durationMs = parseDuration(text);
  if (durationMs !== null) return ok(now - durationMs);
  const instant = parseValue(SINCE, text, SINCE.flag);
  if (instant.ok && typeof instant.value === 'number') return ok(instant.value);
  const shown = cleanLine(text, 60);
  return failed({
    kind: 'usage',
    message: `--since: "${shown}" is neither a duration as 12h nor an instant as 2026-12-01T02:00:00Z`,
  });
}

const FATE_WORDS: Readonly<Record<Fate, string>> = {
  woken: 'came back: woken',
  copied: 'came back: copied',
  by_itself: 'came back by itself',
  stopped_again: 'stopped again',
  waiting: 'still waiting',
  failed: 'failed',
  unconfirmed: 'unconfirmed',
  left: 'left',
  gone: 'its job is gone',
};

/** The history, ended by a line break. */
export function historyText(report: HistoryReport, { zone, width }: TableStyle): string {
  const top = report.since === null ? [] : summaryLines(report, zone);
  const body = report.stops.flatMap((stop) => linesOf(stop, zone));
  const nothing =
    report.since === null ? 'no stop is on record' : 'no stop is on record since then';
  return `${[...top, ...(body.length === 0 ? [nothing] : body)]
    .map((line) => lineIn(line, width))
    .join('\n')}\n`;
}

function summaryLines({ summary, since, now }: HistoryReport, zone: string): string[] {
  const { fates, stopped, withoutProgress, firstAt, lastAt } = summary;
  const back = fates.woken + fates.copied + fates.by_itself;
  const span =
    firstAt === null || lastAt === null
      ? 'nothing happened'
      : `first ${clockIn(firstAt, zone)}, last ${clockIn(lastAt, zone)}`;
  const extras = [
    [withoutProgress, 'came back without progress'],
    [fates.stopped_again, 'stopped again'],
    [fates.left, 'left'],
    [fates.gone, 'with their job gone'],
  ] as const;
  return [
    `from ${clockIn(since ?? now, zone)} to ${clockIn(now, zone)}: ${span}`,
    `stopped ${stopped}, came back ${back} (woken ${fates.woken}, copied ${fates.copied}, by themselves ${fates.by_itself}), ` +
      `still waiting ${fates.waiting}, failed ${fates.failed}, unconfirmed ${fates.unconfirmed}`,
    ...extras.flatMap(([count, words]) => (count > 0 ? [`${count} ${words}`] : [])),
    '',
  ];
}

function linesOf({ jobId, name, episode, why, fate }: PastStop, zone: string): string[] {
  const clock = (at: string) => clockIn(Date.parse(at), zone);
  const who = [jobId ?? 'unknown job', name === null ? '' : `"${cleanLine(name, 40)}"`];
  const reset =
    episode.reset_at === null
      ? 'no reset known'
      : `reset ${clock(episode.reset_at)} (${episode.reset_source})`;
  const back = episode.given_back > 0 ? [`  ${episode.given_back} attempts given back`] : [];
  return [
    `${clock(episode.shown_at)}  ${cleanLine(who.join(' '), 80)}  ${FATE_WORDS[fate]}`,
    `  ${cleanLine(why, 120)}; ${reset}`,
    ...episode.attempts.map((attempt) => `  ${attemptText(attempt, clock)}`),
    ...back,
  ];
}

const OUTCOME_WORDS: Readonly<Record<Attempt['outcome'], string>> = {
  launching: 'begun, how it went is not known',
  woken: 'woken',
  copied: 'copied',
  came_back: 'had come back by itself',
  unconfirmed: 'unconfirmed',
  failed: 'failed',
  kept: 'refused, the client delivers the prompt later',
};

function attemptText(attempt: Attempt, clock: (at: string) => string): string {
  const { outcome, successor, message, progress } = attempt;
  const parts = [
    `${OUTCOME_WORDS[outcome]}${successor === null ? '' : `, goes on as ${successor.job_id}`}`,
    message,
    progress === null ? '' : progress ? 'with progress' : 'without progress',
  ];
  return cleanLine(`${clock(attempt.at)} ${parts.filter(Boolean).join('; ')}`, 240);
}

/** A report → its JSON value. */
export function historyJson(report: HistoryReport): Record<string, unknown> {
  const { summary } = report;
  return {
    version: 1,
    now: iso(report.now),
    home: report.home,
    since: iso(report.since),
    stops: report.stops.map(stopJson),
    summary: {
      stopped: summary.stopped,
      ...summary.fates,
      without_progress: summary.withoutProgress,
      first_at: iso(summary.firstAt),
      last_at: iso(summary.lastAt),
    },
  };
}

function stopJson({
  conversation,
  jobId,
  name,
  episode,
  why,
  fate,
}: PastStop): Record<string, unknown> {
  return {
    conversation: cleanLine(conversation, 80),
    id: jobId === null ? null : cleanLine(jobId, 40),
    name: name === null ? null : cleanLine(name, 300),
    stopped_at: iso(Date.parse(episode.shown_at)),
    source: episode.shown_source,
    stopped_by: cleanLine(why, 300),
    cause: episode.cause,
    limit: episode.limit,
    reset_at: iso(episode.reset_at === null ? null : Date.parse(episode.reset_at)),
    reset_source: episode.reset_source,
    fate,
    given_back: episode.given_back,
    attempts: episode.attempts.map(attemptJson),
  };
}

const attemptJson = (attempt: Attempt): Record<string, unknown> => ({
  at: iso(Date.parse(attempt.at)),
  id: attempt.job_id,
  outcome: attempt.outcome,
  successor: attempt.successor,
  message: cleanLine(attempt.message, 300),
  progress: attempt.progress,
});

const iso = (instant: number | null): string | null =>
  instant === null ? null : new Date(instant).toISOString();

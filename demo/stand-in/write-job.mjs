// Writes one job as a client leaves it when its session stops: state, timeline and transcript that agree.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import {
  appendTimeline,
  appendTranscript,
  jobFolder,
  transcriptPath,
  writeJobState,
  writeRenamed,
} from './job-files.mjs';
import { assistantRecord, bookkeepingRecords, stopRecord, userRecord } from './records.mjs';
import { limitText, needsText } from './stop-text.mjs';

const MINUTE_MS = 60_000;
const WINDOW_MS = 300 * MINUTE_MS;

/** @type {typeof import('./write-job.mjs').writeJob} */
export function writeJob(home, options) {
  const job = withDefaults(options);
  const path = transcriptPath(home, job.cwd, job.sessionId);
  const ended = ['done', 'failed', 'stopped'].includes(String(job.state));
  const endedAt = ended ? new Date(job.shownAt).toISOString() : null;
  writeJobState(home, job.id, {
    state: job.state,
    detail: job.detail,
    tempo: job.state === 'blocked' ? 'blocked' : 'idle',
    output: null,
    children: null,
    linkScanOffset: 379,
    template: 'bg',
    respawnFlags: options.respawnFlags ?? (job.name === null ? [] : ['--name', job.name]),
    providerEnv: { CLAUDE_BG_SESSION_CREDENTIAL: 'none' },
    intent: job.intent,
    ...(job.name === null ? {} : { name: job.name, nameSource: 'user' }),
    sessionId: job.sessionId,
    resumeSessionId: job.sessionId,
    daemonShort: job.id,
    cliVersion: job.version,
    cwd: job.cwd,
    createdAt: new Date(job.shownAt - 45 * MINUTE_MS).toISOString(),
    updatedAt: new Date(job.shownAt).toISOString(),
    firstTerminalAt: endedAt,
    ...(ended ? { lastTerminalAt: endedAt } : {}),
    backend: 'daemon',
    inFlight: { tasks: 0, queued: 0, kinds: [], drainableMonitors: 0 },
    needs: job.needs,
    linkScanPath: path,
    ...options.fields,
  });
  for (const line of timelineOf(job, options)) appendTimeline(home, job.id, line);
  const records = recordsOf(job, options);
  if (records !== null) appendTranscript(path, records);
  if (options.row !== undefined) {
    writeRenamed(join(jobFolder(home, job.id), 'stand-in.json'), JSON.stringify(options.row));
  }
  const statePath = join(jobFolder(home, job.id), 'state.json');
  const { id, sessionId, cwd, name, detail, shownAt, resetsAt } = job;
  return { id, sessionId, cwd, name, detail, shownAt, resetsAt, statePath, transcriptPath: path };
}

/** @param {import('./write-job.mjs').JobOptions} options */
function withDefaults(options) {
  const sessionId =
    options.sessionId ?? (options.id ?? '').concat(randomUUID().slice((options.id ?? '').length));
  const { shownAt, limitType = 'five_hour', version = '2.1.332', state = 'blocked' } = options;
  const isOldClient = isBeforeQuotas(version);
  const error = options.error === undefined ? 'rate_limit' : options.error;
  const isLimit = error === 'rate_limit';
  const resetsAt =
    options.resetsAt === undefined && isLimit ? shownAt + WINDOW_MS : (options.resetsAt ?? null);
  const detail = options.detail ?? limitText({ limitType, resetsAt, shownAt, isOldClient });
  const needs = options.needs === undefined ? needsText(error, detail) : options.needs;
  const { id = sessionId.slice(0, 8), intent = 'say hello', cwd } = options;
  const name = options.name === undefined ? 'job one' : options.name;
  return {
    id,
    sessionId,
    name,
    cwd,
    state,
    detail,
    needs,
    error,
    limitType,
    resetsAt,
    shownAt,
    version,
    intent,
    isOldClient,
  };
}

/** @param {string} version */
function isBeforeQuotas(version) {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  return major < 2 || (major === 2 && minor < 2 && patch < 260);
}

/**
 * @param {ReturnType<typeof withDefaults>} job
 * @param {import('./write-job.mjs').JobOptions} options
 */
function timelineOf({ shownAt, detail, state }, { timeline = 'stop', text }) {
  if (timeline === 'none') return [];
  if (timeline !== 'stop') return timeline;
  // A stop by its owner leaves no line; the state before it had one.
  if (state === 'stopped') return [];
  return [
    { at: new Date(shownAt).toISOString(), state: String(state), detail, text: text ?? detail },
  ];
}

/**
 * @param {ReturnType<typeof withDefaults>} job
 * @param {import('./write-job.mjs').JobOptions} options
 */
function recordsOf(job, { transcript = 'limit', after = [], text }) {
  if (transcript === 'none') return null;
  if (transcript !== 'limit') return transcript;
  const { shownAt, error, detail, limitType, resetsAt, intent, name, isOldClient } = job;
  const asked = userRecord(job, shownAt - 45 * MINUTE_MS, intent);
  const worked = assistantRecord(job, shownAt - MINUTE_MS, 'The first half is in place.');
  const quotaResetsAt = isOldClient ? null : resetsAt;
  const last =
    error === null
      ? assistantRecord(job, shownAt, text ?? detail)
      : stopRecord(job, shownAt, {
          error,
          text: text ?? detail,
          limitType,
          resetsAt: quotaResetsAt,
        });
  return [asked, worked, last, ...bookkeepingRecords(job, intent, name), ...after];
}

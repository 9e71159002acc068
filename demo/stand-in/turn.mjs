// One turn of a session: the prompt and its answer, or its refusal, in transcript, timeline and state, in that order.
import { appendTimeline, appendTranscript, transcriptPath, writeJobState } from './job-files.mjs';
import {
  assistantRecord,
  bookkeepingRecords,
  metaRecords,
  stopRecord,
  userRecord,
} from './records.mjs';
import { startWorker } from './roster.mjs';
import { limitText, needsText } from './stop-text.mjs';

const ANSWER = 'All done.';
const WINDOW_MS = 5 * 3_600_000;

/**
 * @typedef {object} Turn
 * @property {string} home
 * @property {string} id
 * @property {import('./job-files.mjs').JobStateFile} state the job as it stands
 * @property {string} prompt
 * @property {import('./weather.mjs').Weather} weather
 * @property {import('./weather.mjs').ResumeKnobs} knobs those of this session
 */

/** @param {Turn} turn */
export function takeTurn({ home, id, state, prompt, weather, knobs }) {
  const now = Date.now();
  const { sessionId = '', cwd = '/', queuedPrompt, ...rest } = state;
  const session = { sessionId, cwd, version: weather.version };
  const path = transcriptPath(home, cwd, sessionId);
  // A prompt that an earlier, refused launch left behind is delivered with this one.
  const text = queuedPrompt === undefined ? prompt : `${queuedPrompt}\n\n${prompt}`;
  const isMeta = knobs.metaRecords ?? weather.mode === 'copy';
  const outcome = knobs.refuse
    ? refused(session, now, weather, knobs.refuse)
    : answered(session, now, knobs);
  appendTranscript(path, [
    ...(isMeta ? metaRecords(session, now) : []),
    userRecord(session, now, text),
    outcome.record,
    ...bookkeepingRecords(session, text, state.name ?? null),
  ]);
  const at = new Date(now).toISOString();
  const said = { at, state: outcome.fields.state, detail: outcome.fields.detail };
  if (!knobs.refuse) appendTimeline(home, id, { at, state: 'running', detail: text, text: '' });
  appendTimeline(home, id, { ...said, text: outcome.fields.detail });
  const inFlight = { tasks: 0, queued: 0, kinds: [], drainableMonitors: 0 };
  const fields = { ...outcome.fields, inFlight, linkScanPath: path, updatedAt: at };
  writeJobState(home, id, { ...rest, sessionId, cwd, ...fields });
  if (knobs.runFor !== undefined) startWorker(home, { id, sessionId, cwd, runForMs: knobs.runFor });
}

/**
 * @param {import('./records.mjs').Session} session
 * @param {number} now
 * @param {import('./weather.mjs').ResumeKnobs} knobs
 */
function answered(session, now, knobs) {
  const state = knobs.endState ?? 'working';
  const at = new Date(now).toISOString();
  const terminal = state === 'done' ? { firstTerminalAt: at, lastTerminalAt: at } : {};
  const tempo = knobs.runFor === undefined ? 'idle' : 'active';
  const fields = { state, detail: ANSWER, tempo, needs: null, tokens: 5, ...terminal };
  return { record: assistantRecord(session, now, ANSWER), fields };
}

/**
 * @param {import('./records.mjs').Session} session
 * @param {number} now
 * @param {import('./weather.mjs').Weather} weather
 * @param {import('./weather.mjs').Refusal} refusal
 */
function refused(session, now, weather, refusal) {
  const { error = 'rate_limit', limitType = 'five_hour' } = refusal;
  const stated = refusal.resetsAt === undefined ? now + WINDOW_MS : refusal.resetsAt;
  const resetsAt = stated === null ? null : new Date(stated).getTime();
  const isOldClient = weather.mode === 'copy';
  const text = refusal.text ?? limitText({ limitType, resetsAt, shownAt: now, isOldClient });
  const record = stopRecord(session, now, {
    error,
    text,
    limitType,
    resetsAt: isOldClient ? null : resetsAt,
  });
  const fields = {
    state: 'blocked',
    detail: text,
    tempo: 'blocked',
    needs: needsText(error, text),
  };
  return { record, fields };
}

// Rules of what a job is and what state it is in: kind, human, state.
import { namesHuman } from './cause.ts';
import { cleanLine } from './clean-text.ts';
import type { Situation, Verdict } from './decide.ts';
import { ownLimitOf } from './own-limit.ts';
import type { JobState } from './session.ts';
import { skip, unreadable } from './verdict.ts';

const JOB_ID = /^[0-9a-f]{8}$/;
const SESSION_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Rule 1: only agent jobs of the local supervisor; ids that could not name a file or a session are refused. */
export function kindRule({ conversation }: Situation, state: JobState): Verdict | null {
  const { job } = conversation;
  if (state.template === 'exec') return skip('operator', 'a shell job, not an agent');
  if (state.template !== null && state.template !== 'bg') {
    return skip(
      'operator',
      `a job of kind ${cleanLine(state.template, 20)}, not a background agent`,
    );
  }
  if (state.backend !== null && state.backend !== 'daemon') {
    return skip('operator', `runs on ${cleanLine(state.backend, 20)}, not on the local supervisor`);
  }
  if (job.row?.known === true && job.row.value !== null && job.row.value.kind !== 'background') {
    return skip('operator', `an ${cleanLine(job.row.value.kind, 20)} session`);
  }
  if (!JOB_ID.test(job.id)) return unreadable('its folder is not named by a job id');
  if (state.sessionId === null && state.resumeSessionId === null) {
    return state.state === 'blocked' ? unreadable('it names no session') : null;
  }
  if (!SESSION_ID.test(state.resumeSessionId ?? state.sessionId ?? '')) {
    return unreadable('its session id is not one');
  }
  return null;
}

/** Rule 4: whatever names a person, before the state: an open permission prompt reads `working`. */
export function humanRule({ conversation }: Situation, state: JobState): Verdict | null {
  const { job } = conversation;
  const row = job.row?.known === true ? job.row.value : null;
  if (row?.status === 'waiting' || row?.waitingFor != null) {
    return skip('approval', `waits for a person: ${cleanLine(row.waitingFor ?? 'input', 60)}`);
  }
  if (state.state === 'done' || state.state === 'stopped' || state.state === 'failed') return null;
  if (state.state !== 'blocked' && state.needs === '') return null;
  const tail = job.transcript?.known === true ? job.transcript.value : null;
  // Only the client's own words on a usage limit: they name nobody.
  const isOwnLimit =
    ownLimitOf({ detail: state.detail, needs: state.needs, error: tail?.error ?? null }) !== null;
  const named = isOwnLimit
    ? null
    : namesHuman({ detail: state.detail, needs: state.needs, waitingFor: null });
  if (named !== null) return skip('approval', personText(state, named));
  if (state.state !== 'blocked') return null;
  if (tail?.hasOpenToolCall === true) {
    return skip('approval', 'a tool call of its own is not answered yet');
  }
  return null;
}

/** Rule 5: only `blocked` goes on, and `stopped` where the stop was ours. */
export function stateRule({ conversation, stop }: Situation, state: JobState): Verdict | null {
  switch (state.state) {
    case 'blocked':
      return null;
    case 'stopped':
      return stop?.isOurStop === true ? null : skip('operator', 'stopped by its owner');
    case 'done':
      return skip('idle', 'finished');
    case 'failed':
      return skip('stale', 'failed');
    case 'crashed':
      return skip('stale', 'crashed');
    case 'working':
    case 'running':
    case 'starting':
      return conversation.job.process?.known === true && conversation.job.process.value === 'gone'
        ? skip('stale', 'its process died at work')
        : skip('idle', 'at work');
    default:
      return unreadable(
        `its state is ${cleanLine(state.state, 20) || 'empty'}, which is not known`,
      );
  }
}

/**
 * What is shown of a wait for a person. `needs` is the client's own word; `detail` can be the prompt's own text, which
 * is never shown.
 */
const personText = (state: JobState, named: string): string =>
  namesHuman({ detail: '', needs: state.needs, waitingFor: null }) === null
    ? 'waits for a person, by its own last words'
    : cleanLine(named, 80);

// Looks for a claim's nonce wherever a client leaves the prompt that it was given: never decides by a name.
import { statSync } from 'node:fs';
import { type ClaudeHome, jobPath, listJobIds } from '../claude/home.ts';
import { readJobState, readTimelineText } from '../claude/job-state.ts';
import { parseBackgrounded } from '../claude/launch.ts';
import { locateTranscript, readTranscript } from '../claude/transcript.ts';
import { noncesIn } from '../core/policy.ts';
import { answerPaths, type Claim } from '../store/claims.ts';
import { readStateFile } from '../store/files.ts';

/** What became of a launch, by what can be seen. `queued`: the client keeps the prompt for later. */
export type Trace =
  | { readonly kind: 'woken' }
  | {
      readonly kind: 'copied';
      readonly jobId: string;
      readonly sessionId: string | null;
      readonly tookTurn: boolean;
    }
  | { readonly kind: 'queued' }
  | { readonly kind: 'none' }
  /** Something that could hold the trace cannot be read: nothing may be concluded from its absence. */
  | { readonly kind: 'unknown' };

export type SeenTrace = Exclude<Trace, { kind: 'none' | 'unknown' }>;

/** Searches the claim's job first, then the client's answer, then every job's intent. */
export function findTrace(home: ClaudeHome, folder: string, claim: Claim): Trace {
  const own = turnOf(home, claim.job_id, claim.nonce);
  if (own === 'taken') return { kind: 'woken' };
  const copy = answeredCopy(home, folder, claim) ?? copyByIntent(home, claim);
  if (copy !== null) return copy;
  const state = readJobState(home, claim.job_id);
  const queued = state.known ? (state.value.queuedPrompt ?? '') : '';
  if (noncesIn(queued).includes(claim.nonce)) return { kind: 'queued' };
  return own === 'unknown' ? { kind: 'unknown' } : { kind: 'none' };
}

/** Whether the prompt with this nonce stands in the job's transcript or timeline: the turn was taken. */
function turnOf(home: ClaudeHome, jobId: string, nonce: string): 'taken' | 'not-seen' | 'unknown' {
  const state = readJobState(home, jobId);
  if (!state.known) return 'unknown';
  const path = locateTranscript(home, state.value);
  const transcript = path === null ? null : readTranscript(path);
  if (transcript?.known === true && transcript.value?.nonces.includes(nonce) === true)
    return 'taken';
  const timeline = readTimelineText(home, jobId);
  if (timeline.known && noncesIn(timeline.value).includes(nonce)) return 'taken';
  return transcript?.known === false || !timeline.known ? 'unknown' : 'not-seen';
}

/** The id in the answer that the client has written so far; null when there is none. */
export function readAnswer(folder: string, claim: Claim): string | null {
  if (claim.answer !== null) return claim.answer;
  const text = readStateFile(answerPaths(folder, claim).stdout);
  return text.ok && text.value !== null ? parseBackgrounded(text.value) : null;
}

function answeredCopy(home: ClaudeHome, folder: string, claim: Claim): Trace | null {
  const id = readAnswer(folder, claim);
  return id === null || id === claim.job_id ? null : copyOf(home, id, claim.nonce);
}

function copyByIntent(home: ClaudeHome, claim: Claim): Trace | null {
  const ids = listJobIds(home);
  if (!ids.ok) return { kind: 'unknown' };
  let isAnyUnread = false;
  for (const id of ids.value) {
    if (id === claim.job_id) continue;
    const state = readJobState(home, id);
    if (!state.known) {
      // Only a job that was touched since the claim can be its copy.
      isAnyUnread ||= changedSince(jobPath(home, id, ''), Date.parse(claim.at));
      continue;
    }
    const texts = `${state.value.intent}\n${state.value.queuedPrompt ?? ''}`;
    if (noncesIn(texts).includes(claim.nonce)) return copyOf(home, id, claim.nonce);
  }
  return isAnyUnread ? { kind: 'unknown' } : null;
}

function changedSince(path: string, instant: number): boolean {
  try {
    return statSync(path).mtimeMs >= instant - 2000;
  } catch {
    return true;
  }
}

function copyOf(home: ClaudeHome, jobId: string, nonce: string): Trace {
  const state = readJobState(home, jobId);
  const sessionId = state.known ? (state.value.resumeSessionId ?? state.value.sessionId) : null;
  return { kind: 'copied', jobId, sessionId, tookTurn: turnOf(home, jobId, nonce) === 'taken' };
}

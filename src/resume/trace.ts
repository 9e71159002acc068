// Looks for a claim's nonce wherever a client leaves the prompt that it was given: never decides by a name.
import type { ClaudeHome } from '../claude/home.ts';
import { listJobIds } from '../claude/home.ts';
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
  | { readonly kind: 'none' };

/** Searches the claim's job first, then the client's answer, then every job's intent. */
export function findTrace(home: ClaudeHome, folder: string, claim: Claim): Trace {
  if (tookTurn(home, claim.job_id, claim.nonce)) return { kind: 'woken' };
  const copy = answeredCopy(home, folder, claim) ?? copyByIntent(home, claim);
  if (copy !== null) return copy;
  const own = readJobState(home, claim.job_id);
  const queued = own.known ? (own.value.queuedPrompt ?? '') : '';
  return noncesIn(queued).includes(claim.nonce) ? { kind: 'queued' } : { kind: 'none' };
}

/** Whether the prompt with this nonce stands in the job's transcript or timeline: the turn was taken. */
export function tookTurn(home: ClaudeHome, jobId: string, nonce: string): boolean {
  const state = readJobState(home, jobId);
  if (!state.known) return false;
  const path = locateTranscript(home, state.value);
  const transcript = path === null ? null : readTranscript(path);
  if (transcript?.known === true && transcript.value?.nonces.includes(nonce) === true) return true;
  const timeline = readTimelineText(home, jobId);
  return timeline.known && noncesIn(timeline.value).includes(nonce);
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
  if (!ids.ok) return null;
  const found = ids.value.find((id) => {
    if (id === claim.job_id) return false;
    const state = readJobState(home, id);
    return (
      state.known &&
      noncesIn(`${state.value.intent}\n${state.value.queuedPrompt ?? ''}`).includes(claim.nonce)
    );
  });
  return found === undefined ? null : copyOf(home, found, claim.nonce);
}

function copyOf(home: ClaudeHome, jobId: string, nonce: string): Trace {
  const state = readJobState(home, jobId);
  const sessionId = state.known ? (state.value.resumeSessionId ?? state.value.sessionId) : null;
  return { kind: 'copied', jobId, sessionId, tookTurn: tookTurn(home, jobId, nonce) };
}

// The one door by which a session comes back: claim, second look, stop, launch, compare, confirm, settle.

import { readJobState } from '../claude/job-state.ts';
import { alwaysCopies, stopJob } from '../claude/launch.ts';
import { bypassesPermissions, copyFlags } from '../claude/respawn-flags.ts';
import { decideFromFiles, type Situation } from '../core/decide.ts';
import { beginAttempt, markStopping, recordSighting } from '../core/ledger-transitions.ts';
import { failed, ok, type Result } from '../core/result.ts';
import type { JobState } from '../core/session.ts';
import { episodeOf } from '../core/stop-episode.ts';
import { type Claim, takeClaim, writeClaim } from '../store/claims.ts';
import { type StoreFailure, storeFailure } from '../store/files.ts';
import { updateLedger } from '../store/ledger-file.ts';
import { randomHex } from '../store/random-hex.ts';
import { type Hands, ownHolder } from './hands.ts';
import { giveUp, launch } from './launch-step.ts';
import { outcome, type ResumeEnd, stateFailure } from './outcome.ts';
import { give, oldSessionLives } from './settle.ts';
import { survey } from './survey.ts';

/** A candidate as the last look with a listing showed it. */
export interface Candidate {
  readonly situation: Situation;
  readonly state: JobState;
  readonly sessionId: string;
  readonly cwd: string;
  readonly isAlive: boolean;
}

/** What a resume needs of a situation that was decided `resume`; null where a part is missing. */
export function candidateOf(situation: Situation): Candidate | null {
  const { job } = situation.conversation;
  if (!job.state.known || situation.stop === null) return null;
  const state = job.state.value;
  const sessionId = state.resumeSessionId ?? state.sessionId;
  if (sessionId === null || state.cwd === null) return null;
  const isAlive = job.process?.known === true && job.process.value === 'alive';
  return { situation, state, sessionId, cwd: state.cwd, isAlive };
}

/** Resumes one conversation, which the look just before has decided to resume. */
export async function resume(hands: Hands, candidate: Candidate): Promise<ResumeEnd> {
  const isBypass = bypassesPermissions(candidate.state.respawnFlags);
  const copies = alwaysCopies(await hands.version());
  if (isBypass && copies !== false) {
    return { kind: 'dropped', why: 'it bypasses permissions, and this client may copy it' };
  }
  const flags =
    copies === true ? copyFlags(candidate.state.respawnFlags, candidate.state.name) : [];
  const taken = claimFor(hands, candidate, isBypass);
  if (!taken.ok) return stateFailure(taken.failure);
  if (taken.value === null) return outcome('in_flight', jobIdOf(candidate), 'another tick has it');
  const claim = taken.value;
  const begun = begin(hands, claim);
  if (!begun.ok)
    return begun.failure.kind === 'refused'
      ? drop(hands, claim, 'another tick has tried it')
      : giveUp(hands, claim, begun.failure);
  const changed = await changedSince(hands, claim);
  if (!changed.ok) return giveUp(hands, claim, changed.failure);
  if (changed.value !== null) return drop(hands, claim, changed.value);
  const stopped = candidate.isAlive ? await stopFirst(hands, claim) : ok(claim);
  if (!stopped.ok) return stopped.failure;
  return launch(hands, stopped.value, {
    sessionId: candidate.sessionId,
    cwd: candidate.cwd,
    flags,
  });
}

const jobIdOf = ({ situation }: Candidate): string => situation.conversation.job.id;

function claimFor(
  hands: Hands,
  candidate: Candidate,
  isBypass: boolean,
): Result<Claim | null, StoreFailure> {
  const { situation, sessionId, isAlive } = candidate;
  const { job, key } = situation.conversation;
  const episode = episodeOf(situation, hands.clock.now());
  if (episode === null) throw new Error('a resume without a stop');
  const transcript = job.transcript?.known === true ? (job.transcript.value?.path ?? null) : null;
  return takeClaim(hands.context.folder, {
    version: 1,
    nonce: randomHex(8),
    conversation: key,
    episode,
    job_id: job.id,
    session_id: sessionId,
    phase: isAlive ? 'stopping' : 'launching',
    at: new Date(hands.clock.now()).toISOString(),
    holder: ownHolder(),
    child: null,
    stops: isAlive || situation.stop?.isOurStop === true,
    in_place_only: isBypass,
    transcript,
    answer: null,
    settled: null,
  });
}

/** The attempt goes into the ledger as it is on disk now: who was faster is seen there. */
function begin(hands: Hands, claim: Claim) {
  const { folder, policy } = hands.context;
  return updateLedger(folder, (ledger) => {
    const seen = recordSighting(ledger, claim.conversation, claim.episode);
    const id = claim.episode.id;
    const begun = beginAttempt(
      seen,
      {
        conversation: claim.conversation,
        episode: id,
        nonce: claim.nonce,
        jobId: claim.job_id,
        now: Date.parse(claim.at),
      },
      policy.maxAttempts,
    );
    // A session that we stopped before keeps the mark of that stop.
    if (!begun.ok || claim.phase !== 'stopping') return begun;
    const stop = { jobId: claim.job_id, now: Date.parse(claim.at) };
    return ok(markStopping(begun.value, claim.conversation, id, stop));
  });
}

/** The look under the claim, by files: what happened between the last look and the claim; null when nothing did. */
async function changedSince(
  hands: Hands,
  claim: Claim,
): Promise<Result<string | null, StoreFailure>> {
  const { context, clock } = hands;
  const again = await survey(context, { now: clock.now(), rows: null, ownClaim: claim.nonce });
  if (!again.ok) {
    return failed(storeFailure('unreadable', context.home.path, again.failure.message));
  }
  const situation = again.value.situations.find(
    (one) => one.conversation.key === claim.conversation,
  );
  if (situation === undefined) return ok('its job is gone');
  if (situation.stop !== null && situation.stop.episodeId !== claim.episode.id) {
    return ok('it stopped anew');
  }
  const decision = decideFromFiles(situation);
  if (decision !== null) return ok(decision.reason.detail);
  const isBack = claim.phase !== 'stopping' && oldSessionLives(hands, claim);
  return ok(isBack ? 'its process came back' : null);
}

function drop(hands: Hands, claim: Claim, why: string): ResumeEnd {
  const given = give(hands, claim, { mode: 'free', message: why });
  return given.ok ? { kind: 'dropped', why } : stateFailure(given.failure);
}

/** Stops the living session and waits until its processes are surely gone, and some seconds more. */
async function stopFirst(hands: Hands, claim: Claim): Promise<Result<Claim, ResumeEnd>> {
  const { clock, bounds } = hands;
  const isStopped = await stopJob(hands.client, claim.job_id);
  const endsAt = clock.now() + bounds.stopMs;
  while (oldSessionLives(hands, claim)) {
    if (clock.now() >= endsAt) {
      return failed(notStopped(hands, claim, 'its process did not end after claude stop'));
    }
    await clock.sleep(bounds.pollMs);
  }
  await clock.sleep(bounds.afterStopMs);
  if (oldSessionLives(hands, claim)) {
    return failed(notStopped(hands, claim, 'its process came back after claude stop'));
  }
  if (!isStopped && !readsStopped(hands, claim)) {
    return failed(notStopped(hands, claim, 'the client could not confirm that it was stopped'));
  }
  const written = writeClaim(hands.context.folder, { ...claim, phase: 'launching' });
  return written.ok ? written : failed(stateFailure(written.failure));
}

function notStopped(hands: Hands, claim: Claim, message: string): ResumeEnd {
  const given = give(hands, claim, { mode: 'counted', message });
  return given.ok ? outcome('failed', claim.job_id, message) : stateFailure(given.failure);
}

function readsStopped({ context }: Hands, claim: Claim): boolean {
  const state = readJobState(context.home, claim.job_id);
  return state.known && state.value.state === 'stopped';
}

// The launch of one claim: ask the client, compare what it answers with what was meant, look for the turn.
import { closeSync, openSync } from 'node:fs';
import { launchSession, parseBackgrounded, refusalText } from '../claude/launch.ts';
import { readProcess } from '../claude/process.ts';
import { promptWithNonce } from '../core/policy.ts';
import { failed, ok, type Result } from '../core/result.ts';
import { answerPaths, type Claim, writeClaim } from '../store/claims.ts';
import { readStateFile, type StoreFailure, storeFailure } from '../store/files.ts';
import type { Hands } from './hands.ts';
import { outcome, type ResumeEnd, stateFailure } from './outcome.ts';
import { confirmTurn, give, settleTrace } from './settle.ts';

export interface LaunchPlan {
  readonly sessionId: string;
  readonly cwd: string;
  /** None: in place. */
  readonly flags: readonly string[];
}

/** Launches under a claim that nothing else can take; an answer that cannot be read leaves the claim open. */
export async function launch(hands: Hands, claim: Claim, plan: LaunchPlan): Promise<ResumeEnd> {
  const { folder, policy } = hands.context;
  const paths = answerPaths(folder, claim);
  const files = openAnswer(paths);
  if (!files.ok) return giveUp(hands, claim, files.failure);
  let current = claim;
  const end = await launchSession(hands.client, {
    sessionId: plan.sessionId,
    cwd: plan.cwd,
    prompt: promptWithNonce(policy.prompt, claim.nonce),
    flags: plan.flags,
    output: files.value,
    onStart: (pid) => {
      const noted = writeClaim(folder, {
        ...current,
        child: { pid, start: readProcess(pid)?.start ?? null },
      });
      if (noted.ok) current = noted.value;
    },
  });
  closeSync(files.value.stdout);
  closeSync(files.value.stderr);
  if (end.kind === 'refused') return refused(hands, current, end.message);
  if (end.kind === 'unknown') return outcome('unconfirmed', claim.job_id, end.message);
  return compare(hands, current, { exitCode: end.exitCode, ...readAnswer(paths) });
}

function openAnswer(paths: {
  stdout: string;
  stderr: string;
}): Result<{ stdout: number; stderr: number }, StoreFailure> {
  try {
    const stdout = openSync(paths.stdout, 'w', 0o600);
    return ok({ stdout, stderr: openSync(paths.stderr, 'w', 0o600) });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    return failed(storeFailure('unwritable', paths.stdout, `cannot be written (${code})`));
  }
}

function readAnswer(paths: { stdout: string; stderr: string }): { stdout: string; stderr: string } {
  const text = (path: string) => {
    const read = readStateFile(path);
    return read.ok ? (read.value ?? '') : '';
  };
  return { stdout: text(paths.stdout), stderr: text(paths.stderr) };
}

/** Compares the id that came back with the one that was meant, then looks for the turn. */
async function compare(
  hands: Hands,
  claim: Claim,
  answer: { readonly exitCode: number; readonly stdout: string; readonly stderr: string },
): Promise<ResumeEnd> {
  const id = parseBackgrounded(answer.stdout);
  if (id === null && answer.exitCode !== 0) {
    return refused(
      hands,
      claim,
      refusalText(answer.stdout, answer.stderr) || `exit ${answer.exitCode}`,
    );
  }
  const noted = writeClaim(hands.context.folder, { ...claim, phase: 'launched', answer: id });
  if (!noted.ok) return stateFailure(noted.failure);
  const trace = await confirmTurn(hands, noted.value);
  if (trace !== null) return settleTrace(hands, noted.value, trace);
  const said = id === null ? 'the client said nothing' : 'the client says it woke it';
  return outcome('unconfirmed', claim.job_id, `${said}, no turn was seen yet`);
}

/** A refusal: the attempt is given back, unless the client keeps the prompt for later. */
async function refused(hands: Hands, claim: Claim, message: string): Promise<ResumeEnd> {
  const noted = await confirmTurn({ ...hands, bounds: { ...hands.bounds, confirmMs: 0 } }, claim);
  if (noted !== null) return settleTrace(hands, claim, noted);
  const given = give(hands, claim, { mode: 'counted', message });
  return given.ok ? outcome('failed', claim.job_id, message) : stateFailure(given.failure);
}

/** State could not be written before anything was started: the claim goes if it can, else it lapses. */
export function giveUp(hands: Hands, claim: Claim, failure: StoreFailure): ResumeEnd {
  give(hands, claim, { mode: 'free', message: failure.message });
  return stateFailure(failure);
}

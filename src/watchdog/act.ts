// The acting half of a tick: settle old claims, look, rest, look again, then one session after the other.
import { listAgents } from '../claude/agents.ts';
import { decide, type Situation } from '../core/decide.ts';
import { ok, type Result } from '../core/result.ts';
import type { Hands } from '../resume/hands.ts';
import type { ResumeEnd } from '../resume/outcome.ts';
import { candidateOf, resume } from '../resume/resume.ts';
import { settleClaims } from '../resume/settle-claims.ts';
import { type Survey, survey } from '../resume/survey.ts';
import type { Lock } from '../store/lock.ts';
import type { TickFailure } from './tick.ts';

export interface Acted {
  /** The last look at everything before the report. */
  readonly found: Survey;
  readonly now: number;
  /** What was done or settled, by conversation. */
  readonly ends: ReadonlyMap<string, ResumeEnd>;
  readonly notices: readonly string[];
  /** What stopped the tick half-way; what was done before it stands. */
  readonly failure: TickFailure | null;
}

/** Acts under the lock. The decisions of the report come from `found`, read before the first launch. */
export async function act(hands: Hands, lock: Lock): Promise<Result<Acted, TickFailure>> {
  const ends = new Map<string, ResumeEnd>();
  const notices: string[] = [];
  const settled = await settleClaims(hands);
  if (!settled.ok) return settled;
  for (const { claim, end } of settled.value) {
    ends.set(claim.conversation, end);
    if (end.kind === 'dropped')
      notices.push(`${claim.job_id}: ${end.why}; its attempt is free again`);
  }
  const first = await look(hands, 0);
  if (!first.ok) return first;
  const candidates = toResume(first.value);
  if (candidates.length === 0)
    return ok({ found: first.value, now: hands.clock.now(), ends, notices, failure: null });
  await hands.clock.sleep(hands.bounds.lookAgainMs);
  const second = await look(hands, 0);
  if (!second.ok) return second;
  const now = hands.clock.now();
  const keys = toResume(second.value).filter((key) => candidates.includes(key));
  const acted = await resumeAll(hands, lock, { keys, second: second.value, ends, notices });
  const failure = acted.ok ? null : acted.failure;
  return ok({ found: second.value, now, ends, notices, failure });
}

async function look(hands: Hands, launchesOfTick: number): Promise<Result<Survey, TickFailure>> {
  const rows = await listAgents(hands.client);
  if (!rows.ok) return rows;
  return survey(hands.context, { now: hands.clock.now(), rows: rows.value, launchesOfTick });
}

/** Conversations that are decided `resume`, oldest stop first. */
function toResume(found: Survey): string[] {
  return found.situations
    .filter((situation) => decide(situation).action === 'resume')
    .sort((a, b) => (a.stop?.shown.at ?? 0) - (b.stop?.shown.at ?? 0))
    .map((situation) => situation.conversation.key);
}

async function resumeAll(
  hands: Hands,
  lock: Lock,
  work: {
    readonly keys: readonly string[];
    readonly second: Survey;
    readonly ends: Map<string, ResumeEnd>;
    readonly notices: string[];
  },
): Promise<Result<null, TickFailure>> {
  let launches = 0;
  for (const [index, key] of work.keys.entries()) {
    if (index > 0) await hands.clock.sleep(hands.context.policy.staggerMs);
    lock.touch(hands.clock.now());
    // The first follows its look at once; each later one is looked at anew: minutes, or a sleep, lie between.
    const found = index === 0 ? ok(work.second) : await look(hands, launches);
    if (!found.ok) return found;
    const situation = found.value.situations.find((one) => one.conversation.key === key);
    const end = situation === undefined ? null : await resumeNow(hands, situation);
    if (end === null) {
      work.notices.push(`${key}: changed between two looks, left alone`);
      continue;
    }
    if (end.kind === 'state-failure') return { ok: false, failure: end.failure };
    if (end.kind === 'dropped')
      work.notices.push(`${situation?.conversation.job.id}: left alone, ${end.why}`);
    else if (end.outcome.result !== 'in_flight') launches += 1;
    work.ends.set(key, end);
  }
  return ok(null);
}

async function resumeNow(hands: Hands, situation: Situation): Promise<ResumeEnd | null> {
  const decision = decide(situation);
  if (decision.action === 'wait' && decision.rule === 'budget') {
    return { kind: 'dropped', why: decision.reason.detail };
  }
  const candidate = decision.action === 'resume' ? candidateOf(situation) : null;
  return candidate === null ? null : resume(hands, candidate);
}

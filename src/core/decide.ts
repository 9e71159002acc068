// One decision for one conversation: the first rule that answers wins, and what could not be read never resumes.
import { cleanLine } from './clean-text.ts';
import { aliveRule, attemptsRule, budgetRule, oldRule, placeRule } from './decide-place.ts';
import { policyRule } from './decide-policy.ts';
import { humanRule, kindRule, stateRule } from './decide-state.ts';
import { causeRule, holdRule, movedOnRule, resetRule, succeededRule } from './decide-stop.ts';
import type { Fact } from './fact.ts';
import type { History } from './ledger.ts';
import type { Policy } from './policy.ts';
import { type Reason, reasonOf, reasonUntil } from './reason.ts';
import type { Conversation, JobState } from './session.ts';
import type { Stop } from './stop.ts';

export type RuleName =
  | 'kind'
  | 'succeeded'
  | 'hold'
  | 'human'
  | 'state'
  | 'cause'
  | 'moved_on'
  | 'reset'
  | 'policy'
  | 'alive'
  | 'old'
  | 'place'
  | 'attempts'
  | 'budget';

export interface Hold {
  /** Epoch ms; null until it is released. */
  readonly until: number | null;
  readonly reason: string;
}

/** What is true of the machine and the home, for every session alike. */
export interface Machine {
  readonly freeDiskBytes: Fact<number>;
  readonly hasLogin: Fact<boolean>;
  /** A terminal client of this home (`attach`, the agents view) runs: null while nobody asked. */
  readonly hasTerminalClient: Fact<boolean> | null;
}

/** Everything that a decision may look at. Facts that are null were not asked for yet. */
export interface Situation {
  readonly conversation: Conversation;
  /** Null where the job is not stopped by anything that could lift. */
  readonly stop: Stop | null;
  readonly history: History;
  readonly hold: Hold | null;
  /** A claim of this conversation that is not settled yet, by phase and age. */
  readonly claim: { readonly message: string } | null;
  readonly policy: Policy;
  readonly machine: Machine;
  /** Instants of the rolling day's launches, oldest first, and the launches of this tick. */
  readonly launchesOfDay: readonly number[];
  readonly launchesOfTick: number;
  readonly now: number;
}

export interface Verdict {
  readonly action: 'wait' | 'skip';
  /** Epoch ms; null when nobody knows, or for a skip. */
  readonly until: number | null;
  readonly reason: Reason;
}

export interface Decision {
  readonly conversation: string;
  readonly jobId: string;
  readonly sessionId: string | null;
  readonly name: string | null;
  readonly cwd: string | null;
  readonly action: 'resume' | 'wait' | 'skip';
  readonly rule: RuleName | null;
  readonly until: number | null;
  readonly reason: Reason;
}

type Rule = (situation: Situation, state: JobState) => Verdict | null;

/** In order. Those up to `policy` need files only; from `alive` on, the client's listing. */
const RULES: ReadonlyArray<readonly [RuleName, Rule, 'files' | 'listing']> = [
  ['kind', kindRule, 'files'],
  ['succeeded', succeededRule, 'files'],
  ['hold', holdRule, 'files'],
  ['human', humanRule, 'files'],
  ['state', stateRule, 'files'],
  ['cause', causeRule, 'files'],
  ['moved_on', movedOnRule, 'files'],
  ['reset', resetRule, 'files'],
  ['policy', policyRule, 'files'],
  ['alive', aliveRule, 'listing'],
  ['old', oldRule, 'listing'],
  ['place', placeRule, 'listing'],
  ['attempts', attemptsRule, 'listing'],
  ['budget', budgetRule, 'listing'],
];

/** The rules in their order. */
export const RULE_NAMES: readonly RuleName[] = RULES.map(([name]) => name);

/** Decides from files alone; null means a candidate: only the listing can tell. */
export function decideFromFiles(situation: Situation): Decision | null {
  return firstAnswer(situation, 'files');
}

/** Decides with all facts. A listing fact that is still null counts as unknown. */
export function decide(situation: Situation): Decision {
  return firstAnswer(situation, 'listing') ?? answer(situation, null, resumption(situation));
}

/** What one rule answered; null: it does not apply. */
export interface RuleAnswer {
  readonly rule: RuleName;
  readonly verdict: Verdict | null;
}

/** The rules in their order, up to and including the first that answers. */
export function traceRules(situation: Situation): readonly RuleAnswer[] {
  return runRules(situation, 'listing');
}

function runRules(situation: Situation, through: 'files' | 'listing'): RuleAnswer[] {
  const { state } = situation.conversation.job;
  if (!state.known) {
    const reason = reasonOf('unknown', state.why);
    return [{ rule: 'kind', verdict: { action: 'skip', until: null, reason } }];
  }
  const answers: RuleAnswer[] = [];
  for (const [rule, run, needs] of RULES) {
    if (needs === 'listing' && through === 'files') break;
    const verdict = run(situation, state.value);
    answers.push({ rule, verdict });
    if (verdict !== null) break;
  }
  return answers;
}

function firstAnswer(situation: Situation, through: 'files' | 'listing'): Decision | null {
  const last = runRules(situation, through).at(-1);
  if (last === undefined || last.verdict === null) return null;
  return answer(situation, last.rule, last.verdict);
}

function resumption({
  stop,
}: Situation): Verdict | { action: 'resume'; until: null; reason: Reason } {
  if (stop === null) {
    return { action: 'skip', until: null, reason: reasonOf('unknown', 'no stop was read') };
  }
  const detail = cleanLine(stop.cause.text, 120);
  const reason =
    stop.cause.kind === 'limit'
      ? reasonUntil('usage_cap', detail, stop.reset?.at ?? null, stop.reset?.source ?? 'none')
      : reasonOf('transient', detail, stop.shown.source);
  return { action: 'resume', until: null, reason };
}

function answer(
  { conversation }: Situation,
  rule: RuleName | null,
  verdict: Verdict | { action: 'resume'; until: null; reason: Reason },
): Decision {
  const { job } = conversation;
  const state = job.state.known ? job.state.value : null;
  return {
    conversation: conversation.key,
    jobId: job.id,
    sessionId: state?.resumeSessionId ?? state?.sessionId ?? null,
    name: state?.name ?? null,
    cwd: state?.cwd ?? null,
    action: verdict.action,
    rule,
    until: verdict.until,
    reason: verdict.reason,
  };
}

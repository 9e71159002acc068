// Puts the tick on the machine's scheduler, or takes it off: wholly or not at all, and nothing twice.
import { failed, ok, type Result } from '../core/result.ts';
import { cron } from './cron.ts';
import { launchd } from './launchd.ts';
import type {
  Installed,
  InstallReport,
  InstallRequest,
  Machine,
  Plan,
  ScheduleFailure,
  Scheduler,
  SchedulerName,
  Step,
  UninstallRequest,
} from './machine.ts';
import { nextRuns } from './schedule.ts';
import { applyPlan, formatSteps } from './steps.ts';
import { systemd } from './systemd.ts';

const SCHEDULERS: readonly Scheduler[] = [launchd, systemd, cron];

/** Installs with one scheduler and removes ours from the others. */
export async function install(
  request: InstallRequest,
  machine: Machine,
): Promise<Result<InstallReport, ScheduleFailure>> {
  const chosen = await chooseScheduler(request.scheduler, machine);
  if (!chosen.ok) return chosen;
  const { name } = chosen.value;
  if (request.useInterval && name !== 'launchd') {
    return failed({ kind: 'usage', message: `an interval is for launchd, not for ${name}` });
  }
  const plan = await chosen.value.planInstall(request, machine);
  if (!plan.ok) return plan;
  const others = await planRemovals(
    SCHEDULERS.filter((one) => one.name !== name),
    request,
    machine,
  );
  const all = joinPlans([plan.value, ...others.plans.map((one) => one.plan)]);
  const removed = others.plans.map((one) => one.name);
  const nextRunAt = nextRunOf(request, machine);
  const report = { scheduler: name, removed, nextRunAt };
  const notes = [...all.notes, ...others.faults.map(({ message }) => `not looked at: ${message}`)];
  if (all.steps.length === 0) {
    const lines = [`unchanged: ${name} runs it at ${scheduleText(request)}`, ...notes];
    return ok({ ...report, isChanged: false, lines });
  }
  if (request.isPrint) {
    const lines = [...formatSteps(all.steps), ...notes];
    return ok({ ...report, removed: [], isChanged: false, lines });
  }
  const done = await applyPlan(all, machine);
  if (!done.ok) return done;
  const lines = [
    `installed with ${name}: ${scheduleText(request)}`,
    ...pathsOf(all.steps),
    ...removed.map((other) => `removed from ${other}`),
    ...notes,
  ];
  return ok({ ...report, isChanged: true, lines });
}

/** Removes what was installed, from one scheduler or from all; what was not there is no fault. */
export async function uninstall(
  request: UninstallRequest,
  machine: Machine,
): Promise<Result<InstallReport, ScheduleFailure>> {
  const chosen = SCHEDULERS.filter(
    ({ name }) => request.scheduler === null || request.scheduler === name,
  );
  const { plans, faults } = await planRemovals(chosen, request, machine);
  const lines: string[] = [];
  const removed: SchedulerName[] = [];
  for (const { name, plan } of plans) {
    if (request.isPrint) {
      lines.push(...formatSteps(plan.steps), ...plan.notes);
      continue;
    }
    const done = await applyPlan(plan, machine);
    if (!done.ok) faults.push(done.failure);
    else {
      removed.push(name);
      lines.push(`removed from ${name}`, ...pathsOf(plan.steps), ...plan.notes);
    }
  }
  const [fault] = faults;
  if (fault !== undefined) {
    return failed({ ...fault, message: [...lines, ...faults.map((f) => f.message)].join('\n') });
  }
  if (lines.length === 0) lines.push('nothing was installed');
  const isChanged = removed.length > 0;
  return ok({ scheduler: null, isChanged, removed, lines, nextRunAt: null });
}

/** What each scheduler has of ours now; one that is not on this machine has nothing. */
export async function readInstalled(
  machine: Machine,
): Promise<Result<Installed, ScheduleFailure>[]> {
  const found: Result<Installed, ScheduleFailure>[] = [];
  for (const scheduler of SCHEDULERS) {
    const installed = await scheduler.readInstalled(machine);
    if (installed.ok) {
      if (installed.value !== null) found.push(ok(installed.value));
    } else if (installed.failure.kind === 'state') found.push(installed);
  }
  return found;
}

async function chooseScheduler(
  wanted: SchedulerName | null,
  machine: Machine,
): Promise<Result<Scheduler, ScheduleFailure>> {
  const fitting: readonly Scheduler[] = machine.platform === 'darwin' ? [launchd] : [systemd, cron];
  const candidates =
    wanted === null ? fitting : SCHEDULERS.filter((scheduler) => scheduler.name === wanted);
  const obstacles: string[] = [];
  for (const scheduler of candidates) {
    const obstacle = await scheduler.findObstacle(machine);
    if (obstacle === null) return ok(scheduler);
    obstacles.push(obstacle);
  }
  const message = `${wanted ?? 'no scheduler'} can${wanted === null ? '' : 'not'} be used: ${obstacles.join('; ')}`;
  return failed({ kind: 'unavailable', message });
}

interface Removals {
  readonly plans: { readonly name: SchedulerName; readonly plan: Plan }[];
  readonly faults: ScheduleFailure[];
}

/** Of those that have something of ours. A scheduler that is not there is passed over, unless it was asked for. */
async function planRemovals(
  schedulers: readonly Scheduler[],
  request: UninstallRequest,
  machine: Machine,
): Promise<Removals> {
  const removals: Removals = { plans: [], faults: [] };
  for (const scheduler of schedulers) {
    const { name } = scheduler;
    const plan = await scheduler.planRemoval(request, machine);
    if (plan.ok) {
      if (plan.value.steps.length > 0) removals.plans.push({ name, plan: plan.value });
    } else if (plan.failure.kind !== 'unavailable' || request.scheduler === name) {
      removals.faults.push(plan.failure);
    }
  }
  return removals;
}

const joinPlans = (plans: readonly Plan[]): Plan => ({
  steps: plans.flatMap(({ steps }) => steps),
  afterUndo: plans.flatMap(({ afterUndo }) => afterUndo),
  notes: plans.flatMap(({ notes }) => notes),
});

function nextRunOf(request: InstallRequest, machine: Machine): number | null {
  const { schedule, useInterval, zone } = request;
  const now = machine.now();
  if (useInterval && schedule.intervalMs !== null) return now + schedule.intervalMs;
  return nextRuns(schedule, now, zone, 1)[0] ?? null;
}

const scheduleText = ({ schedule, useInterval }: InstallRequest): string =>
  useInterval && schedule.intervalMs !== null
    ? `every ${schedule.intervalMs / 1000} s`
    : schedule.expression;

const pathsOf = (steps: readonly Step[]): string[] =>
  steps.flatMap((step) =>
    step.kind === 'write'
      ? [`wrote ${step.path}`]
      : step.kind === 'remove'
        ? [`removed ${step.path}`]
        : [],
  );

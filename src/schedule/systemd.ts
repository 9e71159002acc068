// systemd: a timer and a oneshot service of the user's own manager, by systemctl --user.
import { isAbsolute, join } from 'node:path';
import { failed, ok, type Result } from '../core/result.ts';
import { readStateFile } from '../store/files.ts';
import { toOnCalendar } from './calendar.ts';
import { wordsOf } from './command-words.ts';
import type {
  Command,
  Installed,
  InstallRequest,
  Machine,
  Plan,
  ScheduleFailure,
  Scheduler,
  Step,
} from './machine.ts';
import { renderTemplate } from './template.ts';
import { isThere, readOwnFile } from './unit-file.ts';

const SERVICE = 'secondwind.service';
const TIMER = 'secondwind.timer';

const systemctl = (...args: string[]): Command => ({
  command: 'systemctl',
  args: ['--user', ...args],
});
const RELOAD = systemctl('daemon-reload');
const RESTART = systemctl('restart', TIMER);
const ENABLE = systemctl('enable', '--now', TIMER);
const DISABLE = systemctl('disable', '--now', TIMER);
const runStep = (command: Command, undo: Command | null = null): Step => ({
  kind: 'run',
  ...command,
  undo,
});

export const systemd: Scheduler = {
  name: 'systemd',
  async findObstacle(machine) {
    const answer = await machine.run('systemctl', ['--user', 'is-system-running']);
    if (answer.kind === 'not-started') return `systemctl: ${answer.message}`;
    // Anything but "running" has an exit status other than 0; without a bus it says "offline" or nothing.
    if (/^(?:running|degraded|starting|initializing)$/.test(answer.stdout.trim())) return null;
    const said = answer.stderr.trim() || answer.stdout.trim();
    return `systemctl --user does not answer${said === '' ? '' : ` (${said})`}`;
  },

  async planInstall(request, machine) {
    const units = renderUnits(request);
    if (!units.ok) return units;
    const folder = unitFolder(machine);
    const writes: Step[] = [];
    for (const [name, content] of Object.entries(units.value)) {
      const path = join(folder, name);
      const old = readOwnFile(path, content);
      if (!old.ok) return old;
      if (old.value !== content) writes.push({ kind: 'write', path, content });
    }
    const timer = await readTimer(machine);
    const isWhole = timer.isOn && !timer.needsReload && writes.length === 0;
    const linger = await lingerOf(request, machine);
    return ok({
      steps: [...(isWhole ? [] : [...writes, ...startSteps(timer, machine)]), ...linger.steps],
      afterUndo: isWhole ? [] : [RELOAD, ...(timer.isOn ? [RESTART] : [])],
      notes: linger.notes,
    });
  },

  async planRemoval(_request, machine) {
    const folder = unitFolder(machine);
    const removes: Step[] = [];
    for (const name of [TIMER, SERVICE]) {
      const path = join(folder, name);
      const old = readOwnFile(path, null);
      if (!old.ok) return old;
      if (old.value !== null) removes.push({ kind: 'remove', path });
    }
    if (removes.length === 0) return ok({ steps: [], afterUndo: [], notes: [] });
    // Made by systemd for Persistent=true; nothing else ever takes it away.
    const stamp = join(dataFolder(machine), 'systemd/timers', `stamp-${TIMER}`);
    if (isThere(stamp)) removes.push({ kind: 'remove', path: stamp });
    if ((await systemd.findObstacle(machine)) !== null) return ok(removalByHand(folder, removes));
    const timer = await readTimer(machine);
    return ok({
      steps: [runStep(DISABLE, timer.isOn ? ENABLE : null), ...removes, runStep(RELOAD)],
      afterUndo: [RELOAD, ...(timer.isOn ? [ENABLE] : [])],
      notes: [],
    });
  },

  async readInstalled(machine) {
    const folder = unitFolder(machine);
    const [timer, service] = [TIMER, SERVICE].map((name) => readAny(join(folder, name)));
    if (timer === undefined || service === undefined) return ok(null);
    if (!timer.ok) return timer;
    if (!service.ok) return service;
    if (timer.value === null || service.value === null) return ok(null);
    // As the manager has it, drop-ins counted in; the file only where it does not answer.
    const shown = await show(machine, SERVICE, ['KillMode']);
    const state = await show(machine, TIMER, ['ActiveState']);
    return ok({
      scheduler: 'systemd',
      schedule: valuesOf(timer.value, 'OnCalendar').join('; '),
      isActive: state === null ? null : state['ActiveState'] === 'active',
      command: splitExec(valuesOf(service.value, 'ExecStart')[0] ?? ''),
      killMode: shown?.['KillMode'] ?? valuesOf(service.value, 'KillMode').at(-1) ?? null,
      abandonsProcessGroup: null,
    } satisfies Installed);
  },
};

/** Both units by file name. */
export function renderUnits(
  request: InstallRequest,
): Result<Record<string, string>, ScheduleFailure> {
  const words = wordsOf(request.command);
  if (!words.ok) return words;
  const { templatesFolder } = request;
  const service = renderTemplate(templatesFolder, `systemd-timer/${SERVICE}`, {
    COMMAND: words.value.map((word, place) => quoteForExec(word, place === 0)).join(' '),
  });
  if (!service.ok) return service;
  const timer = renderTemplate(templatesFolder, `systemd-timer/${TIMER}`, {
    ON_CALENDAR: toOnCalendar(request.schedule).join('\nOnCalendar='),
  });
  if (!timer.ok) return timer;
  return ok({ [SERVICE]: service.value, [TIMER]: timer.value });
}

/** One word of `ExecStart=` (systemd.service(5), "Command lines"); in the first one no variable is replaced. */
export function quoteForExec(word: string, isFirst: boolean): string {
  const escaped = word.replaceAll('%', '%%').replace(/[\\"]/g, '\\$&');
  const whole = isFirst ? escaped : escaped.replaceAll('$', '$$$$');
  return /^[\w/.,:=@+%-]+$/.test(whole) ? whole : `"${whole}"`;
}

/** The reverse of `quoteForExec`, for a line of ours. */
export function splitExec(line: string): string[] {
  const words = line.match(/"(?:[^"\\]|\\.)*"|\S+/g) ?? [];
  return words.map((word, place) => {
    const bare = word
      .replace(/^"(.*)"$/, '$1')
      .replace(/\\(.)/g, '$1')
      .replaceAll('%%', '%');
    return place === 0 ? bare : bare.replaceAll('$$', '$');
  });
}

const orDefault = (path: string | undefined, standard: string): string =>
  path !== undefined && isAbsolute(path) ? path : standard;
const unitFolder = ({ env, home }: Machine): string =>
  join(orDefault(env['XDG_CONFIG_HOME'], join(home, '.config')), 'systemd/user');
const dataFolder = ({ env, home }: Machine): string =>
  orDefault(env['XDG_DATA_HOME'], join(home, '.local/share'));

interface TimerState {
  readonly isOn: boolean;
  readonly needsReload: boolean;
}

async function readTimer(machine: Machine): Promise<TimerState> {
  const names = ['ActiveState', 'UnitFileState', 'NeedDaemonReload'];
  const timer = await show(machine, TIMER, names);
  const service = await show(machine, SERVICE, ['NeedDaemonReload']);
  return {
    isOn: timer?.['ActiveState'] === 'active' && timer['UnitFileState'] === 'enabled',
    needsReload: timer?.['NeedDaemonReload'] === 'yes' || service?.['NeedDaemonReload'] === 'yes',
  };
}

/** Properties of a unit as systemctl shows them; null where it does not answer. */
async function show(
  machine: Machine,
  unit: string,
  properties: readonly string[],
): Promise<Record<string, string> | null> {
  const args = ['--user', 'show', unit, `--property=${properties.join(',')}`];
  const answer = await machine.run('systemctl', args);
  if (answer.kind === 'not-started' || answer.exitCode !== 0) return null;
  const pairs = answer.stdout.split('\n').map((line) => /^(\w+)=(.*)$/.exec(line));
  return Object.fromEntries(pairs.flatMap((pair) => (pair ? [[pair[1], pair[2]]] : [])));
}

/** A timer that runs already is restarted, since `enable --now` leaves it as it is. */
const startSteps = ({ isOn }: TimerState, machine: Machine): Step[] => [
  runStep(RELOAD),
  isOn ? runStep(RESTART) : runStep(ENABLE, DISABLE),
  {
    kind: 'check',
    what: 'the timer is active and the service has KillMode=process',
    async fault() {
      const timer = await readTimer(machine);
      if (!timer.isOn) return `${TIMER} did not become active`;
      const mode = (await show(machine, SERVICE, ['KillMode']))?.['KillMode'];
      if (mode === 'process') return null;
      return `KillMode is ${mode ?? 'unknown'}, not process: is there a drop-in for ${SERVICE}?`;
    },
  },
];

/** Last of all, so that nothing ever has to turn it off again: others may count on it by then. */
async function lingerOf(
  { isLinger }: InstallRequest,
  machine: Machine,
): Promise<{ steps: Step[]; notes: string[] }> {
  const args = ['show-user', machine.user, '--property=Linger'];
  const answer = await machine.run('loginctl', args);
  if (answer.kind === 'ended' && answer.stdout.trim() === 'Linger=yes')
    return { steps: [], notes: [] };
  const enable = { command: 'loginctl', args: ['enable-linger', machine.user] };
  if (isLinger) return { steps: [runStep(enable)], notes: [] };
  if (answer.kind !== 'ended' || answer.exitCode !== 0) return { steps: [], notes: [] };
  return { steps: [], notes: ['it ticks while you are logged in; with --linger always'] };
}

function removalByHand(folder: string, removes: readonly Step[]): Plan {
  const link = join(folder, 'timers.target.wants', TIMER);
  return {
    steps: [...(isThere(link) ? [{ kind: 'remove', path: link } as const] : []), ...removes],
    afterUndo: [],
    notes: ['systemctl --user does not answer: a timer that still runs ends with your login'],
  };
}

/** Of anybody's: `readInstalled` tells what is there, whoever wrote it. */
function readAny(path: string): Result<string | null, ScheduleFailure> {
  const read = readStateFile(path);
  return read.ok ? read : failed({ kind: 'state', message: read.failure.message });
}

const valuesOf = (unit: string, key: string): string[] =>
  [...unit.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map((match) => match[1] ?? '');

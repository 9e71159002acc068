// launchd: an agent in the user's own ~/Library/LaunchAgents, by launchctl.
import { join } from 'node:path';
import { failed, ok, type Result } from '../core/result.ts';
import { readStateFile } from '../store/files.ts';
import { type CalendarInterval, toCalendarIntervals } from './calendar.ts';
import { isPlainPath, wordsOf } from './command-words.ts';
import type {
  Command,
  InstallRequest,
  Machine,
  ScheduleFailure,
  Scheduler,
  Step,
} from './machine.ts';
import { renderTemplate } from './template.ts';
import { readOwnFile } from './unit-file.ts';

const LABEL = 'dev.secondwind.tick';

const plistPath = ({ home }: Machine): string =>
  join(home, 'Library/LaunchAgents', `${LABEL}.plist`);
const launchctl = (...args: string[]): Command => ({ command: 'launchctl', args });
const domain = ({ uid }: Machine): string => `gui/${uid}`;
const target = (machine: Machine): string => `${domain(machine)}/${LABEL}`;
const bootstrap = (machine: Machine): Command =>
  launchctl('bootstrap', domain(machine), plistPath(machine));
const bootout = (machine: Machine): Command => launchctl('bootout', target(machine));

export const launchd: Scheduler = {
  name: 'launchd',
  async findObstacle(machine) {
    if (machine.platform !== 'darwin') return 'launchd is on macOS only';
    const answer = await machine.run('launchctl', ['version']);
    return answer.kind === 'ended' ? null : `launchctl: ${answer.message}`;
  },

  async planInstall(request, machine) {
    const content = renderPlist(request);
    if (!content.ok) return content;
    const path = plistPath(machine);
    const old = readOwnFile(path, content.value);
    if (!old.ok) return old;
    const loaded = await isLoaded(machine);
    if (old.value === content.value && loaded) return ok({ steps: [], afterUndo: [], notes: [] });
    return ok({
      steps: [
        // launchd makes tick.log, not its folder.
        { kind: 'folder', path: request.stateFolder },
        ...(old.value === content.value
          ? []
          : [{ kind: 'write', path, content: content.value } as const]),
        ...(loaded ? bootoutSteps(machine) : []),
        { kind: 'run', ...bootstrap(machine), undo: bootout(machine) },
        checkStep(machine, true),
      ],
      afterUndo: loaded ? [bootstrap(machine)] : [],
      notes: [],
    });
  },

  async planRemoval(_request, machine) {
    if (machine.platform !== 'darwin') return ok({ steps: [], afterUndo: [], notes: [] });
    const path = plistPath(machine);
    const old = readOwnFile(path, null);
    if (!old.ok) return old;
    const loaded = await isLoaded(machine);
    return ok({
      steps: [
        ...(loaded ? bootoutSteps(machine) : []),
        ...(old.value === null ? [] : [{ kind: 'remove', path } as const]),
      ],
      afterUndo: loaded && old.value !== null ? [bootstrap(machine)] : [],
      notes: [],
    });
  },

  async readInstalled(machine) {
    const read = readStateFile(plistPath(machine));
    if (!read.ok) return failed({ kind: 'state', message: read.failure.message });
    if (read.value === null) return ok(null);
    const plist = read.value;
    const words = /<key>ProgramArguments<\/key>\s*<array>([\s\S]*?)<\/array>/.exec(plist)?.[1];
    return ok({
      scheduler: 'launchd',
      schedule: scheduleIn(plist),
      isActive: machine.platform === 'darwin' ? await isLoaded(machine) : null,
      command: [...(words ?? '').matchAll(/<string>([\s\S]*?)<\/string>/g)].map((match) =>
        fromXml(match[1] ?? ''),
      ),
      killMode: null,
      abandonsProcessGroup: /<key>AbandonProcessGroup<\/key>\s*<true\s*\/>/.test(plist),
    });
  },
};

export function renderPlist(request: InstallRequest): Result<string, ScheduleFailure> {
  const words = wordsOf(request.command);
  if (!words.ok) return words;
  const when = renderWhen(request);
  if (!when.ok) return when;
  const { stateFolder } = request;
  if (!isPlainPath(stateFolder)) {
    return failed({ kind: 'usage', message: `${stateFolder} is no plain absolute path` });
  }
  return renderTemplate(request.templatesFolder, `launchd/${LABEL}.plist`, {
    ARGUMENTS: words.value.map((word) => `<string>${toXml(word)}</string>`).join('\n    '),
    WHEN: when.value,
    LOG: toXml(join(stateFolder, 'tick.log')),
  });
}

function renderWhen(request: InstallRequest): Result<string, ScheduleFailure> {
  const { schedule, useInterval } = request;
  if (useInterval) {
    if (schedule.intervalMs !== null) {
      const seconds = schedule.intervalMs / 1000;
      return ok(`<key>StartInterval</key>\n  <integer>${seconds}</integer>`);
    }
    const message = 'an interval for launchd needs --every, not a cron expression';
    return failed({ kind: 'usage', message });
  }
  const intervals = toCalendarIntervals(schedule);
  if (!intervals.ok) return intervals;
  const entries = intervals.value.map((interval) => `    ${renderInterval(interval)}`).join('\n');
  return ok(`<key>StartCalendarInterval</key>\n  <array>\n${entries}\n  </array>`);
}

const renderInterval = (interval: CalendarInterval): string =>
  `<dict>${Object.entries(interval)
    .map(([key, number]) => `<key>${key}</key><integer>${number}</integer>`)
    .join('')}</dict>`;

const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };

export const toXml = (text: string): string =>
  text.replace(/[&<>"']/g, (sign) => ENTITIES[sign as keyof typeof ENTITIES]);

export const fromXml = (text: string): string =>
  Object.entries(ENTITIES).reduceRight((rest, [sign, code]) => rest.replaceAll(code, sign), text);

async function isLoaded(machine: Machine): Promise<boolean> {
  const answer = await machine.run('launchctl', ['print', target(machine)]);
  return answer.kind === 'ended' && answer.exitCode === 0;
}

/** bootout only starts the ending: a bootstrap right behind it fails with "Operation already in progress". */
const bootoutSteps = (machine: Machine): Step[] => [
  { kind: 'run', ...bootout(machine), undo: null },
  checkStep(machine, false),
];

const checkStep = (machine: Machine, wanted: boolean): Step => ({
  kind: 'check',
  what: `${target(machine)} is ${wanted ? 'loaded' : 'gone'}`,
  async fault() {
    if ((await isLoaded(machine)) === wanted) return null;
    return `launchctl ${wanted ? 'does not list' : 'still lists'} ${target(machine)}`;
  },
});

function scheduleIn(plist: string): string {
  const seconds = /<key>StartInterval<\/key>\s*<integer>(\d+)/.exec(plist)?.[1];
  if (seconds !== undefined) return `StartInterval ${seconds}`;
  const calendar = /<key>StartCalendarInterval<\/key>([\s\S]*?)<\/array>/.exec(plist)?.[1] ?? '';
  const entries = [...calendar.matchAll(/<dict>([\s\S]*?)<\/dict>/g)].map(([, keys = '']) =>
    [...keys.matchAll(/<key>(\w+)<\/key>\s*<integer>(\d+)/g)]
      .map(([, key, number]) => `${key}=${number}`)
      .join(' '),
  );
  return `StartCalendarInterval ${entries.join('; ')}`;
}

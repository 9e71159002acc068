// A machine whose crontab, systemctl, loginctl and launchctl answer as the real ones do, over a home folder of its own.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type {
  CommandAnswer,
  InstallRequest,
  Machine,
  UninstallRequest,
} from '../../src/schedule/machine.ts';
import { everySchedule, parseSchedule, type Schedule } from '../../src/schedule/schedule.ts';
import { makeFolder } from '../folder.ts';

export const NOW = Date.parse('2026-03-04T10:00:00Z');
const TEMPLATES = fileURLToPath(new URL('../..', import.meta.url));

export interface FakeMachine extends Machine {
  crontab: string | null;
  readonly commands: string[];
  readonly timer: { isActive: boolean; isEnabled: boolean };
  isLoaded: boolean;
  isLingering: boolean;
  killMode: string;
  /** The command lines that match fail. */
  failing: RegExp | null;
  /** What `crontab -l` says where there is none. */
  emptyWords: string;
}

type Options = Partial<Pick<Machine, 'platform' | 'env'>> & {
  readonly has?: readonly ('cron' | 'systemd')[];
  readonly crontab?: string | null;
};

const ended = (exitCode: number, stdout = '', stderr = ''): CommandAnswer => ({
  kind: 'ended',
  exitCode,
  stdout,
  stderr,
});

export function fakeMachine(options: Options = {}): FakeMachine {
  const folder = makeFolder();
  onTestFinished(folder.remove);
  const home = folder.path;
  const has = options.has ?? ['cron', 'systemd'];
  const units = join(home, '.config/systemd/user');
  const machine: FakeMachine = {
    platform: options.platform ?? 'linux',
    uid: 501,
    user: 'ann',
    host: 'box',
    env: options.env ?? {},
    home,
    now: () => NOW,
    wait: async () => {},
    crontab: options.crontab ?? null,
    commands: [],
    timer: { isActive: false, isEnabled: false },
    isLoaded: false,
    isLingering: false,
    killMode: 'process',
    failing: null,
    emptyWords: 'no crontab for ann\n',
    async run(command, args, { stdin = '' } = {}) {
      const line = [command, ...args].join(' ');
      machine.commands.push(line);
      if (machine.failing?.test(line) === true) return ended(1, '', 'it broke');
      if (command === 'crontab' && has.includes('cron')) return crontab(args, stdin);
      if (command === 'systemctl' && has.includes('systemd')) return systemctl(args.slice(1));
      if (command === 'loginctl' && has.includes('systemd')) return loginctl(args);
      if (command === 'launchctl' && machine.platform === 'darwin') return launchctl(args);
      return { kind: 'not-started', message: 'ENOENT' };
    },
  };
  const crontab = ([verb]: readonly string[], stdin: string): CommandAnswer => {
    if (verb === '-l') {
      return machine.crontab === null
        ? ended(1, '', machine.emptyWords)
        : ended(0, machine.crontab);
    }
    if (verb === '-' && !stdin.endsWith('\n')) {
      return ended(1, '', "new crontab file is missing newline before EOF, can't install.");
    }
    if (verb === '-r' && machine.crontab === null) return ended(1, '', machine.emptyWords);
    machine.crontab = verb === '-r' ? null : stdin;
    return ended(0);
  };
  const systemctl = ([verb, ...rest]: readonly string[]): CommandAnswer => {
    const isThere = existsSync(join(units, 'secondwind.timer'));
    const wants = join(units, 'timers.target.wants');
    const link = join(wants, 'secondwind.timer');
    if (verb === 'is-system-running') return ended(1, 'degraded\n');
    if (verb === 'show' && rest[0] === 'secondwind.timer') {
      const { isActive, isEnabled } = machine.timer;
      return ended(
        0,
        `ActiveState=${isActive ? 'active' : 'inactive'}\nUnitFileState=${isEnabled ? 'enabled' : ''}\nNeedDaemonReload=no\n`,
      );
    }
    if (verb === 'show') return ended(0, `KillMode=${machine.killMode}\nNeedDaemonReload=no\n`);
    if (verb === 'enable' && !isThere) return ended(1, '', 'Unit file does not exist.');
    if (verb === 'enable') {
      machine.timer.isActive = machine.timer.isEnabled = true;
      mkdirSync(wants, { recursive: true });
      if (!existsSync(link)) symlinkSync('../secondwind.timer', link);
    }
    if (verb === 'disable') {
      machine.timer.isActive = machine.timer.isEnabled = false;
      // As systemd does: the folder goes with its last link.
      rmSync(wants, { recursive: true, force: true });
    }
    return ended(0);
  };
  const loginctl = ([verb]: readonly string[]): CommandAnswer => {
    if (verb === 'enable-linger') machine.isLingering = true;
    return ended(0, `Linger=${machine.isLingering ? 'yes' : 'no'}\n`);
  };
  const launchctl = ([verb]: readonly string[]): CommandAnswer => {
    if (verb === 'print') {
      return machine.isLoaded ? ended(0, 'state = waiting') : ended(113, '', 'Could not find it');
    }
    if (verb === 'bootout' && !machine.isLoaded) return ended(3, '', 'No such process');
    if (verb === 'bootstrap' && machine.isLoaded) return ended(5, '', 'Input/output error');
    if (verb === 'bootout' || verb === 'bootstrap') machine.isLoaded = verb === 'bootstrap';
    return ended(0);
  };
  return machine;
}

export function schedule(text: string): Schedule {
  const parsed = parseSchedule(text);
  if (!parsed.ok) throw new Error(parsed.failure.message);
  return parsed.value;
}

export function every(minutes: number): Schedule {
  const made = everySchedule(minutes * 60_000, 'ann@box');
  if (!made.ok) throw new Error(made.failure.message);
  return made.value;
}

export const uninstallRequest = (
  machine: Machine,
  changes: Partial<UninstallRequest> = {},
): UninstallRequest => ({
  scheduler: null,
  isPrint: false,
  stateFolder: join(machine.home, '.claude/secondwind'),
  ...changes,
});

export const installRequest = (
  machine: Machine,
  changes: Partial<InstallRequest> = {},
): InstallRequest => ({
  ...uninstallRequest(machine),
  schedule: schedule('7,22,37,52 * * * *'),
  zone: 'UTC',
  command: {
    node: '/usr/bin/node',
    program: '/opt/secondwind/bin/secondwind.js',
    claudeHomes: [],
  },
  isLinger: false,
  useInterval: false,
  templatesFolder: TEMPLATES,
  ...changes,
});

/** Every file and folder below a folder, with what is in it. */
export function contentOf(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  return Object.fromEntries(
    names.map((name) => {
      const path = join(folder, name);
      return [name, statSync(path).isDirectory() ? 'folder' : readFileSync(path, 'latin1')];
    }),
  );
}

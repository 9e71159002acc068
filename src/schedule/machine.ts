// What installing needs of the machine, and what it is asked to install; tests put a machine of their own in its place.
import type { Result } from '../core/result.ts';
import type { Schedule } from './schedule.ts';

export type SchedulerName = 'cron' | 'systemd' | 'launchd';

/** `usage`: what was asked for cannot be; `unavailable`: the scheduler; `state`: a file or crontab (exit 2, 69, 74). */
export interface ScheduleFailure {
  readonly kind: 'usage' | 'unavailable' | 'state';
  readonly message: string;
}

export interface CommandOptions {
  readonly stdin?: string;
  readonly timeoutMs?: number;
  /** Of stdin and output; `latin1` keeps every byte as one character. */
  readonly encoding?: 'utf8' | 'latin1';
}

export type CommandAnswer =
  | { readonly kind: 'not-started'; readonly message: string }
  | {
      readonly kind: 'ended';
      /** Null when a signal or the time-out ended it. */
      readonly exitCode: number | null;
      readonly stdout: string;
      readonly stderr: string;
    };

export type RunCommand = (
  command: string,
  args: readonly string[],
  options?: CommandOptions,
) => Promise<CommandAnswer>;

export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly uid: number;
  readonly user: string;
  readonly host: string;
  readonly env: NodeJS.ProcessEnv;
  /** The account's home folder. */
  readonly home: string;
  readonly run: RunCommand;
  /** Epoch ms. */
  readonly now: () => number;
  readonly wait: (durationMs: number) => Promise<void>;
}

/** What the scheduler shall run. */
export interface TickCommand {
  /** Absolute paths of node and of the program. */
  readonly node: string;
  readonly program: string;
  /** Absolute; none where it is the default one. */
  readonly claudeHomes: readonly string[];
}

export interface UninstallRequest {
  /** Null: whichever fits; for uninstalling, all of them. */
  readonly scheduler: SchedulerName | null;
  /** Say what would be done, do nothing. */
  readonly isPrint: boolean;
  /** Where `tick.log` and the backup of the crontab are. */
  readonly stateFolder: string;
}

export interface InstallRequest extends UninstallRequest {
  readonly schedule: Schedule;
  /** IANA zone of the machine's clock. */
  readonly zone: string;
  readonly command: TickCommand;
  /** systemd: tick while nobody is logged in, too. */
  readonly isLinger: boolean;
  /** launchd: `StartInterval` in place of the calendar; the schedule must be an interval. */
  readonly useInterval: boolean;
  /** The folder that `cron/`, `systemd-timer/` and `launchd/` are in. */
  readonly templatesFolder: string;
}

export interface InstallReport {
  /** Null: nothing was installed, as after uninstalling. */
  readonly scheduler: SchedulerName | null;
  readonly isChanged: boolean;
  /** The schedulers that ours was taken from. */
  readonly removed: readonly SchedulerName[];
  readonly lines: readonly string[];
  /** Epoch ms; null where there is no next run. */
  readonly nextRunAt: number | null;
}

/** What is installed now, as far as the scheduler or its files say; null: not known. */
export interface Installed {
  readonly scheduler: SchedulerName;
  /** In the scheduler's own words. */
  readonly schedule: string;
  readonly isActive: boolean | null;
  /** What is run, word by word. */
  readonly command: readonly string[];
  readonly killMode: string | null;
  readonly abandonsProcessGroup: boolean | null;
}

/** One scheduler. The plans look first and hold only what has to change. */
export interface Scheduler {
  readonly name: SchedulerName;
  /** Null: it can be used; else why not. */
  readonly findObstacle: (machine: Machine) => Promise<string | null>;
  readonly planInstall: (
    request: InstallRequest,
    machine: Machine,
  ) => Promise<Result<Plan, ScheduleFailure>>;
  readonly planRemoval: (
    request: UninstallRequest,
    machine: Machine,
  ) => Promise<Result<Plan, ScheduleFailure>>;
  readonly readInstalled: (machine: Machine) => Promise<Result<Installed | null, ScheduleFailure>>;
}

export interface Command {
  readonly command: string;
  readonly args: readonly string[];
  readonly stdin?: string;
  readonly encoding?: 'utf8' | 'latin1';
  /** Tried where this one fails. */
  readonly orElse?: Command;
}

export type Step =
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 'write'; readonly path: string; readonly content: string | Buffer }
  | { readonly kind: 'remove'; readonly path: string }
  /** Its undo runs when it failed, too: half of it may have been done. */
  | ({ readonly kind: 'run'; readonly undo: Command | null } & Command)
  /** Looks until it gives null, ten seconds at most; what it gives otherwise is the fault. */
  | { readonly kind: 'check'; readonly what: string; readonly fault: () => Promise<string | null> };

export interface Plan {
  readonly steps: readonly Step[];
  /** Run after everything is undone, so that the scheduler reads the old files again. */
  readonly afterUndo: readonly Command[];
  /** What a user should know besides. */
  readonly notes: readonly string[];
}

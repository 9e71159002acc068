// cron: one marked line in the user's own crontab, by crontab(1), for cron, cronie and busybox alike.
import { join } from 'node:path';
import { failed, ok, type Result } from '../core/result.ts';
import { readStateFile } from '../store/files.ts';
import { isPlainPath, wordsOf } from './command-words.ts';
import { findBlock, putBlock, quoteForCron, removeBlock, splitCronCommand } from './crontab.ts';
import type {
  Command,
  Installed,
  InstallRequest,
  Machine,
  ScheduleFailure,
  Scheduler,
  Step,
  UninstallRequest,
} from './machine.ts';
import { renderTemplate } from './template.ts';

// Bytes as characters: a crontab is in whatever encoding its owner likes.
const BYTES = { encoding: 'latin1' } as const;
const toBytes = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');
const fromBytes = (text: string): string => Buffer.from(text, 'latin1').toString('utf8');

const backupPath = (stateFolder: string): string => join(stateFolder, 'crontab.backup');

export const cron: Scheduler = {
  name: 'cron',
  async findObstacle(machine) {
    const crontab = await readCrontab(machine);
    return crontab.ok ? null : crontab.failure.message;
  },
  async planInstall(request, machine) {
    const lines = renderCronLines(request);
    if (!lines.ok) return lines;
    const old = await readCrontab(machine);
    if (!old.ok) return old;
    const put = putBlock(old.value ?? '', lines.value.map(toBytes));
    if (!put.ok) return failed({ kind: 'state', message: put.failure });
    if (put.value === old.value) return ok({ steps: [], afterUndo: [], notes: [] });
    return ok({
      steps: [
        { kind: 'folder', path: request.stateFolder },
        ...backupSteps(old.value, request),
        { kind: 'run', ...writeCommand(put.value), undo: restoreCommand(old.value) },
        readBackStep(machine, put.value),
      ],
      afterUndo: [],
      notes: [],
    });
  },
  async planRemoval(request, machine) {
    const old = await readCrontab(machine);
    if (!old.ok) return old;
    const rest = removeBlock(old.value ?? '');
    if (!rest.ok) return failed({ kind: 'state', message: rest.failure });
    if (rest.value === (old.value ?? '')) return ok({ steps: [], afterUndo: [], notes: [] });
    const backup = backupPath(request.stateFolder);
    const hasBackup = readStateFile(backup);
    return ok({
      steps: [
        { kind: 'run', ...restoreCommand(rest.value), undo: restoreCommand(old.value) },
        readBackStep(machine, rest.value),
        ...(hasBackup.ok && hasBackup.value !== null
          ? [{ kind: 'remove', path: backup } as const]
          : []),
      ],
      afterUndo: [],
      notes: [],
    });
  },
  async readInstalled(machine) {
    const crontab = await readCrontab(machine);
    if (!crontab.ok) return crontab;
    const block = findBlock(crontab.value ?? '');
    if (!block.ok) return failed({ kind: 'state', message: block.failure });
    const line = block.value?.lines.find((one) => !one.startsWith('#'));
    return ok(line === undefined ? null : installedBy(fromBytes(line)));
  },
};

/** The lines between the markers, of the template. */
export function renderCronLines(request: InstallRequest): Result<string[], ScheduleFailure> {
  const words = wordsOf(request.command);
  if (!words.ok) return words;
  if (!isPlainPath(request.stateFolder)) {
    return failed({ kind: 'usage', message: `${request.stateFolder} is no plain absolute path` });
  }
  const text = renderTemplate(request.templatesFolder, 'cron/secondwind.cron', {
    SCHEDULE: request.schedule.expression,
    COMMAND: words.value.map(quoteForCron).join(' '),
    LOG: quoteForCron(join(request.stateFolder, 'tick.log')),
  });
  if (!text.ok) return text;
  const block = findBlock(text.value);
  if (block.ok && block.value !== null) return ok([...block.value.lines]);
  return failed({ kind: 'state', message: 'cron/secondwind.cron has lost its markers' });
}

/** The user's crontab, a character for each byte; null: there is none. */
export async function readCrontab(
  machine: Machine,
): Promise<Result<string | null, ScheduleFailure>> {
  const answer = await machine.run('crontab', ['-l'], BYTES);
  if (answer.kind === 'not-started') {
    return failed({ kind: 'unavailable', message: `crontab: ${answer.message}` });
  }
  if (answer.exitCode === 0) return ok(answer.stdout);
  const said = answer.stderr.trim();
  if (answer.exitCode !== null && answer.stdout === '' && saysEmpty(said)) return ok(null);
  const message = `crontab -l: ${said === '' ? `exit status ${answer.exitCode}` : fromBytes(said)}`;
  // Who may not have a crontab has no line of ours in it; anything else may hide one.
  const kind = /not allowed to use/i.test(said) ? 'unavailable' : 'state';
  return failed({ kind, message });
}

/** cron and cronie: "no crontab for USER"; busybox: "crontab: can't open 'USER': No such file or directory". */
const saysEmpty = (said: string): boolean =>
  /^(?:crontab: )?no crontab for \S+$/im.test(said) ||
  /^crontab: can't open '[^'/]+': No such file or directory$/im.test(said);

const writeCommand = (text: string): Command => {
  const write = { command: 'crontab', args: ['-'], stdin: text, ...BYTES };
  // Debian's crontab refuses one that ends inside a line, though it may have been so before.
  return text.endsWith('\n') ? write : { ...write, orElse: { ...write, stdin: `${text}\n` } };
};

/** An empty crontab is removed: none and an empty one are the same to cron. */
const restoreCommand = (text: string | null): Command =>
  text === null || text === '' ? { command: 'crontab', args: ['-r'] } : writeCommand(text);

/** The crontab as it was before our line first came; a later install keeps that one. */
function backupSteps(old: string | null, { stateFolder }: UninstallRequest): Step[] {
  if (old === null || old.toLowerCase().includes('begin secondwind')) return [];
  return [{ kind: 'write', path: backupPath(stateFolder), content: Buffer.from(old, 'latin1') }];
}

const readBackStep = (machine: Machine, expected: string): Step => ({
  kind: 'check',
  what: 'crontab -l gives what was written',
  async fault() {
    const now = await readCrontab(machine);
    if (!now.ok) return now.failure.message;
    return [expected, `${expected}\n`].includes(now.value ?? '')
      ? null
      : 'crontab -l does not give what was written';
  },
});

function installedBy(line: string): Installed {
  const [, schedule = '', command = ''] = /^((?:\S+\s+){5})(.*)$/.exec(line) ?? [];
  return {
    scheduler: 'cron',
    schedule: schedule.trim(),
    isActive: null,
    command: splitCronCommand(command),
    killMode: null,
    abandonsProcessGroup: null,
  };
}

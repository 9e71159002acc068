// Does the steps of a plan in order; when one fails, undoes it and those before it, last first.
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { failed, ok, type Result, unreachable } from '../core/result.ts';
import { makePrivateFolder, replaceFile } from '../store/files.ts';
import { quoteForShell } from './crontab.ts';
import type { Command, Machine, Plan, ScheduleFailure, Step } from './machine.ts';

type Undo = () => Promise<unknown> | unknown;

const CHECK_WAIT_MS = 200;
const CHECKS = 50;

/** All of the plan, or nothing of it. */
export async function applyPlan(
  { steps, afterUndo }: Plan,
  machine: Machine,
): Promise<Result<null, ScheduleFailure>> {
  const undos: Undo[] = [];
  for (const step of steps) {
    const done = await applyStep(step, machine, undos);
    if (done.ok) continue;
    const faults: string[] = [];
    const last = afterUndo.map(
      (command): Undo =>
        () =>
          run(command, machine),
    );
    for (const undo of [...undos.reverse(), ...last]) {
      const fault = await faultOf(undo);
      if (fault !== null) faults.push(fault);
    }
    const end =
      faults.length === 0 ? 'nothing was changed' : `undoing it failed: ${faults.join('; ')}`;
    return failed({ ...done.failure, message: `${done.failure.message} (${end})` });
  }
  return ok(null);
}

async function faultOf(undo: Undo): Promise<string | null> {
  try {
    const answer = await undo();
    return typeof answer === 'string' ? answer : null;
  } catch (error) {
    return (error as Error).message;
  }
}

async function applyStep(
  step: Step,
  machine: Machine,
  undos: Undo[],
): Promise<Result<null, ScheduleFailure>> {
  switch (step.kind) {
    case 'folder':
      for (const path of missingFrom(step.path)) undos.push(() => removeEmpty(path));
      return asState(makePrivateFolder(step.path));
    case 'write':
      return touch(step.path, undos, () => {
        makeParents(dirname(step.path), undos);
        return asState(replaceFile(step.path, step.content));
      });
    case 'remove':
      return touch(step.path, undos, () => {
        unlinkSync(step.path);
        return ok(null);
      });
    case 'run': {
      const { undo } = step;
      const fault = await run(step, machine);
      if (undo !== null) undos.push(() => undoRun(undo, fault === null, machine));
      return fault === null ? ok(null) : failed({ kind: 'unavailable', message: fault });
    }
    case 'check': {
      const fault = await faultAfterWait(step.fault, machine);
      return fault === null ? ok(null) : failed({ kind: 'unavailable', message: fault });
    }
    default:
      return unreachable(step);
  }
}

/** What failed may have left nothing to undo: then that the undo fails means nothing. */
async function undoRun(undo: Command, wasDone: boolean, machine: Machine): Promise<string | null> {
  const fault = await run(undo, machine);
  return wasDone ? fault : null;
}

async function faultAfterWait(
  look: () => Promise<string | null>,
  machine: Machine,
): Promise<string | null> {
  let fault = await look();
  for (let count = 1; count < CHECKS && fault !== null; count += 1) {
    await machine.wait(CHECK_WAIT_MS);
    fault = await look();
  }
  return fault;
}

const asState = (
  done: Result<unknown, { readonly message: string }>,
): Result<null, ScheduleFailure> =>
  done.ok ? ok(null) : failed({ kind: 'state', message: done.failure.message });

function touch(
  path: string,
  undos: Undo[],
  change: () => Result<null, ScheduleFailure>,
): Result<null, ScheduleFailure> {
  try {
    undos.push(restorerOf(path));
    return change();
  } catch (error) {
    return failed({ kind: 'state', message: `${path}: ${(error as Error).message}` });
  }
}

/** Puts back what is at a path now: a file, a link, or nothing. */
function restorerOf(path: string): Undo {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return () => rmSync(path, { force: true });
  if (found.isSymbolicLink()) {
    const target = readlinkSync(path);
    return () => {
      rmSync(path, { force: true });
      symlinkSync(target, path);
    };
  }
  const content = readFileSync(path);
  return () => {
    const back = replaceFile(path, content);
    return back.ok ? null : back.failure.message;
  };
}

/** Not private ones: `~/.config` and `~/Library` are the user's, with modes of their own. */
function makeParents(folder: string, undos: Undo[]): void {
  for (const path of missingFrom(folder)) {
    mkdirSync(path);
    // Before the file's own undo, so that it runs after it.
    undos.splice(-1, 0, () => removeEmpty(path));
  }
}

/** The folders of a path that are not there yet, outermost first. */
const missingFrom = (path: string): string[] =>
  existsSync(path) ? [] : [...missingFrom(dirname(path)), path];

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Somebody has put something there meanwhile.
  }
}

/** Null when it, or what stands in for it, did; else what it said. */
async function run(step: Command, machine: Machine): Promise<string | null> {
  const { command, args, stdin, encoding, orElse } = step;
  const options = {
    ...(stdin === undefined ? {} : { stdin }),
    ...(encoding === undefined ? {} : { encoding }),
  };
  const answer = await machine.run(command, args, options);
  const line = [command, ...args].join(' ');
  if (answer.kind === 'not-started') return `${line}: ${answer.message}`;
  if (answer.exitCode === 0) return null;
  if (orElse !== undefined) return run(orElse, machine);
  const said = (answer.stderr.trim() || answer.stdout.trim()).split('\n').slice(0, 3).join('; ');
  const how = answer.exitCode === null ? 'did not end in time' : `exit status ${answer.exitCode}`;
  return `${line}: ${said === '' ? how : said}`;
}

/** Each file and command of a plan as text, for `--print`. */
export function formatSteps(steps: readonly Step[]): string[] {
  return steps.flatMap((step): string[] => {
    switch (step.kind) {
      case 'folder':
        return existsSync(step.path) ? [] : [`make the folder ${step.path}`];
      case 'write':
        return [`write ${step.path}`, ...indented(step.content)];
      case 'remove':
        return [`remove ${step.path}`];
      case 'run': {
        const line = `run ${[step.command, ...step.args].map(quoteForShell).join(' ')}`;
        return step.stdin === undefined
          ? [line]
          : [`${line}  with`, ...indented(Buffer.from(step.stdin, step.encoding ?? 'utf8'))];
      }
      case 'check':
        return [`check that ${step.what}`];
      default:
        return unreachable(step);
    }
  });
}

const indented = (content: string | Buffer): string[] =>
  content
    .toString()
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => `    ${line}`);

// The program: reads the command line, runs one command, returns an exit status. The only place that catches.
import { cleanLine } from '../core/clean-text.ts';
import { EXIT } from './exit-status.ts';
import { type Output, outputOn } from './output.ts';
import { readPlainTick } from './plain-line.ts';
import { runTick } from './tick-command.ts';

/** What the program needs of its process; a test gives its own. */
export interface ProgramIo {
  /** node, script, words … */
  readonly argv: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly stdout: Output;
  readonly stderr: Output;
}

/** A command: its flags by their keys, what it may print to → its exit status. */
export type TickCommand = (flags: Record<string, unknown>, io: ProgramIo) => Promise<number>;

/** Runs the command of this process and sets its exit status; never rejects. */
export async function start(): Promise<void> {
  const stdout = outputOn(1, () => process.stdout);
  const stderr = outputOn(2, () => process.stderr);
  process.exitCode = await main({ argv: process.argv, env: process.env, stdout, stderr });
}

/** Runs the command of `io.argv` and resolves with its exit status; never rejects. */
export async function main(io: ProgramIo): Promise<number> {
  const status = await runLine(io);
  // A stream says at the next turn that it takes no more.
  await new Promise((done) => setImmediate(done));
  const fault = io.stdout.fault();
  if (fault === null) return status;
  io.stderr.write(`secondwind: the output cannot be written (${fault})\n`);
  return EXIT.failed;
}

async function runLine(io: ProgramIo): Promise<number> {
  try {
    const flags = readPlainTick(io.argv.slice(2));
    if (flags !== null) return await runTick(flags, io);
    const { runProgram } = await import('./program.ts');
    return await runProgram(io, runTick);
  } catch (error) {
    io.stderr.write(`secondwind: internal error: ${cleanLine((error as Error).message)}\n`);
    if (io.env['SECONDWIND_DEBUG'] === '1') io.stderr.write(`${(error as Error).stack}\n`);
    return EXIT.failed;
  }
}

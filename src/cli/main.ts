// The program: reads the command line, runs one command, returns an exit status. The only place that catches.
import { cleanLine } from '../core/clean-text.ts';
import { EXIT } from './exit-status.ts';
import { readPlainTick } from './plain-line.ts';
import { runTick } from './tick-command.ts';

/** What the program needs of its process; a test gives its own. */
export interface ProgramIo {
  readonly argv: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly stdout: {
    write(text: string): unknown;
    readonly isTTY?: boolean;
    readonly columns?: number;
    on?(event: 'error', listener: (error: NodeJS.ErrnoException) => void): unknown;
  };
  readonly stderr: {
    write(text: string): unknown;
    on?(event: 'error', listener: (error: NodeJS.ErrnoException) => void): unknown;
  };
}

/** A command: its flags by their keys, what it may print to → its exit status. */
export type TickCommand = (flags: Record<string, unknown>, io: ProgramIo) => Promise<number>;

/** Runs the command of `io.argv` (node, script, words …) and resolves with its exit status; never rejects. */
export async function main(io: ProgramIo): Promise<number> {
  const outputFault = watchOutput(io);
  const status = await runLine(io);
  // A file or a pipe says at the next turn that it takes no more.
  await new Promise((done) => setImmediate(done));
  return outputFault() ?? status;
}

/** A reader that went away is its own affair; output that cannot be written is said, and is a failure. */
function watchOutput(io: ProgramIo): () => number | null {
  let fault: number | null = null;
  io.stdout.on?.('error', ({ code }) => {
    if (code === 'EPIPE') return;
    fault = EXIT.failed;
    io.stderr.write(`secondwind: the output cannot be written (${code})\n`);
  });
  io.stderr.on?.('error', () => undefined);
  return () => fault;
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

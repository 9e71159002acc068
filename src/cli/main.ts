// The program: reads the command line, runs one command, returns an exit status. The only place that catches.
import { Command, CommanderError, Option } from 'commander';
import { DEFAULT_PROMPT } from '../core/policy.ts';
import { EXIT } from './exit-status.ts';
import { OPTIONS, type OptionSpec } from './options.ts';
import { runTick } from './tick-command.ts';
import { VERSION } from './version.ts';

/** What the program needs of its process; a test gives its own. */
export interface ProgramIo {
  readonly argv: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly stdout: {
    write(text: string): unknown;
    readonly isTTY?: boolean;
    readonly columns?: number;
  };
  readonly stderr: { write(text: string): unknown };
}

/** Runs the command of `io.argv` (node, script, words …) and resolves with its exit status; never rejects. */
export async function main(io: ProgramIo): Promise<number> {
  let status: number = EXIT.done;
  const program = new Command('secondwind')
    .description('Brings Claude Code background sessions back after a usage limit.')
    .version(VERSION, '-V, --version')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(text),
    });
  const tick = program
    .command('tick')
    .description('look once, resume what a limit or a failure stopped and may go on now')
    .addHelpText('after', `\nThe default prompt:\n${DEFAULT_PROMPT}\n`)
    .action(async (flags: Record<string, unknown>) => {
      status = await runTick(flags, io);
    });
  for (const spec of OPTIONS) tick.addOption(optionOf(spec));
  try {
    await program.parseAsync([...io.argv]);
    return status;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    io.stderr.write(`secondwind: internal error: ${(error as Error).message}\n`);
    if (io.env['SECONDWIND_DEBUG'] === '1') io.stderr.write(`${(error as Error).stack}\n`);
    return EXIT.failed;
  }
}

function optionOf(spec: OptionSpec): Option {
  const flag = spec.kind === 'switch' ? spec.flag : `${spec.flag} <${spec.placeholder}>`;
  const notes = [
    spec.shownDefault === null ? null : `default ${spec.shownDefault}`,
    spec.variable,
  ].filter((note) => note !== null);
  return new Option(flag, notes.length === 0 ? spec.help : `${spec.help} [${notes.join(', ')}]`);
}

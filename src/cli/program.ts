// The whole command line, with help and its errors, made from the one table of options.
import { Command, CommanderError, Option } from 'commander';
import { DEFAULT_PROMPT } from '../core/policy.ts';
import { EXIT } from './exit-status.ts';
import type { ProgramIo, TickCommand } from './main.ts';
import { OPTIONS, type OptionSpec } from './options.ts';
import { VERSION } from './version.ts';

/** Parses and runs `tick` by `runTick`; a line that is wrong is answered on stderr, with status 2. */
export async function runProgram(io: ProgramIo, runTick: TickCommand): Promise<number> {
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
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? EXIT.done : EXIT.usage;
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

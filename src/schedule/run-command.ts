// Runs a scheduler's command: no shell, in the C locale since its words are read, bound in time.
import { execa } from 'execa';
import type { RunCommand } from './machine.ts';

const DEFAULT_TIMEOUT_MS = 30_000;

export const commandRunner =
  (env: NodeJS.ProcessEnv): RunCommand =>
  async (command, args, options = {}) => {
    const encoding = options.encoding ?? 'utf8';
    const result = await execa(command, [...args], {
      env: { ...env, LC_ALL: 'C' },
      extendEnv: false,
      input: Buffer.from(options.stdin ?? '', encoding),
      encoding,
      timeout: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
      forceKillAfterDelay: 2000,
      reject: false,
      stripFinalNewline: false,
    });
    if (result.exitCode === undefined && result.signal === undefined && !result.timedOut) {
      return { kind: 'not-started', message: result.code ?? 'it cannot be run' };
    }
    return {
      kind: 'ended',
      exitCode: result.timedOut ? null : (result.exitCode ?? null),
      stdout: result.stdout,
      stderr: result.stderr,
    };
  };

// Whether somebody looks on: a terminal client of this home, whose view a stop would end without asking.
import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { type Fact, known, unknown } from '../core/fact.ts';
import type { ClaudeHome } from './home.ts';

/**
 * Whether a terminal client of this home runs: `claude attach …` or the agents view (`claude agents` without
 * `--json`). Where another process's environment cannot be read, each such client of the machine counts.
 */
export function hasTerminalClient(home: ClaudeHome): Fact<boolean> {
  if (process.platform !== 'linux') return psTerminalClient();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) continue;
    const args = argumentsOf(name);
    if (args === null || !isTerminalClient(args)) continue;
    if (belongsTo(name, home)) return known(true);
  }
  return known(false);
}

/** The words of `claude attach ID` and of `claude agents`, which draws the agents view unless asked for JSON. */
export function isTerminalClient(args: readonly string[]): boolean {
  const [program = '', ...words] = args;
  const isClaude = /(?:^|\/)claude(?:\.exe)?$/.test(program.split(' ')[0] ?? '');
  const viaRuntime = words.findIndex((word) => /claude(?:-code)?\/cli\.m?js$|\/claude$/.test(word));
  if (!isClaude && viaRuntime !== 0) return false;
  const rest = isClaude ? words : words.slice(1);
  return rest.includes('attach') || (rest.includes('agents') && !rest.includes('--json'));
}

function argumentsOf(pid: string): string[] | null {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      .split('\0')
      .filter((word) => word !== '');
  } catch {
    return null;
  }
}

function belongsTo(pid: string, home: ClaudeHome): boolean {
  try {
    const values = new Map<string, string>();
    for (const entry of readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')) {
      if (entry.startsWith('HOME=')) values.set('HOME', entry.slice(5));
      if (entry.startsWith('CLAUDE_CONFIG_DIR=')) values.set('DIR', entry.slice(18));
    }
    const named = values.get('DIR');
    const path =
      named !== undefined && named !== '' ? named : join(values.get('HOME') ?? '/', '.claude');
    return realpathSync(path) === realpathSync(home.path);
  } catch {
    return true;
  }
}

function psTerminalClient(): Fact<boolean> {
  try {
    const list = process
      .getBuiltinModule('node:child_process')
      .execFileSync('ps', ['-axo', 'args='], {
        encoding: 'utf8',
        timeout: 5000,
        maxBuffer: 16e6,
      });
    return known(list.split('\n').some((line) => isTerminalClient(line.trim().split(/\s+/))));
  } catch {
    return unknown('the machine’s processes cannot be listed');
  }
}

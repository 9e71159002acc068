// Every call of the stand-in leaves one line in `<home>/stand-in-calls.jsonl`, so that launches can be counted.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The Claude home that this environment names, as the real client finds it.
 * @param {NodeJS.ProcessEnv} env
 */
export function homeOf(env) {
  return env.CLAUDE_CONFIG_DIR || join(env.HOME || '/', '.claude');
}

/**
 * One write in append mode: lines of simultaneous calls never mix. A home that takes no write loses the line only.
 * @param {string} home
 * @param {string[]} argv
 */
export function recordCall(home, argv) {
  const { HOME, CLAUDE_CONFIG_DIR, PATH } = process.env;
  const names = Object.keys(process.env)
    .filter((name) => /^(CLAUDE|ANTHROPIC)/.test(name) && name !== 'CLAUDE_CONFIG_DIR')
    .sort();
  const call = {
    at: new Date().toISOString(),
    argv,
    cwd: process.cwd(),
    env: { HOME, CLAUDE_CONFIG_DIR, PATH, names },
  };
  try {
    appendFileSync(join(home, 'stand-in-calls.jsonl'), `${JSON.stringify(call)}\n`);
  } catch {
    // A read-only or missing home: the call itself still has to be answered.
  }
}

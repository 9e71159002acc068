// Takes apart the command line of a resume as the real client does, traps included: a flag that takes every word after
// it swallows the prompt, and a prompt that begins with a dash is a flag unless `--` comes first.

const TAKES_ALL = ['--allowedTools', '--allowed-tools', '--disallowedTools', '--disallowed-tools'];
TAKES_ALL.push('--tools', '--add-dir', '--mcp-config', '--betas', '--plugin-dir');
const TAKES_NONE = ['--dangerously-skip-permissions', '--allow-dangerously-skip-permissions'];
TAKES_NONE.push(
  '--verbose',
  '--debug',
  '--strict-mcp-config',
  '--ide',
  '--fork-session',
  '--chrome',
);

/**
 * @typedef {{ target: string | null, name: string | null, flags: string[], prompt: string }} Arguments
 * `flags` are those that are saved with a job: all but `--bg` and `--resume`, with their values.
 */

/**
 * @param {readonly string[]} argv
 * @returns {Arguments}
 */
export function parseArguments(argv) {
  const words = [...argv];
  /** @type {Arguments} */
  const parsed = { target: null, name: null, flags: [], prompt: '' };
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === '--') {
      parsed.prompt = words.shift() ?? parsed.prompt;
    } else if (word === '--bg') {
    } else if (word === '--resume' || word === '-r') {
      parsed.target = words.shift() ?? null;
    } else if (word.startsWith('-')) {
      const values = takeValues(word, words);
      if (word === '--name' || word === '-n') parsed.name = values[0] ?? null;
      parsed.flags.push(word, ...values);
    } else if (parsed.prompt === '') {
      parsed.prompt = word;
    }
  }
  return parsed;
}

/**
 * @param {string} flag
 * @param {string[]} words what follows; the flag's values are taken off it
 */
function takeValues(flag, words) {
  if (flag.includes('=') || TAKES_NONE.includes(flag) || !flag.startsWith('--')) {
    return flag === '-n' ? words.splice(0, 1) : [];
  }
  if (!TAKES_ALL.includes(flag)) return words.splice(0, 1);
  const end = words.findIndex((word) => word.startsWith('-'));
  return words.splice(0, end === -1 ? words.length : end);
}

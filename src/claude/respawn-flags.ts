// Which of a job's saved flags are given again to a copy: an allow-list, since a copy starts with only what is passed.

/** Flags with one value. */
const SINGLE = new Set([
  '--model',
  '--fallback-model',
  '--effort',
  '--agent',
  '--permission-mode',
  '--append-system-prompt',
  '--settings',
  '--setting-sources',
]);
/** Flags that take every word up to the next flag. */
const VARIADIC = new Set([
  '--allowedTools',
  '--allowed-tools',
  '--disallowedTools',
  '--disallowed-tools',
  '--tools',
  '--add-dir',
  '--mcp-config',
  '--plugin-dir',
]);
const BARE = new Set(['--strict-mcp-config']);

/** Whether saved flags switch the permission checks off: such a job is never copied. */
export function bypassesPermissions(flags: readonly string[]): boolean {
  return flags.some(
    (flag, index) =>
      /^--(?:allow-)?dangerously-skip-permissions\b/.test(flag) ||
      /^--permission-mode=bypassPermissions$/.test(flag) ||
      (flag === '--permission-mode' && flags[index + 1] === 'bypassPermissions') ||
      (/^--settings\b/.test(flag) && /bypassPermissions/.test(`${flag} ${flags[index + 1] ?? ''}`)),
  );
}

/** The flags for a copy: allowed saved flags, lists first, and the name last, so that no list eats the prompt. */
export function copyFlags(saved: readonly string[], name: string | null): string[] {
  const lists: string[] = [];
  const others: string[] = [];
  for (let index = 0; index < saved.length; index += 1) {
    const [flag = '', inline] = splitInline(saved[index] ?? '');
    const values = inline === undefined ? valuesAfter(saved, index) : [inline];
    if (VARIADIC.has(flag) && values.length > 0) lists.push(flag, ...values);
    else if (SINGLE.has(flag) && values[0] !== undefined && !/bypassPermissions/.test(values[0])) {
      others.push(flag, values[0]);
    } else if (BARE.has(flag)) others.push(flag);
  }
  // A copy saves its flags as they are given; a name that looks like a flag has to be joined to its own.
  const naming = name === null || name === '' ? [] : nameFlag(name);
  return [...lists, ...others, ...naming];
}

const nameFlag = (name: string): string[] =>
  name.startsWith('-') ? [`--name=${name}`] : ['--name', name];

const splitInline = (word: string): [string, string?] => {
  const at = word.startsWith('--') ? word.indexOf('=') : -1;
  return at < 0 ? [word] : [word.slice(0, at), word.slice(at + 1)];
};

function valuesAfter(words: readonly string[], index: number): string[] {
  const rest = words.slice(index + 1);
  const end = rest.findIndex((word) => word.startsWith('-'));
  return end < 0 ? rest : rest.slice(0, end);
}

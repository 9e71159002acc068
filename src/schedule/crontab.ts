// Our lines in a crontab, as text: whatever stands outside of them stays as it is, to the byte.
import { failed, ok, type Result } from '../core/result.ts';

const BEGIN = '# BEGIN secondwind';
const END = '# END secondwind';
/** A crontab that ends inside a line needs a newline before our block, which goes again with the block. */
const WAS_OPEN = '# (the line above had no newline at its end)';

export interface Block {
  readonly before: string;
  /** The lines between the markers. */
  readonly lines: readonly string[];
  readonly after: string;
  readonly wasOpen: boolean;
}

/** Where our block is; null: there is none. Fails with the reason where the markers do not pair up. */
export function findBlock(text: string): Result<Block | null, string> {
  const lines = text.split('\n');
  const marks = lines.flatMap((line, at) => (isMarker(line) ? [{ line, at }] : []));
  const [first, second] = marks;
  if (first === undefined) return ok(null);
  const isPair = marks.length === 2 && first.line === BEGIN && second?.line === END;
  if (!isPair) {
    return failed(
      `the crontab has ${marks.map(({ line, at }) => `"${line.trim()}" in line ${at + 1}`).join(', ')}: there must be one "${BEGIN}" and one "${END}" after it, each a line exactly; mend it with crontab -e`,
    );
  }
  const inner = lines.slice(first.at + 1, second.at);
  const before = lines.slice(0, first.at).map((line) => `${line}\n`);
  return ok({
    before: before.join(''),
    lines: inner.filter((line) => line !== WAS_OPEN),
    after: lines.slice(second.at + 1).join('\n'),
    wasOpen: inner.includes(WAS_OPEN),
  });
}

/** One with other blanks, case or a carriage return is no marker, but was one: it must not be passed over. */
const isMarker = (line: string): boolean => /^\s*#\s*(?:begin|end)\s+secondwind\s*$/i.test(line);

/** The crontab with our lines at its end, or where they were. */
export function putBlock(text: string, lines: readonly string[]): Result<string, string> {
  const found = findBlock(text);
  if (!found.ok) return found;
  const isOpen = text !== '' && !text.endsWith('\n');
  const { before, after, wasOpen } = found.value ?? {
    before: isOpen ? `${text}\n` : text,
    after: '',
    wasOpen: isOpen,
  };
  const block = [BEGIN, ...(wasOpen ? [WAS_OPEN] : []), ...lines, END];
  return ok(`${before}${block.join('\n')}\n${after}`);
}

/** The crontab without our lines: what it was before they were put in. */
export function removeBlock(text: string): Result<string, string> {
  const found = findBlock(text);
  if (!found.ok) return found;
  if (found.value === null) return ok(text);
  const { before, after, wasOpen } = found.value;
  return ok(wasOpen && after === '' ? before.replace(/\n$/, '') : before + after);
}

/** One word of a command for sh. */
export const quoteForShell = (word: string): string =>
  /^[\w/.,:=@+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

/**
 * One word for a crontab's sixth field, where `%` means a new line (crontab(5)). It is escaped outside the quotes: then it
 * is right for cron, which takes the backslash away, and for busybox, which leaves it to the shell. Of two backslashes
 * together cron may take one away, too, so quotes are put between them.
 */
export const quoteForCron = (word: string): string =>
  word
    .split('%')
    .map((part) => (part === '' ? '' : quoteForShell(part).replace(/\\(?=\\)/g, "\\''")))
    .join('\\%') || "''";

/** The words of a command line of ours, up to where its output goes; the reverse of `quoteForCron`. */
export function splitCronCommand(line: string): string[] {
  const [command = ''] = line.split(' >> ');
  const words = command.match(/(?:'[^']*'|\\.|[^\s'\\])+/g) ?? [];
  return words.map((word) => word.replace(/'([^']*)'|\\(.)/g, (_, quoted, one) => quoted ?? one));
}

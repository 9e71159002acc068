// What the tables and texts for a terminal share: columns as a terminal counts them, and clocks.
import { formatDuration } from '../core/duration.ts';

// Scripts of East Asia and emoji take two columns of a terminal.
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60]|\p{Extended_Pictographic}/u;

/** Narrower terminals get lines of this many columns. */
const MIN_WIDTH = 60;

export const columnsOf = (text: string): number =>
  [...text].reduce((sum, character) => sum + (WIDE.test(character) ? 2 : 1), 0);

/** The text cut to so many columns. */
export function cutTo(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
  let kept = '';
  let used = 1;
  for (const character of text) {
    used += WIDE.test(character) ? 2 : 1;
    if (used > columns) break;
    kept += character;
  }
  return `${kept}…`;
}

/** One line, cut to the terminal. */
export const lineIn = (text: string, width: number): string =>
  cutTo(text, Math.max(MIN_WIDTH, width));

/** One line as lines that fit, broken between words; a word that is longer than a line is cut. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  const columns = Math.max(MIN_WIDTH / 2, width);
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (columnsOf(longer) > columns && line !== '') {
      lines.push(line);
      line = cutTo(word, columns);
    } else line = cutTo(longer, columns);
  }
  return [...lines, line];
}

type Row = readonly string[];

/** Head and rows as aligned lines, cut to the terminal. */
export function alignedLines(head: Row, rows: readonly Row[], width: number): string[] {
  const all = [head, ...rows];
  const widths = head.map((_, column) =>
    Math.max(...all.map((row) => columnsOf(row[column] ?? ''))),
  );
  const lineOf = (row: Row) =>
    row.map((cell, column) => padTo(cell, widths[column] ?? 0)).join('  ');
  return all.map((row) => lineIn(lineOf(row).trimEnd(), width));
}

/** Head and rows without the columns in which no row says anything. */
export function withoutEmpty(head: Row, rows: readonly Row[]): [Row, Row[]] {
  const isShown = head.map((_, column) => rows.some((row) => row[column]));
  const shown = (row: Row) => row.filter((_, column) => isShown[column]);
  return [shown(head), rows.map(shown)];
}

const padTo = (cell: string, columns: number): string =>
  cell + ' '.repeat(Math.max(0, columns - columnsOf(cell)));

/** `Dec 1, 14:01` on the clock of IANA `zone`. */
export function clockIn(at: number, zone: string): string {
  const parts: Intl.DateTimeFormatOptions = {
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: zone,
  };
  return new Intl.DateTimeFormat('en-US', parts).format(at);
}

/** `Dec 1, 14:01 (in 2h2m)`, or `(3h ago)`; whole minutes, those to come rounded up. */
export function clockAndDistance(at: number, now: number, zone: string): string {
  const minutes = Math.ceil((at - now) / 60_000);
  const distance = formatDuration(Math.abs(minutes) * 60_000);
  return `${clockIn(at, zone)} (${minutes < 0 ? `${distance} ago` : `in ${distance}`})`;
}

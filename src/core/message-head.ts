// A message's head: one line of at most 2,000 characters, with the punctuation of terminals and word processors made plain.
import { stripControls } from './clean-text.ts';

/** No form is longer; a 520 page puts hundreds of kilobytes of HTML behind its head. */
const HEAD_LENGTH = 2000;

/**
 * The head of `text`: no control, escape sequence or leading decoration, every run of spaces, no-break spaces
 * (U+00A0, U+202F, U+2009) and line breaks one space (terminals wrap anywhere, and draw boxes), apostrophes and quotes straight.
 * Idempotent; only the first 2,000 characters are looked at.
 */
export function headOf(text: string): string {
  return (
    stripControls(text.slice(0, HEAD_LENGTH))
      .replace(/[\u2018\u2019\u02bc\u2032\uff07]/g, "'")
      .replace(/[\u201c\u201d]/g, '"')
      .replace(/[\s\u2500-\u257f]+/g, ' ')
      // What a terminal draws before a message: the branch ⎿, bullets, warning signs. Quotes and `>` stay, since a
      // message behind them is somebody's quotation.
      .replace(/^(?:[\s⎿⏺●○•·∙✗✘✖×⏸]|\p{Extended_Pictographic}|\ufe0f|[-*] )+/u, '')
      .trim()
  );
}

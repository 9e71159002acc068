// Texts written by sessions are hostile until cleaned: no control character or escape sequence survives.

/** The text without escape sequences, controls or direction overrides; line breaks and tabs are kept. */
export function stripControls(text: string): string {
  return (
    text
      // CSI, OSC (ended by BEL or ST) and two-character escapes, as ECMA-48 writes them.
      .replace(
        /\u001b\[[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b[ -/]*[0-~]|\u009b[0-?]*[ -/]*[@-~]/g,
        '',
      )
      .replace(/\r\n?/g, '\n')
      // Controls, characters that only format (bidi overrides, zero-width, tags), and halves of characters.
      .replace(/(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}]/gu, '')
  );
}

/** One printable line of at most `maxLength` characters: fit for a terminal, a log or a table cell. */
export function cleanLine(text: string, maxLength = 200): string {
  const line = stripControls(text.slice(0, 4 * maxLength + 1000))
    .replace(/\s+/g, ' ')
    .trim();
  if (line.length <= maxLength) return line;
  return `${line.slice(0, maxLength - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

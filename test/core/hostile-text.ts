// Texts that try to act on a terminal, and how to tell that nothing of them is left.

/** Whatever a terminal acts on, or that hides or reorders text. Line breaks and tabs are not among them. */
export const ACTED_ON =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/;

export const HOSTILE =
  '\u001b]0;owned\u0007\u001b[2J\u001b[31mna\u202eme\u009b1A\r\n\u0000x\u200b\u0085y\u2028z';

// Names that nobody else has: random bytes as lower-case hex.

/** `bytes` random bytes → twice as many hex digits. The module is loaded only here: a healthy tick needs no name. */
export function randomHex(bytes: number): string {
  return process.getBuiltinModule('node:crypto').randomBytes(bytes).toString('hex');
}

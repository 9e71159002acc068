// The types of login.mjs.
export function writeLogin(home: string): void;

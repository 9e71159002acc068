// A fault that a user can cause is a value, not a throw: every such function returns a Result.

export type Result<T, F> = { readonly ok: true; readonly value: T } | Failed<F>;
export type Failed<F> = { readonly ok: false; readonly failure: F };

export const ok = <T>(value: T): { readonly ok: true; readonly value: T } => ({ ok: true, value });
export const failed = <F>(failure: F): Failed<F> => ({ ok: false, failure });

/** Closes a switch over a union: a new member that is not handled becomes a type error. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`);
}

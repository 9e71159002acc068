// A fact is either known or unknown with a reason; whoever decides must say what unknown means (it never resumes).

export type Fact<T> =
  | { readonly known: true; readonly value: T }
  | { readonly known: false; readonly why: string };

export const known = <T>(value: T): Fact<T> => ({ known: true, value });
export const unknown = (why: string): { readonly known: false; readonly why: string } => ({
  known: false,
  why,
});

// Regular expressions that are made when they are first asked: that takes longer than their answer, and a tick over
// sessions that are well asks none.

export interface Pattern {
  test(text: string): boolean;
  /** As `RegExp.exec`, from the text's start: patterns here keep no place. */
  exec(text: string): RegExpExecArray | null;
}

/** A pattern of this source; `flags` without `g` and `y`. A source that is no regular expression throws when asked. */
export function pattern(source: string, flags: string): Pattern {
  let made: RegExp | null = null;
  const get = (): RegExp => {
    made ??= new RegExp(source, flags);
    return made;
  };
  return { test: (text) => get().test(text), exec: (text) => get().exec(text) };
}

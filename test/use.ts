// What the tests of a file share, made anew for each test or once for all; a live view of the present one.
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { copyProgram, type Program } from './bad-input/program.ts';
import { type Home, makeHome } from './stand-in.ts';

/** A home for each test, removed after it. */
export function useHome(): Home {
  let made: Home;
  beforeEach(() => {
    made = makeHome();
  });
  afterEach(() => made.remove());
  return {
    get root() {
      return made.root;
    },
    get home() {
      return made.home;
    },
    remove: () => made.remove(),
  };
}

/** A copy of the built program for all tests of the file. */
export function useProgram(): Program {
  let program: Program;
  beforeAll(async () => {
    program = await copyProgram();
  });
  afterAll(() => program.remove());
  return {
    get script() {
      return program.script;
    },
    remove: () => program.remove(),
  };
}

// What the program prints goes straight to the descriptor: the runtime's own streams take as long to make as a
// hundred small files to read. They are made for a terminal, and for a pipe that is full and will not wait.
import { fstatSync, writeSync } from 'node:fs';

/** One of the two outputs of a process. */
export interface Output {
  /** Writes a text whole. A failure is kept for `fault`, and nothing more is written then. */
  write(text: string): void;
  readonly isTTY: boolean;
  /** Columns of the terminal; undefined where there is none. */
  readonly columns: number | undefined;
  /** The code of what kept the output from being written (`ENOSPC`); null while it is whole. A reader that went away is no fault. */
  fault(): string | null;
}

/** The output on a descriptor; `stream` makes the runtime's stream of it, once it is needed. */
export function outputOn(fd: number, stream: () => NodeJS.WriteStream): Output {
  let failure: string | null = null;
  let made: NodeJS.WriteStream | null = null;
  const asStream = (): NodeJS.WriteStream => {
    made ??= stream().on('error', (error: NodeJS.ErrnoException) => {
      failure = error.code ?? error.message;
    });
    return made;
  };
  const isTerminal = isCharacterDevice(fd);
  return {
    write(text) {
      if (failure !== null) return;
      if (isTerminal || made !== null) {
        asStream().write(text);
        return;
      }
      const bytes = Buffer.from(text, 'utf8');
      let written = 0;
      try {
        while (written < bytes.length) written += writeSync(fd, bytes, written);
      } catch (error) {
        const code = (error as NodeJS.ErrnoException).code ?? (error as Error).message;
        if (code === 'EAGAIN') asStream().write(bytes.subarray(written));
        else failure = code;
      }
    },
    get isTTY() {
      return isTerminal && asStream().isTTY === true;
    },
    get columns() {
      return isTerminal ? asStream().columns : undefined;
    },
    fault: () => (failure === 'EPIPE' ? null : failure),
  };
}

function isCharacterDevice(fd: number): boolean {
  try {
    return fstatSync(fd).isCharacterDevice();
  } catch {
    // Closed: the first write says so.
    return false;
  }
}

// The types of roster.mjs.

export interface Worker {
  /** The terminal host; the session itself is `replPid`. */
  pid: number;
  /** Field 22 of /proc/PID/stat; absent where there is no /proc. */
  procStart?: string | undefined;
  replPid?: number;
  replProcStart?: string | undefined;
  sessionId: string;
  cwd: string;
  startedAt: number;
  /** Its processes are the stand-in's own, so that a stop may kill them. */
  standIn?: boolean;
  [field: string]: unknown;
}

export interface Roster {
  proto: number;
  supervisorPid: number | null;
  updatedAt: number;
  workers: Record<string, Worker>;
}

export function readRoster(home: string): Roster;
export function editRoster(home: string, edit: (roster: Roster) => void): void;
export function readProcStart(pid: number): string | undefined;
/** Exists, is no zombie, and started when it should have. */
export function isAlive(pid: number | undefined, procStart?: string): boolean;
export function livePids(worker: Worker | undefined): number[];
/** Two sleeping processes for a job, host and session, entered in the roster. */
export function startWorker(
  home: string,
  worker: { id: string; sessionId: string; cwd: string; runForMs: number },
): { pid: number; replPid: number };

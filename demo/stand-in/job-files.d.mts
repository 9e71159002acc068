// The types of job-files.mjs. `home` is a Claude home, `id` a job's 8-hex id.
import type { TranscriptRecord } from './records.mjs';

/** `state.json` as the client writes it, open to fields and types that it never writes. */
export interface JobStateFile {
  state?: unknown;
  detail?: unknown;
  needs?: unknown;
  tempo?: unknown;
  name?: string | null;
  sessionId?: string;
  resumeSessionId?: string;
  cwd?: string;
  intent?: string;
  respawnFlags?: string[];
  queuedPrompt?: string;
  createdAt?: string;
  updatedAt?: string;
  [field: string]: unknown;
}

export interface TimelineLine {
  at: string;
  state: string;
  detail: string;
  text: string;
}

export function jobFolder(home: string, id: string): string;
/** The folder is the cwd with every non-alphanumeric as `-`. */
export function transcriptPath(home: string, cwd: string, sessionId: string): string;
export function readJobState(home: string, id: string): JobStateFile | null;
/** The jobs whose state can be read, oldest first. */
export function listJobs(home: string): { id: string; state: JobStateFile }[];
export function writeJobState(home: string, id: string, state: JobStateFile): void;
export function appendTimeline(home: string, id: string, line: TimelineLine): void;
/** Each record that has a parent gets the one before it. */
export function appendTranscript(path: string, records: readonly TranscriptRecord[]): void;
/** Never seen half written. */
export function writeRenamed(path: string, text: string): void;
/** The object or array in that file; null when it cannot be read or is no such thing. */
// biome-ignore lint/suspicious/noExplicitAny: open JSON.
export function readJson(path: string): any;

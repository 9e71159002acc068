// The types of records.mjs. Instants are epoch ms.

export interface Session {
  sessionId: string;
  cwd: string;
  version: string;
}

export interface Stop {
  /** `rate_limit`, `server_error`, `authentication_failed`, `billing_error`, … */
  error: string;
  text: string;
  limitType?: string | null;
  /** Null: the record states none, as clients before 2.1.260. */
  resetsAt?: number | null;
  status?: number | undefined;
}

// biome-ignore lint/suspicious/noExplicitAny: records are open JSON; what is read back is up to the test.
export type TranscriptRecord = { type: string; [field: string]: any };
export type Block = { type: string; [field: string]: unknown };

export function userRecord(
  session: Session,
  at: number,
  content: string | Block[],
): TranscriptRecord;
export function assistantRecord(
  session: Session,
  at: number,
  content: string | Block[],
): TranscriptRecord;
export function stopRecord(session: Session, at: number, stop: Stop): TranscriptRecord;
export function metaRecords(session: Session, at: number): TranscriptRecord[];
export function bookkeepingRecords(
  session: Session,
  lastPrompt: string,
  name: string | null,
): TranscriptRecord[];

// The tail of a transcript: the stop's own record, and whether anything real came after it.
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Fact, known, unknown } from '../core/fact.ts';
import { noncesIn } from '../core/policy.ts';
import { isRecord } from '../core/record.ts';
import type { ErrorRecord, JobState, TranscriptTail } from '../core/session.ts';
import type { ClaudeHome } from './home.ts';
import { parseLine } from './job-state.ts';
import { readFileHead, readFileTail } from './read-bounded.ts';

/** Past this length the client cuts a folder's name and adds a hash. */
const MAX_FOLDER_NAME = 200;
const STATED_ZONE = /\bresets?\b[^()]{0,60}\(([A-Za-z][\w+-]*(?:\/[\w+-]+)*)\)/i;

/** The folder name that the client gives to a directory: every non-alphanumeric becomes `-`. */
export const folderNameOf = (cwd: string): string => cwd.replace(/[^A-Za-z0-9]/g, '-');

/**
 * Where the transcript of a job lies: the client's own note if it points into this home, the folder of the cwd,
 * else any project folder. Null when there is none.
 */
export function locateTranscript(home: ClaudeHome, state: JobState): string | null {
  const sessionId = state.resumeSessionId ?? state.sessionId;
  if (sessionId === null || !/^[0-9a-fA-F-]{8,64}$/.test(sessionId)) return null;
  const projects = join(home.path, 'projects');
  const file = `${sessionId}.jsonl`;
  const noted = state.transcriptPath;
  if (noted !== null && isBelow(noted, projects) && noted.endsWith(`/${file}`)) {
    if (existsSync(noted)) return noted;
  }
  const beside = state.cwd === null ? null : join(projects, folderNameOf(state.cwd), file);
  if (beside !== null && existsSync(beside)) return beside;
  return (
    foldersOf(projects)
      .map((folder) => join(projects, folder, file))
      .find(existsSync) ?? null
  );
}

/** By the words of an absolute path: one that climbs up again is not below. */
const isBelow = (path: string, folder: string): boolean =>
  path.startsWith(`${folder}/`) && !path.includes('/..');

function foldersOf(projects: string): string[] {
  try {
    return readdirSync(projects);
  } catch {
    return [];
  }
}

/** Whether a transcript lies in the folder that the client will look in when started in `cwd`. */
export function isInFolderOf(path: string, cwd: string): boolean {
  const folder = basename(dirname(path));
  return [cwd, realPathOf(cwd)].some((directory) => {
    const name = folderNameOf(directory);
    return (
      folder === name ||
      (name.length > MAX_FOLDER_NAME && folder.startsWith(name.slice(0, MAX_FOLDER_NAME)))
    );
  });
}

function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** Reads the tail of a transcript; null when the file is not there. */
export function readTranscript(path: string): Fact<TranscriptTail | null> {
  const tail = readFileTail(path);
  if (!tail.known) return unknown(`its transcript ${tail.why}`);
  if (tail.value === null) return known(null);
  const lines = tail.value.text.split('\n');
  const parsed = parseTail(path, tail.value.isCut ? lines.slice(1) : lines);
  if (!parsed.hasRecords && tail.value.isCut) {
    return unknown('its transcript holds no whole record in its last 256 KiB');
  }
  return known(parsed);
}

/** Lines of a transcript, oldest first → what they say about a stop. Broken lines are passed over. */
export function parseTail(path: string, lines: readonly string[]): TranscriptTail {
  let error: ErrorRecord | null = null;
  let hasMovedOn = false;
  let openCalls = new Set<string>();
  let lastAssistantAt: number | null = null;
  let hasRecords = false;
  let statedZone: string | null = null;
  const nonces: string[] = [];
  for (const line of lines) {
    const record = parseLine(line);
    if (record === null || record['isSidechain'] === true) continue;
    if (record['isApiErrorMessage'] === true) {
      error = errorRecordOf(record);
      statedZone = STATED_ZONE.exec(error.text.slice(0, 500))?.[1] ?? statedZone;
      [hasMovedOn, hasRecords, openCalls] = [false, true, new Set()];
      continue;
    }
    if (record['type'] === 'user') nonces.push(...noncesIn(textOf(record).slice(0, 20_000)));
    if (!isReal(record)) continue;
    hasRecords = true;
    if (error !== null && isLatePrompt(record, error)) continue;
    if (error !== null) hasMovedOn = true;
    if (record['type'] === 'assistant') {
      lastAssistantAt = instantOf(record) ?? lastAssistantAt;
      for (const id of blockIds(record, 'tool_use', 'id')) openCalls.add(id);
    } else {
      const answered = blockIds(record, 'tool_result', 'tool_use_id');
      // A typed message takes the turn: calls before it are not waited for any more.
      openCalls =
        answered.length === 0
          ? new Set()
          : new Set([...openCalls].filter((id) => !answered.includes(id)));
    }
  }
  return {
    path,
    error,
    hasMovedOn,
    hasOpenToolCall: openCalls.size > 0,
    lastAssistantAt,
    hasRecords,
    nonces,
    statedZone,
  };
}

/** How much older than its stop a prompt can be that stands behind it. */
const LATE_MS = 60_000;

/** Under load 2.1.170 has written the limit record before the prompt that met it: there the instants tell. */
function isLatePrompt(record: Record<string, unknown>, error: ErrorRecord): boolean {
  const at = instantOf(record);
  if (record['type'] !== 'user' || at === null || error.at === null) return false;
  return at < error.at && error.at - at < LATE_MS;
}

/** A user's or the model's own record: no meta record, notification, reminder or synthetic answer. */
function isReal(record: Record<string, unknown>): boolean {
  if (record['isMeta'] === true || record['isCompactSummary'] === true) return false;
  if (record['type'] === 'assistant') return messageOf(record)['model'] !== '<synthetic>';
  if (record['type'] !== 'user') return false;
  return !/^\s*<(?:task-notification|system-reminder|local-command-|command-|bash-)/.test(
    textOf(record),
  );
}

function errorRecordOf(record: Record<string, unknown>): ErrorRecord {
  const quota = record['quotaLimits'];
  const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
  const resetsAt = isRecord(quota) ? quota['resetsAt'] : null;
  return {
    uuid: text(record['uuid']),
    at: instantOf(record),
    error: text(record['error']),
    status: typeof record['apiErrorStatus'] === 'number' ? record['apiErrorStatus'] : null,
    text: textOf(record),
    quota: isRecord(quota)
      ? {
          resetsAt: isEpochSeconds(resetsAt) ? resetsAt * 1000 : null,
          limitType: text(quota['rateLimitType']),
          overageDisabledReason: text(quota['overageDisabledReason']),
        }
      : null,
  };
}

/** Seconds of this century; anything else is no reset. */
const isEpochSeconds = (value: unknown): value is number =>
  typeof value === 'number' && value > 946_684_800 && value < 4_102_444_800;

const messageOf = (record: Record<string, unknown>): Record<string, unknown> =>
  isRecord(record['message']) ? record['message'] : {};

function textOf(record: Record<string, unknown>): string {
  const { content } = messageOf(record);
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .filter(
      (block) => isRecord(block) && block['type'] === 'text' && typeof block['text'] === 'string',
    )
    .map((block) => (block as { text: string }).text)
    .join('\n');
}

function blockIds(record: Record<string, unknown>, type: string, key: string): string[] {
  const { content } = messageOf(record);
  if (!Array.isArray(content)) return [];
  return content.flatMap((block) =>
    isRecord(block) && block['type'] === type && typeof block[key] === 'string' ? [block[key]] : [],
  );
}

function instantOf(record: Record<string, unknown>): number | null {
  const at = typeof record['timestamp'] === 'string' ? Date.parse(record['timestamp']) : Number.NaN;
  return Number.isNaN(at) ? null : at;
}

const HEAD_UUIDS = 20;

/** The uuids of the first records of a transcript: a copy shares them with its origin (client.md §4). */
export function readFirstUuids(path: string): Fact<readonly string[]> {
  const head = readFileHead(path);
  if (!head.known) return unknown(`its transcript ${head.why}`);
  const uuids: string[] = [];
  for (const line of (head.value ?? '').split('\n')) {
    const uuid = parseLine(line)?.['uuid'];
    if (typeof uuid === 'string') uuids.push(uuid);
    if (uuids.length >= HEAD_UUIDS) break;
  }
  return known(uuids);
}

// A job's `state.json` and `timeline.jsonl`, checked field by field: a foreign type makes the job unknown.
import { statSync } from 'node:fs';
import { type Fact, known, unknown } from '../core/fact.ts';
import { isRecord } from '../core/record.ts';
import type { JobState } from '../core/session.ts';
import type { FileStamp } from '../store/quiet-jobs.ts';
import { type ClaudeHome, jobPath } from './home.ts';
import { readFileTail, readSmallFile } from './read-bounded.ts';

/** Reads and checks the state of a job; what is missing, cut or of another shape is unknown, with the reason. */
export function readJobState(home: ClaudeHome, id: string): Fact<JobState> {
  const text = readSmallFile(jobPath(home, id, 'state.json'));
  if (!text.known) return unknown(`its state.json ${text.why}`);
  if (text.value === null) return unknown('its folder has no state.json');
  return parseJobState(text.value);
}

const QUIETLY = { throwIfNoEntry: false } as const;

/** What the file of a job's state looks like from outside; null when there is none, or it cannot be looked at. */
export function stampOf(home: ClaudeHome, id: string): FileStamp | null {
  try {
    const found = statSync(jobPath(home, id, 'state.json'), QUIETLY);
    return found?.isFile() === true ? found : null;
  } catch {
    // Read, it says what is wrong.
    return null;
  }
}

/** The text of a `state.json` → its state. */
export function parseJobState(text: string): Fact<JobState> {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    return unknown('its state.json is no JSON (cut short?)');
  }
  if (!isRecord(raw)) return unknown('its state.json is no object');
  const bad: string[] = [];
  const inFlight = countInFlight(raw['inFlight']);
  if (inFlight === null) bad.push('inFlight');
  if (typeof raw['state'] !== 'string') bad.push('state');
  const state: JobState = {
    state: textOf(raw['state'], 'state', bad) ?? '',
    detail: textOf(raw['detail'], 'detail', bad) ?? '',
    needs: textOf(raw['needs'], 'needs', bad) ?? '',
    tempo: textOf(raw['tempo'], 'tempo', bad),
    inFlight: inFlight ?? 0,
    queuedPrompt: promptOf(raw['queuedPrompt']),
    hasSelfWake: raw['selfWake'] != null && raw['selfWake'] !== false,
    template: textOf(raw['template'], 'template', bad),
    backend: textOf(raw['backend'], 'backend', bad),
    respawnFlags: flagsOf(raw['respawnFlags'], bad),
    intent: textOf(raw['intent'], 'intent', bad) ?? '',
    name: textOf(raw['name'], 'name', bad),
    sessionId: textOf(raw['sessionId'], 'sessionId', bad),
    resumeSessionId: textOf(raw['resumeSessionId'], 'resumeSessionId', bad),
    cwd: textOf(raw['cwd'], 'cwd', bad),
    transcriptPath: textOf(raw['linkScanPath'], 'linkScanPath', bad),
    cliVersion: textOf(raw['cliVersion'], 'cliVersion', bad),
    zone: zoneOf(raw['providerEnv']),
    createdAt: instantOf(raw['createdAt'], 'createdAt', bad),
    updatedAt: instantOf(raw['updatedAt'], 'updatedAt', bad),
    endedAt: instantOf(raw['lastTerminalAt'], 'lastTerminalAt', bad),
  };
  if (bad.length === 0) return known(state);
  return unknown(`its state.json has a foreign ${[...new Set(bad)].join(', ')}`);
}

function textOf(value: unknown, key: string, bad: string[]): string | null {
  if (typeof value === 'string') return value;
  if (value !== undefined && value !== null) bad.push(key);
  return null;
}

function instantOf(value: unknown, key: string, bad: string[]): number | null {
  const text = textOf(value, key, bad);
  if (text === null) return null;
  const instant = Date.parse(text);
  if (Number.isNaN(instant)) bad.push(key);
  return instant;
}

function flagsOf(value: unknown, bad: string[]): readonly string[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value) && value.every((flag) => typeof flag === 'string')) return value;
  bad.push('respawnFlags');
  return [];
}

/** Tasks, queued prompts and kinds of running work; a missing field is none, a foreign one null. */
function countInFlight(value: unknown): number | null {
  if (value === undefined || value === null) return 0;
  if (!isRecord(value)) return null;
  const { tasks = 0, queued = 0, kinds = [] } = value;
  if (typeof tasks !== 'number' || typeof queued !== 'number' || !Array.isArray(kinds)) return null;
  return Math.max(tasks + queued, kinds.length);
}

function promptOf(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Of the environment, which may hold secrets, nothing but the zone is ever looked at. */
function zoneOf(environment: unknown): string | null {
  const zone = isRecord(environment) ? environment['TZ'] : null;
  return typeof zone === 'string' && zone !== '' ? zone.replace(/^:/, '') : null;
}

/**
 * The last line of a timeline, if it shows a stop: `at` is when its text was shown (client.md §3).
 * A last line of another state, or none, is null.
 */
export function readTimeline(
  home: ClaudeHome,
  id: string,
): Fact<{ readonly at: number; readonly text: string } | null> {
  const tail = readFileTail(jobPath(home, id, 'timeline.jsonl'));
  if (!tail.known) return unknown(`its timeline.jsonl ${tail.why}`);
  const lines = (tail.value?.text ?? '').split('\n');
  for (const line of lines.reverse()) {
    const entry = parseLine(line);
    if (entry === null || typeof entry['state'] !== 'string') continue;
    if (entry['state'] !== 'blocked' || typeof entry['at'] !== 'string') return known(null);
    const at = Date.parse(entry['at']);
    if (Number.isNaN(at)) return known(null);
    const text = [entry['text'], entry['detail']].find(
      (one) => typeof one === 'string' && one !== '',
    );
    return known({ at, text: typeof text === 'string' ? text : '' });
  }
  return known(null);
}

/** Every nonce-bearing text of the last lines of a timeline: a wake shows its prompt there. */
export function readTimelineText(home: ClaudeHome, id: string): Fact<string> {
  const tail = readFileTail(jobPath(home, id, 'timeline.jsonl'));
  return tail.known ? known(tail.value?.text ?? '') : unknown(`its timeline.jsonl ${tail.why}`);
}

export function parseLine(line: string): Record<string, unknown> | null {
  if (!line.startsWith('{')) return null;
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

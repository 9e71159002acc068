// Reads and writes a home's job folders and transcripts as the client does: states by rename, the rest by appending.
import {
  appendFileSync,
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

const TAIL_BYTES = 65_536;

/** @type {typeof import('./job-files.mjs').jobFolder} */
export const jobFolder = (home, id) => join(home, 'jobs', id);

/** @type {typeof import('./job-files.mjs').transcriptPath} */
export function transcriptPath(home, cwd, sessionId) {
  return join(home, 'projects', cwd.replace(/[^a-zA-Z0-9]/g, '-'), `${sessionId}.jsonl`);
}

/** @type {typeof import('./job-files.mjs').readJobState} */
export function readJobState(home, id) {
  return readJson(join(jobFolder(home, id), 'state.json'));
}

/** @type {typeof import('./job-files.mjs').listJobs} */
export function listJobs(home) {
  const jobs = [];
  for (const id of readNames(join(home, 'jobs'))) {
    const state = readJobState(home, id);
    if (state !== null && /^[0-9a-f]{8}$/.test(id)) jobs.push({ id, state });
  }
  return jobs.sort((a, b) => String(a.state.createdAt).localeCompare(String(b.state.createdAt)));
}

/** @type {typeof import('./job-files.mjs').writeJobState} */
export function writeJobState(home, id, state) {
  mkdirSync(jobFolder(home, id), { recursive: true });
  writeRenamed(join(jobFolder(home, id), 'state.json'), JSON.stringify(state, null, 2));
}

/** @type {typeof import('./job-files.mjs').appendTimeline} */
export function appendTimeline(home, id, line) {
  appendFileSync(join(jobFolder(home, id), 'timeline.jsonl'), `${JSON.stringify(line)}\n`);
}

/** @type {typeof import('./job-files.mjs').appendTranscript} */
export function appendTranscript(path, records) {
  mkdirSync(dirname(path), { recursive: true });
  let parent = readLastUuid(path);
  const lines = records.map((record) => {
    const line = 'parentUuid' in record ? { ...record, parentUuid: parent } : record;
    parent = record.uuid ?? parent;
    return `${JSON.stringify(line)}\n`;
  });
  appendFileSync(path, lines.join(''));
}

/** @type {typeof import('./job-files.mjs').writeRenamed} */
export function writeRenamed(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}.tmp`;
  writeFileSync(draft, text);
  renameSync(draft, path);
}

/** @type {typeof import('./job-files.mjs').readJson} */
export function readJson(path) {
  try {
    const value = JSON.parse(readFileSync(path, 'utf8'));
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}

/** @param {string} folder */
function readNames(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** @param {string} path */
function readLastUuid(path) {
  let file;
  try {
    file = openSync(path, 'r');
    const { size } = fstatSync(file);
    const tail = Buffer.alloc(Math.min(size, TAIL_BYTES));
    readSync(file, tail, 0, tail.length, size - tail.length);
    return tail.toString().match(/"uuid":"([^"]+)"(?![\s\S]*"uuid":")/)?.[1] ?? null;
  } catch {
    return null;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

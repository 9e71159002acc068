// What a home's files and the client's listing say, read by the test itself and not by the program under test.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** @typedef {import('./client-home.mjs').ClientHome} ClientHome */

/** Throws when a promise of the test is not kept. @returns {asserts condition} */
export function check(/** @type {unknown} */ condition, /** @type {string} */ promise) {
  if (!condition) throw new Error(promise);
}

/**
 * The first answer of `probe` that is not falsy; throws when none comes in time.
 * @template T
 * @param {string} what
 * @param {() => T | Promise<T>} probe
 * @returns {Promise<NonNullable<T>>}
 */
export async function waitFor(what, probe, timeoutMs = 60_000, everyMs = 250) {
  const end = Date.now() + timeoutMs;
  for (;;) {
    const answer = await probe();
    if (answer) return answer;
    if (Date.now() > end) throw new Error(`waited ${timeoutMs / 1000} s in vain: ${what}`);
    await sleep(everyMs);
  }
}

/** Lets a wrong thing happen, if it is going to. */
export const stable = (/** @type {number} */ ms) => sleep(ms);

export const readText = (/** @type {string} */ path) => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
};

/** Null while a file is being replaced, or is not there. @returns {any} */
export function readJson(/** @type {string} */ path) {
  try {
    return JSON.parse(readText(path));
  } catch {
    return null;
  }
}

const namesIn = (/** @type {string} */ folder) => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};

/** The state of each job, by its id. */
export function readJobs(/** @type {ClientHome} */ home) {
  const folder = join(home.claudeHome, 'jobs');
  /** @type {Map<string, any>} */
  const jobs = new Map();
  for (const id of namesIn(folder)) {
    const state = readJson(join(folder, id, 'state.json'));
    if (state !== null) jobs.set(id, state);
  }
  return jobs;
}

/** The records of a session's transcript, in order. @returns {any[]} */
export function readRecords(/** @type {ClientHome} */ home, /** @type {string} */ sessionId) {
  const projects = join(home.claudeHome, 'projects');
  for (const project of namesIn(projects)) {
    const text = readText(join(projects, project, `${sessionId}.jsonl`));
    if (text === '') continue;
    return text.split('\n').flatMap((line) => {
      try {
        return [JSON.parse(line)];
      } catch {
        return [];
      }
    });
  }
  return [];
}

/** The text of a record's message. @returns {string} */
export function textOf(/** @type {any} */ record) {
  const content = record?.message?.content;
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((/** @type {any} */ part) => part.text ?? '').join('');
}

export function isAlive(/** @type {number} */ pid) {
  const stat = readText(`/proc/${pid}/stat`);
  return stat !== '' && !/^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2));
}

/** The listed sessions of a folder whose process lives; each test session has a folder of its own. */
export async function liveRows(/** @type {ClientHome} */ home, /** @type {string} */ place) {
  const rows = await home.listing();
  return rows.filter((row) => row.cwd === place && row.pid !== undefined && isAlive(row.pid));
}

/** The open and closed claims of the program under test. @returns {any[]} */
export function readClaims(/** @type {ClientHome} */ home) {
  const folder = join(home.claudeHome, 'secondwind', 'claims');
  return namesIn(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => readJson(join(folder, name)))
    .filter((claim) => claim !== null);
}

/** What helps to see why a promise was not kept; no credentials in it. */
export async function describeHome(/** @type {ClientHome} */ home) {
  const tail = (/** @type {string} */ text, lines = 15) => text.trimEnd().split('\n').slice(-lines);
  const listing = await home.listing().catch((error) => [`listing: ${error.message}`]);
  const lines = ['listing:', ...listing.map((row) => JSON.stringify(row))];
  for (const [id, { providerEnv: _, ...state }] of readJobs(home)) {
    lines.push(`jobs/${id}/state.json: ${JSON.stringify(state)}`);
    lines.push(...tail(readText(join(home.claudeHome, 'jobs', id, 'timeline.jsonl')), 4));
    const spoken = readRecords(home, state.sessionId).filter((one) =>
      /^(user|assistant)$/.test(one.type),
    );
    for (const one of spoken.slice(-6)) {
      lines.push(
        `  ${one.type}${one.isMeta ? ' (meta)' : ''} ${one.timestamp}: ${textOf(one).slice(0, 160)}`,
      );
    }
  }
  lines.push('claims:', ...readClaims(home).map((claim) => JSON.stringify(claim)));
  lines.push('daemon.log:', ...tail(readText(join(home.claudeHome, 'daemon.log'))));
  lines.push('tick.log:', ...tail(readText(join(home.claudeHome, 'secondwind', 'tick.log'))));
  return lines.join('\n');
}

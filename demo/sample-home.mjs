// Builds a Claude home whose nine sessions each stopped for another reason, as seen at a given instant.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeLogin } from './stand-in/login.mjs';
import { assistantRecord, userRecord } from './stand-in/records.mjs';
import { writeJob } from './stand-in/write-job.mjs';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const OVERLOADED =
  'API Error: 529 Overloaded. This is a server-side issue, usually temporary — try again in a moment.';
const UNDECIDED = 'Both layouts work; waiting for your decision which one to keep';

/** @type {typeof import('./sample-home.mjs').makeSampleHome} */
export function makeSampleHome(folder, now) {
  const home = join(folder, '.claude');
  writeLogin(home);
  const jobs = sessions(now).map(({ project, ...options }) => {
    const cwd = join(folder, 'projects', project);
    mkdirSync(cwd, { recursive: true });
    const job = { ...options, cwd, sessionId: sessionIdOf(options.id) };
    return writeJob(home, project === 'release' ? { ...job, transcript: openCall(job) } : job);
  });
  writeFileSync(join(home, 'stand-in.json'), JSON.stringify({ resume: { endState: 'done' } }));
  return { home, jobs };
}

/**
 * The five-hour windows of different accounts differ, so that one has opened while another has not.
 * @param {number} now
 */
function sessions(now) {
  return [
    {
      project: 'checkout',
      id: '3f0a91c2',
      name: 'fix flaky checkout tests',
      intent: 'find out why the checkout tests are flaky and fix them',
      shownAt: now - 3 * HOUR_MS,
      resetsAt: wholeMinute(now - 20 * MINUTE_MS),
    },
    {
      project: 'search',
      id: '5b77d1e4',
      name: 'index rebuild',
      intent: 'rebuild the search index without downtime',
      shownAt: now - 7 * MINUTE_MS,
      error: 'server_error',
      detail: OVERLOADED,
    },
    {
      project: 'billing',
      id: '8c12e6a0',
      name: 'invoice export',
      intent: 'write the export of invoices',
      shownAt: now - HOUR_MS,
      resetsAt: wholeMinute(now + 2 * HOUR_MS),
    },
    {
      project: 'mobile',
      id: 'a94d03f7',
      name: 'port to the new router',
      intent: 'move the app to the new router',
      shownAt: now - 5 * HOUR_MS,
      limitType: 'seven_day',
      resetsAt: wholeMinute(now + 3 * DAY_MS),
    },
    {
      project: 'release',
      id: 'b6e8205d',
      name: 'publish 2.4.0',
      intent: 'publish the release',
      shownAt: now - 40 * MINUTE_MS,
      state: 'working',
      error: null,
      detail: 'publishing to the registry',
      needs: 'approve Bash: npm publish',
    },
    {
      project: 'landing-page',
      id: 'c1f94b38',
      name: 'landing page layout',
      intent: 'try two layouts for the landing page',
      shownAt: now - 90 * MINUTE_MS,
      error: null,
      detail: UNDECIDED,
      needs: UNDECIDED,
    },
    {
      project: 'docs',
      id: 'd20b7e69',
      name: 'translate the docs',
      intent: 'translate the docs',
      shownAt: now - 4 * HOUR_MS,
      state: 'stopped',
      error: null,
      detail: 'stopped',
      needs: null,
    },
    {
      project: 'metrics',
      id: 'e5a316fc',
      name: 'dashboard colours',
      intent: 'make the colours of the dashboard accessible',
      shownAt: now - 6 * HOUR_MS,
      state: 'done',
      error: null,
      detail: 'All colours pass the contrast check',
      needs: null,
    },
    {
      project: 'importer',
      id: 'f7c05a92',
      name: 'csv importer',
      intent: 'write the importer',
      shownAt: now - 2 * HOUR_MS,
      error: 'billing_error',
      detail: 'Credit balance is too low',
    },
  ];
}

/** @param {number} at epoch ms */
const wholeMinute = (at) => Math.floor(at / MINUTE_MS) * MINUTE_MS;

/**
 * A conversation whose last word is a call that nobody has allowed yet.
 * @param {{ id: string, cwd: string, intent: string, shownAt: number }} job
 */
function openCall({ id, cwd, intent, shownAt }) {
  const session = { sessionId: sessionIdOf(id), cwd, version: '2.1.332' };
  const input = { command: 'npm publish', description: 'Publish the package' };
  return [
    userRecord(session, shownAt - MINUTE_MS, intent),
    assistantRecord(session, shownAt, [
      { type: 'tool_use', id: 'toolu_sample', name: 'Bash', input },
    ]),
  ];
}

/** @param {string} id */
const sessionIdOf = (id) => `${id}-4c1d-4b7e-9a52-6d8e0f1b3c7a`;

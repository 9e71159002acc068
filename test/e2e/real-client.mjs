// Shows with real clients that each session comes back exactly once: `npm run test:client`, or with
// `-- --versions 2.1.332 --only weekly --keep`. Exits 1 on any failure, and if nothing could be run.
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { findClient } from './client-cache.mjs';
import { makeClientHome } from './client-home.mjs';
import { describeHome } from './evidence.mjs';
import { startMockApi } from './mock-api.mjs';
import { buildProgram } from './program.mjs';
import { scenarios } from './scenarios.mjs';

/** @typedef {import('./client-home.mjs').ClientHome} ClientHome */
/** @typedef {import('./scenarios.mjs').Scenario} Scenario */
/** @typedef {import('./scenarios.mjs').ClientKind} ClientKind */

const { values: options } = parseArgs({
  options: {
    versions: { type: 'string', default: '2.1.170,2.1.233,2.1.332' },
    only: { type: 'string', default: '' },
    jobs: { type: 'string', default: '3' },
    keep: { type: 'boolean', default: false },
  },
});

/** @type {Set<ClientHome>} */
const homes = new Set();
const counts = { passed: 0, failed: 0, skipped: 0 };

const atLeast = (/** @type {string} */ version, /** @type {string} */ other) =>
  version.localeCompare(other, 'en', { numeric: true }) >= 0;

/** Docs: 2.1.252 copies, 2.1.261 wakes in place and says the reset to the second. @returns {ClientKind} */
const kindOf = (/** @type {string} */ version) => ({
  version,
  mode: atLeast(version, '2.1.257') ? 'woken' : 'copied',
  saysSeconds: atLeast(version, '2.1.260'),
});

function say(
  /** @type {'ok' | 'FAILED' | 'not run'} */ verdict,
  /** @type {string} */ what,
  /** @type {number | null} */ startedAt,
  details = '',
) {
  counts[verdict === 'ok' ? 'passed' : verdict === 'FAILED' ? 'failed' : 'skipped'] += 1;
  const seconds = startedAt === null ? '' : `  ${((Date.now() - startedAt) / 1000).toFixed(1)} s`;
  console.log(`${verdict.padEnd(7)}  ${what}${seconds}${details && `\n${details}`}`);
}

async function endHome(/** @type {ClientHome} */ home) {
  if (options.keep) {
    await home.endProcesses();
    console.log(`         kept: ${home.path}`);
  } else await home.end();
  homes.delete(home);
}

async function play(
  /** @type {Scenario} */ scenario,
  /** @type {ClientKind} */ client,
  /** @type {string} */ binary,
  /** @type {string} */ program,
) {
  const startedAt = Date.now();
  const what = `${client.version}  ${scenario.name}`;
  const api = await startMockApi();
  const home = makeClientHome({ binary, program, apiUrl: api.url, places: scenario.places });
  homes.add(home);
  try {
    await scenario.play({ home, api, client });
    say('ok', what, startedAt);
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    const turns = api
      .requests()
      .map((one) => `${one.marker} ${one.isTurn ? 'turn' : 'small'} ${one.answered}`);
    const report = [said, ...home.ticks, await describeHome(home), `api: ${turns.join(', ')}`];
    say('FAILED', what, startedAt, report.join('\n').replace(/^/gm, '    '));
  } finally {
    await endHome(home);
    await api.close();
  }
}

/** All that is to be played; a version that cannot be fetched is said so. */
async function plan(/** @type {string} */ program) {
  const versions = options.versions.split(',').filter((version) => version !== '');
  const plays = [];
  for (const version of versions) {
    const client = kindOf(version);
    const chosen = scenarios.filter(
      (one) => one.name.includes(options.only) && (!one.inPlaceOnly || client.mode === 'woken'),
    );
    const found = await findClient(version);
    for (const scenario of chosen) {
      if ('why' in found) say('not run', `${version}  ${scenario.name}: ${found.why}`, null);
      else plays.push(() => play(scenario, client, found.binary, program));
    }
  }
  return plays;
}

const program = buildProgram();

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
  process.once(signal, async () => {
    program.remove();
    await Promise.allSettled([...homes].map((home) => home.end()));
    process.exit(130);
  });
}

if (existsSync('/proc/self/environ')) {
  const plays = await plan(program.script);
  const worker = async () => {
    for (let next = plays.shift(); next !== undefined; next = plays.shift()) await next();
  };
  await Promise.all(Array.from({ length: Math.max(1, Number(options.jobs)) }, worker));
} else say('not run', 'this system has no /proc, by which the client’s processes are found', null);
program.remove();

const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : '';
console.log(`${counts.passed} passed, ${counts.failed} failed${skipped}`);
process.exitCode = counts.failed > 0 || counts.passed === 0 ? 1 : 0;

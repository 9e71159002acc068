// Runs the program under test as its users' schedulers do: a child with the home's environment and nothing else.
import { spawn } from 'node:child_process';
import { check } from './evidence.mjs';

/** @typedef {import('./client-home.mjs').ClientHome} ClientHome */

/**
 * How a tick ended. `report` is what it printed as JSON, null when it was killed or printed none.
 * @typedef {{ code: number | null, signal: string | null, stdout: string, stderr: string, report: any }} Ended
 */

/** Starts a tick; `ended` resolves once it is over. Every tick of a home is kept in `home.ticks`. */
export function startTick(/** @type {ClientHome} */ home, /** @type {string[]} */ ...flags) {
  const own = ['--claude-home', home.claudeHome, '--claude-bin', home.binary, '--margin', '1s'];
  const child = spawn(process.execPath, [home.program, 'tick', '--json', ...own, ...flags], {
    cwd: home.path,
    env: home.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), 300_000);
  const ended = new Promise((/** @type {(ended: Ended) => void} */ resolve) => {
    // Not `close`: a detached child of a killed tick may hold its pipes open.
    child.on('exit', (code, signal) => {
      clearTimeout(timer);
      setTimeout(() => {
        const tick = { code, signal, stdout, stderr, report: parse(stdout) };
        home.ticks.push(`tick ${flags.join(' ')} → ${code ?? signal}\n${stdout}${stderr}`);
        resolve(tick);
      }, 100);
    });
  });
  return { child, ended };
}

const parse = (/** @type {string} */ text) => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/** Runs a tick to its end; it must exit 0 and print its report. @returns {Promise<any>} */
export async function runTick(/** @type {ClientHome} */ home, /** @type {string[]} */ ...flags) {
  const tick = await startTick(home, ...flags).ended;
  check(tick.code === 0, `tick exits ${tick.code ?? tick.signal} and not 0`);
  check(tick.report !== null, 'tick prints no JSON');
  check(tick.report.version === 1, `tick prints version ${tick.report.version}`);
  return tick.report;
}

/** The decision about a session of that folder: the one that acted, if several jobs are of it. */
export function decisionOf(/** @type {any} */ report, /** @type {{ place: string }} */ session) {
  const decisions = (report.decisions ?? []).filter(
    (/** @type {any} */ one) => one.cwd === session.place,
  );
  return decisions.find((/** @type {any} */ one) => one.outcome !== null) ?? decisions[0] ?? null;
}

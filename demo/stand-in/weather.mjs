// What the stand-in is told to do otherwise than well, read anew at each call from `<home>/stand-in.json`.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

// A call that hangs ends by itself after this long, so that no test leaves one behind for ever.
const HANG_MS = 120_000;

/**
 * @param {string} home
 * @returns {import('./weather.mjs').Weather}
 */
export function readWeather(home) {
  const told = readTold(home);
  const mode = told.mode ?? 'in_place';
  return {
    mode,
    version: told.version ?? (mode === 'copy' ? '2.1.233' : '2.1.332'),
    listing: told.listing ?? {},
    resume: told.resume ?? {},
    stop: told.stop ?? {},
  };
}

/** @param {string} home */
function readTold(home) {
  try {
    return JSON.parse(readFileSync(join(home, 'stand-in.json'), 'utf8'));
  } catch {
    return {};
  }
}

/**
 * Runs a command under its disturbances: delayed, hanging, replaced by a canned answer, or with its caller killed.
 * @param {import('./weather.mjs').Disturbance} knobs
 * @param {() => number} act the command; returns its exit status
 */
export async function disturb(knobs, act) {
  if (knobs.killParent === 'before') killParent();
  if (knobs.delayMs !== undefined) await sleep(knobs.delayMs);
  if (knobs.hang) await hang(knobs.hang);
  if (knobs.stderr !== undefined) process.stderr.write(`${knobs.stderr}\n`);
  if (knobs.stdout !== undefined) process.stdout.write(knobs.stdout);
  const isCanned = knobs.stdout !== undefined || knobs.exit !== undefined;
  const status = isCanned ? (knobs.exit ?? 0) : act();
  if (knobs.killParent === 'after') killParent();
  if (knobs.hangAfter) await hang(knobs.hangAfter);
  return knobs.exitAfter ?? status;
}

/** @param {true | 'stubborn'} how `stubborn` ignores SIGTERM and SIGINT as well */
async function hang(how) {
  if (how === 'stubborn') for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => {});
  await sleep(HANG_MS);
  process.exit(1);
}

// Shows a caller that dies in the middle of a launch. Never init: the caller may be gone already.
function killParent() {
  if (process.ppid > 1) process.kill(process.ppid, 'SIGKILL');
}

// What the parts share: the request, the program that is run in place of the tick, and waiting for it.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** A tick that leaves a child of its own behind, as a resumed session is, and says so. Its path is an odd one. */
export function prepare(folder, driver, scheduler) {
  const odd = join(folder, `100% o'dd $HOME "dir"`);
  mkdirSync(odd);
  const program = join(odd, 'tick.mjs');
  writeFileSync(
    program,
    `import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
const child = spawn('sleep', ['300'], { detached: true, stdio: 'ignore' });
child.unref();
writeFileSync(new URL('ticked', import.meta.url), JSON.stringify({ child: child.pid, argv: process.argv.slice(2) }));
console.log('ticked');
`,
  );
  const stateFolder = join(odd, 'state');
  const request = {
    scheduler,
    isPrint: false,
    schedule: '* * * * *',
    zone: 'UTC',
    stateFolder,
    command: { node: process.execPath, program, claudeHomes: [join(odd, 'home')] },
    isLinger: false,
    useInterval: false,
    templatesFolder: fileURLToPath(new URL('../..', import.meta.url)),
  };
  const drive = (verb) => {
    const args = [driver, verb, JSON.stringify(request)];
    const answer = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
    if (!answer.done.ok) throw new Error(`${verb}: ${answer.done.failure.message}`);
    return { ...answer.done.value, installed: answer.installed };
  };
  return { request, drive, ticked: join(odd, 'ticked'), log: join(stateFolder, 'tick.log') };
}

export function expect(isTrue, what) {
  if (!isTrue) throw new Error(`not so: ${what}`);
  console.log(`    ${what}`);
}

export async function waitFor(look, what, boundMs) {
  const end = Date.now() + boundMs;
  while (Date.now() < end) {
    if (look()) return;
    await wait(200);
  }
  throw new Error(`waited ${boundMs / 1000} s in vain: ${what}`);
}

export function readTick(path) {
  if (!existsSync(path)) return null;
  const text = readFileSync(path, 'utf8');
  return text.endsWith('}') ? JSON.parse(text) : null;
}

export function isAlive(pid) {
  try {
    // A zombie has ended; nobody has asked for its status yet.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

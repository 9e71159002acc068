// Loaded before a tick: counts what it does to the disk and to processes, and kills it right before step number KILL_AT.
// With KILL_KIDS=1 what it started dies with it. Every pid started is noted in KILL_NOTES; at a whole run's end, the
// count of steps.
import children from 'node:child_process';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const { KILL_AT, KILL_KIDS, KILL_NOTES = '' } = process.env;
const notes = fs.openSync(KILL_NOTES, 'a');
const append = fs.writeSync.bind(fs, notes);
const started = [];
let steps = 0;

/**
 * @param {object} module
 * @param {string} name
 * @param {(args: unknown[]) => boolean} counts
 */
function watch(module, name, counts = () => true) {
  const real = module[name];
  module[name] = (...args) => {
    if (!counts(args)) return real(...args);
    steps += 1;
    if (steps === Number(KILL_AT)) die();
    const result = real(...args);
    if (module === children && result.pid !== undefined) {
      started.push(result.pid);
      append(`pid ${result.pid}\n`);
    }
    return result;
  };
}

function die() {
  for (const pid of KILL_KIDS === '1' ? started : []) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  }
  process.kill(process.pid, 'SIGKILL');
}

// What is written before a rename or a link is no step: until then it is a file of no meaning.
for (const name of ['renameSync', 'linkSync', 'unlinkSync', 'rmSync', 'mkdirSync', 'rm']) {
  watch(fs, name);
}
watch(fs, 'openSync', ([, flags]) => flags === 'w');
watch(children, 'spawn');
syncBuiltinESMExports();
process.on('exit', () => append(`steps ${steps}\n`));

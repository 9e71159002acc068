// A real cron daemon: ticks within its minute, twice is once, and the crontab comes back to the byte.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, isAlive, prepare, readTick, waitFor } from './part.mjs';

const [folder, driver] = process.argv.slice(2);
const { request, drive, ticked, log } = prepare(folder, driver, 'cron');
const list = () => execFileSync('crontab', ['-l']);
const before = Buffer.from(
  'MAILTO=""\n\n# caf\xe9 100% # BEGIN other\n5 5 1 1 * true\t\n\n',
  'latin1',
);
execFileSync('crontab', ['-'], { input: before });

expect(drive('install').isChanged, 'installed into a crontab that has lines of its own');
const once = list();
expect(once.subarray(0, before.length).equals(before), 'those lines are as they were');
expect(!drive('install').isChanged && list().equals(once), 'twice is once');
await waitFor(() => readTick(ticked) !== null, 'the tick', 90_000);
const tick = readTick(ticked);
expect(
  tick.argv.join(' ') === `tick --claude-home ${request.command.claudeHomes[0]}`,
  'the daemon ticks within its minute, with its words as they were meant',
);
await waitFor(() => readFileSync(log, 'utf8').includes('ticked'), 'tick.log', 5000);
expect(true, 'its output is in tick.log');
expect(isAlive(tick.child), 'what it started lives on');
process.kill(tick.child);
const removed = drive('uninstall');
expect(removed.isChanged && removed.installed.length === 0, 'uninstalled');
expect(list().equals(before), 'the crontab is the same to the byte');
expect(!drive('uninstall').isChanged, 'uninstalling again changes nothing');

execFileSync('crontab', ['-r']);
drive('install');
drive('uninstall');
let said = '';
try {
  execFileSync('crontab', ['-l'], { stdio: 'pipe' });
} catch (error) {
  said = String(error.stderr);
}
expect(said.includes('no crontab for'), 'where there was no crontab there is none again');

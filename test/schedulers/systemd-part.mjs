// A real systemd --user: runs the timer, and only KillMode=process lets a resumed session outlive the tick.
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, isAlive, prepare, readTick, waitFor } from './part.mjs';

const [folder, driver] = process.argv.slice(2);
const { request, drive, ticked } = prepare(folder, driver, 'systemd');
const units = join(process.env.HOME, '.config/systemd/user');
const systemctl = (...args) =>
  execFileSync('systemctl', ['--user', ...args], { encoding: 'utf8' }).trim();
const service = join(units, 'secondwind.service');
const hasEnded = () =>
  /^(inactive|failed)$/.test(
    systemctl('show', 'secondwind.service', '--property=ActiveState', '--value'),
  );

const report = drive('install');
expect(report.isChanged && report.installed[0].value.isActive, 'installed, the timer is active');
expect(report.installed[0].value.killMode === 'process', 'the manager has KillMode=process');
const { node, program } = request.command;
expect(
  report.installed[0].value.command.slice(0, 2).join() === [node, program].join(),
  'the odd path is read back as it was',
);
expect(!drive('install').isChanged, 'twice is once');
const names = ['secondwind.service', 'secondwind.timer'].map((name) => join(units, name));
const verified = spawnSync('systemd-analyze', ['--user', 'verify', ...names], { encoding: 'utf8' });
expect(
  verified.status === 0 && verified.stdout + verified.stderr === '',
  `systemd-analyze verify is clean ${verified.stdout}${verified.stderr}`,
);

await waitFor(() => readTick(ticked) !== null, 'the tick of the timer', 150_000);
const first = readTick(ticked);
expect(
  first.argv.join(' ') === `tick --claude-home ${request.command.claudeHomes[0]}`,
  'the timer ticks, with its words as they were meant',
);
await waitFor(hasEnded, 'the end of the unit', 10_000);
await wait(1500);
expect(isAlive(first.child), 'with KillMode=process a child outlives the unit');
process.kill(first.child);

// The timer must not tick beside what follows.
systemctl('stop', 'secondwind.timer');
writeFileSync(service, readFileSync(service, 'utf8').replace('KillMode=process\n', ''));
systemctl('daemon-reload');
rmSync(ticked, { force: true });
systemctl('start', 'secondwind.service');
const second = readTick(ticked);
await waitFor(hasEnded, 'the end of the unit', 10_000);
await waitFor(() => !isAlive(second.child), 'the end of the child', 10_000);
expect(second.child !== first.child, 'without it the child is killed with the unit');

expect(drive('install').isChanged, 'installing again mends the unit');
expect(systemctl('is-active', 'secondwind.timer') === 'active', 'and starts the timer');
expect(drive('uninstall').installed.length === 0, 'uninstalled');
expect(readdirSync(units).join() === '', 'no unit and no link is left');
const known = systemctl('list-units', '--all', '--no-legend', 'secondwind*');
expect(known === '', 'the manager knows of none');
expect(!drive('uninstall').isChanged, 'uninstalling again changes nothing');

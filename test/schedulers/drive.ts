// Installs or uninstalls on the machine it runs on: `drive.ts install|uninstall REQUEST`, the request as JSON.
import { homedir, hostname, userInfo } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { install, readInstalled, uninstall } from '../../src/schedule/install.ts';
import type { InstallRequest, Machine } from '../../src/schedule/machine.ts';
import { commandRunner } from '../../src/schedule/run-command.ts';
import { parseSchedule } from '../../src/schedule/schedule.ts';

const machine: Machine = {
  platform: process.platform,
  uid: process.getuid?.() ?? 0,
  user: userInfo().username,
  host: hostname(),
  env: process.env,
  home: process.env['HOME'] ?? homedir(),
  run: commandRunner(process.env),
  now: () => Date.now(),
  wait: async (durationMs) => void (await wait(durationMs)),
};

const [verb, text = '{}'] = process.argv.slice(2);
const { schedule, ...rest } = JSON.parse(text) as { schedule: string } & Omit<
  InstallRequest,
  'schedule'
>;
const parsed = parseSchedule(schedule);
if (!parsed.ok) throw new Error(parsed.failure.message);
const request: InstallRequest = { ...rest, schedule: parsed.value };
const done =
  verb === 'install' ? await install(request, machine) : await uninstall(request, machine);
process.stdout.write(JSON.stringify({ done, installed: await readInstalled(machine) }));

// Installing and uninstalling on a machine that answers as real ones do.
import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { install, readInstalled, uninstall } from '../../src/schedule/install.ts';
import type { InstallRequest, Machine, UninstallRequest } from '../../src/schedule/machine.ts';
import {
  contentOf,
  every,
  fakeMachine,
  installRequest,
  NOW,
  schedule,
  uninstallRequest,
} from './fake-machine.ts';

async function put(machine: Machine, changes: Partial<InstallRequest> = {}) {
  const done = await install(installRequest(machine, changes), machine);
  if (!done.ok) throw new Error(done.failure.message);
  return done.value;
}

async function take(machine: Machine, changes: Partial<UninstallRequest> = {}) {
  const done = await uninstall(uninstallRequest(machine, changes), machine);
  if (!done.ok) throw new Error(done.failure.message);
  return done.value;
}

const MACHINES = [
  ['cron', () => fakeMachine({ has: ['cron'], crontab: 'MAILTO=x\n0 1 * * * y' })],
  ['systemd', () => fakeMachine()],
  ['launchd', () => fakeMachine({ platform: 'darwin' })],
] as const;

describe.each(MACHINES)('%s', (name, make) => {
  test('is chosen, ticks next at the time it says, and is read back', async () => {
    const machine = make();
    const report = await put(machine);
    expect(report).toMatchObject({ scheduler: name, isChanged: true, removed: [] });
    expect(report.nextRunAt).toBe(NOW + 7 * 60_000);
    const [installed] = await readInstalled(machine);
    expect(installed).toMatchObject({
      ok: true,
      value: {
        scheduler: name,
        command: ['/usr/bin/node', '/opt/secondwind/bin/secondwind.js', 'tick'],
        isActive: name === 'cron' ? null : true,
        killMode: name === 'systemd' ? 'process' : null,
        abandonsProcessGroup: name === 'launchd' ? true : null,
      },
    });
  });

  test('says unchanged the second time and does nothing', async () => {
    const machine = make();
    await put(machine);
    const files = contentOf(machine.home);
    const { crontab } = machine;
    machine.commands.length = 0;
    const again = await put(machine);
    expect(again.isChanged).toBe(false);
    expect(again.lines[0]).toMatch(/^unchanged/);
    expect(contentOf(machine.home)).toEqual(files);
    expect(machine.crontab).toBe(crontab);
    expect(
      machine.commands.filter((line) => !/-l$|show|is-system|print|version/.test(line)),
    ).toEqual([]);
  });

  test('takes a changed schedule, and uninstalls to what was there before', async () => {
    const machine = make();
    const { crontab } = machine;
    await put(machine);
    expect((await put(machine, { schedule: schedule('3 * * * *') })).isChanged).toBe(true);
    const [installed] = await readInstalled(machine);
    expect(installed?.ok && installed.value.schedule).toMatch(/3/);
    expect(await take(machine)).toMatchObject({ isChanged: true, removed: [name] });
    expect(Object.values(contentOf(machine.home)).filter((text) => text !== 'folder')).toEqual([]);
    // The crontab command refuses one without a newline at its end.
    expect(machine.crontab).toBe(crontab === null ? null : `${crontab}\n`);
    expect(machine.timer).toEqual({ isActive: false, isEnabled: false });
    expect(machine.isLoaded).toBe(false);
    expect(await readInstalled(machine)).toEqual([]);
    expect(await take(machine)).toMatchObject({
      isChanged: false,
      lines: ['nothing was installed'],
    });
  });

  test('prints every file and command and changes nothing', async () => {
    const machine = make();
    const { crontab } = machine;
    const report = await put(machine, { isPrint: true });
    expect(report.isChanged).toBe(false);
    expect(report.lines.join('\n')).toContain('/opt/secondwind/bin/secondwind.js');
    expect(report.lines.join('\n')).toMatch(/run (crontab|systemctl|launchctl)/);
    expect(contentOf(machine.home)).toEqual({});
    expect(machine.crontab).toBe(crontab);
    await put(machine);
    expect((await take(machine, { isPrint: true })).isChanged).toBe(false);
    expect(await readInstalled(machine)).toHaveLength(1);
  });

  test('leaves nothing half-installed, whichever command fails', async () => {
    const clean = make();
    await put(clean, { isLinger: true });
    for (const line of new Set(clean.commands)) {
      const machine = make();
      const before = machine.crontab;
      machine.failing = new RegExp(`^${escaped(line)}$`);
      const done = await install(
        installRequest(machine, { isLinger: true, scheduler: name }),
        machine,
      );
      if (done.ok) continue;
      expect(['unavailable', 'state']).toContain(done.failure.kind);
      expect(done.failure.message).toMatch(
        /it broke|did not become active|does not list|KillMode is unknown/,
      );
      if (!line.includes('daemon-reload')) {
        expect(done.failure.message).not.toContain('undoing it failed');
      }
      expect(contentOf(machine.home)).toEqual({});
      expect(machine.timer).toEqual({ isActive: false, isEnabled: false });
      expect([before, `${before}\n`]).toContain(machine.crontab);
      expect(machine.isLoaded).toBe(false);
    }
  });

  test('keeps the old schedule when a change of it fails', async () => {
    const machine = make();
    await put(machine);
    const files = contentOf(machine.home);
    const { crontab } = machine;
    machine.failing = /^crontab -$|restart|^launchctl bootstrap/;
    const run = machine.run;
    let failures = 0;
    // It fails once: what undoes it gets through.
    const once: Machine = {
      ...machine,
      run: (command, args, options) => {
        if (machine.failing?.test([command, ...args].join(' '))) failures += 1;
        if (failures > 0) machine.failing = failures === 1 ? machine.failing : null;
        const answer = run(command, args, options);
        if (failures === 1) machine.failing = null;
        return answer;
      },
    };
    const done = await install(installRequest(once, { schedule: schedule('3 * * * *') }), once);
    expect(done).toMatchObject({ ok: false, failure: { kind: 'unavailable' } });
    expect(contentOf(machine.home)).toEqual(files);
    expect(machine.crontab).toBe(crontab);
    expect(machine.isLoaded).toBe(name === 'launchd');
    expect(machine.timer.isActive).toBe(name === 'systemd');
  });
});

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

describe('choosing', () => {
  test('takes the one that was asked for, and takes ours off the others', async () => {
    const machine = fakeMachine({ crontab: 'a\n' });
    expect((await put(machine, { scheduler: 'cron' })).scheduler).toBe('cron');
    expect(await put(machine)).toMatchObject({ scheduler: 'systemd', removed: ['cron'] });
    expect(machine.crontab).toBe('a\n');
    expect(await put(machine, { scheduler: 'cron' })).toMatchObject({ removed: ['systemd'] });
    expect(machine.timer.isActive).toBe(false);
    expect(await readInstalled(machine)).toHaveLength(1);
  });

  test.each([
    ['no scheduler at all', { has: [] }, null, /systemctl: ENOENT; crontab: ENOENT/],
    ['no systemd where it was asked for', { has: ['cron'] }, 'systemd', /systemd cannot be used/],
    ['launchd on Linux', {}, 'launchd', /on macOS only/],
  ] as const)('says so when there is %s', async (_name, options, scheduler, message) => {
    const machine = fakeMachine(options);
    expect(await install(installRequest(machine, { scheduler }), machine)).toMatchObject({
      ok: false,
      failure: { kind: 'unavailable', message: expect.stringMatching(message) },
    });
  });

  test('refuses an interval but for launchd, and one that is none', async () => {
    const linux = fakeMachine();
    const asked = { useInterval: true, schedule: every(15) };
    expect(await install(installRequest(linux, asked), linux)).toMatchObject({
      failure: { kind: 'usage' },
    });
    const mac = fakeMachine({ platform: 'darwin' });
    expect(await put(mac, asked)).toMatchObject({ nextRunAt: NOW + 900_000 });
    expect(await install(installRequest(mac, { useInterval: true }), mac)).toMatchObject({
      failure: { kind: 'usage' },
    });
  });
});

describe('a crontab', () => {
  const cronOnly = (crontab: string | null = null) => fakeMachine({ has: ['cron'], crontab });

  test.each([
    ['no crontab for ann\n'],
    ['crontab: no crontab for ann\n'],
    ["crontab: can't open 'ann': No such file or directory\n"],
  ])('is empty where it says %j', async (words) => {
    const machine = cronOnly();
    machine.emptyWords = words;
    await put(machine);
    expect(machine.crontab).toMatch(/^# BEGIN secondwind\n.*\n# END secondwind\n$/);
    await take(machine);
    expect(machine.crontab).toBeNull();
  });

  test.each([
    ['You (ann) are not allowed to use this program (crontab)\n'],
    ["crontab: can't change directory to '/var/spool/cron/crontabs': No such file or directory\n"],
    ['crontabs/ann/: fopen: Permission denied\n'],
    [''],
  ])('is not empty where it fails with %j', async (words) => {
    const machine = cronOnly();
    machine.emptyWords = words;
    const done = await install(installRequest(machine), machine);
    expect(done).toMatchObject({ ok: false, failure: { kind: 'unavailable' } });
    expect(machine.crontab).toBeNull();
    expect(contentOf(machine.home)).toEqual({});
  });

  test('that cannot be written is none still, and said so', async () => {
    const machine = cronOnly();
    machine.failing = /^crontab -$/;
    const message = 'crontab -: it broke (nothing was changed)';
    expect(await install(installRequest(machine), machine)).toMatchObject({
      ok: false,
      failure: { kind: 'unavailable', message },
    });
  });

  test('with half a marker is refused and stays', async () => {
    const machine = cronOnly('# BEGIN secondwind\nx\n');
    for (const done of [
      await install(installRequest(machine), machine),
      await uninstall(uninstallRequest(machine), machine),
    ]) {
      expect(done).toMatchObject({ ok: false, failure: { kind: 'state' } });
    }
    expect(machine.crontab).toBe('# BEGIN secondwind\nx\n');
    expect(await readInstalled(machine)).toMatchObject([{ ok: false }]);
  });

  test('is kept as it was before the first install, for its owner only', async () => {
    const machine = cronOnly('a\xe9\n');
    await put(machine);
    await put(machine, { schedule: schedule('3 * * * *') });
    const backup = join(machine.home, '.claude/secondwind/crontab.backup');
    expect(readFileSync(backup, 'latin1')).toBe('a\xe9\n');
    expect(statSync(backup).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(backup)).mode & 0o777).toBe(0o700);
  });

  test('of any text is the same after installing and uninstalling', async () => {
    const texts = fc
      .string({ unit: fc.integer({ min: 1, max: 255 }).map((code) => String.fromCharCode(code)) })
      .map((text) => `${text}\n`);
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        const machine = cronOnly(text);
        await put(machine);
        await take(machine);
        expect(machine.crontab).toBe(text);
      }),
      { numRuns: 25 },
    );
  });
});

describe('systemd', () => {
  test('says that it needs a login, and lingers only when asked to', async () => {
    const machine = fakeMachine();
    expect((await put(machine)).lines.join('\n')).toMatch(/--linger/);
    expect(machine.isLingering).toBe(false);
    expect((await put(machine, { isLinger: true })).isChanged).toBe(true);
    expect(machine.isLingering).toBe(true);
    expect((await put(machine, { isLinger: true })).isChanged).toBe(false);
    await take(machine);
    expect(machine.isLingering).toBe(true);
  });

  test.each(['secondwind.timer', 'secondwind.service'])('leaves a %s of others', async (name) => {
    const machine = fakeMachine();
    const path = join(machine.home, '.config/systemd/user', name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, '[Timer]\n');
    const before = contentOf(machine.home);
    for (const done of [
      await install(installRequest(machine), machine),
      await uninstall(uninstallRequest(machine), machine),
    ]) {
      const message = expect.stringMatching(/by hand/);
      expect(done).toMatchObject({ ok: false, failure: { kind: 'state', message } });
    }
    expect(contentOf(machine.home)).toEqual(before);
  });

  test('leaves a unit that is a link', async () => {
    const machine = fakeMachine();
    const path = join(machine.home, '.config/systemd/user/secondwind.timer');
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(`${path}.mine`, '# Written by secondwind; changes are kept only');
    symlinkSync(`${path}.mine`, path);
    expect(await install(installRequest(machine), machine)).toMatchObject({
      ok: false,
      failure: { message: expect.stringMatching(/is a link/) },
    });
  });

  test('refuses a drop-in that would kill the sessions, and puts all back', async () => {
    const machine = fakeMachine();
    machine.killMode = 'control-group';
    expect(await install(installRequest(machine), machine)).toMatchObject({
      ok: false,
      failure: { kind: 'unavailable', message: expect.stringMatching(/KillMode is control-group/) },
    });
    expect(contentOf(machine.home)).toEqual({});
  });

  test('is taken off without its manager, link and stamp too', async () => {
    const machine = fakeMachine();
    await put(machine);
    const stamp = join(machine.home, '.local/share/systemd/timers/stamp-secondwind.timer');
    mkdirSync(dirname(stamp), { recursive: true });
    writeFileSync(stamp, '');
    machine.failing = /^systemctl/;
    expect((await take(machine)).lines.join('\n')).toMatch(/does not answer/);
    expect(Object.values(contentOf(machine.home)).filter((text) => text !== 'folder')).toEqual([]);
  });
});

test.skipIf(process.getuid?.() === 0)('a home that cannot be written is said so', async () => {
  const machine = fakeMachine();
  mkdirSync(join(machine.home, '.config'), { mode: 0o500 });
  expect(await install(installRequest(machine), machine)).toMatchObject({
    ok: false,
    failure: { kind: 'state' },
  });
});

test('a file where a folder should be fails and leaves it', async () => {
  const machine = fakeMachine();
  writeFileSync(join(machine.home, '.config'), 'x');
  const done = await install(installRequest(machine), machine);
  expect(done).toMatchObject({ ok: false, failure: { kind: 'state' } });
  expect(contentOf(machine.home)).toEqual({ '.config': 'x' });
  expect(existsSync(join(machine.home, '.claude'))).toBe(false);
});

// The files that schedulers are given, byte for byte. `npx vitest run test/schedule -u` writes them anew.
import { expect, test } from 'vitest';
import { renderCronLines } from '../../src/schedule/cron.ts';
import { renderPlist } from '../../src/schedule/launchd.ts';
import type { InstallRequest } from '../../src/schedule/machine.ts';
import { renderUnits } from '../../src/schedule/systemd.ts';
import { every, fakeMachine, installRequest, schedule } from './fake-machine.ts';

const ODD: Partial<InstallRequest> = {
  schedule: schedule('0 8-9 13 * 5'),
  command: {
    node: '/opt/no de/$x/node',
    program: '/home/ann\'s/100%/<bin> & "co"/secondwind.js',
    claudeHomes: ['/srv/$HOME/%h', '/srv/håll\\t'],
  },
};

const CASES: [string, Partial<InstallRequest>][] = [
  ['plain', {}],
  ['odd', ODD],
];

test.each(CASES)('%s', async (name, changes) => {
  const request = installRequest(fakeMachine(), { stateFolder: '/home/ann/.claude/s', ...changes });
  const cron = renderCronLines(request);
  const units = renderUnits(request);
  const plist = renderPlist(request);
  if (!cron.ok || !units.ok || !plist.ok) throw new Error('not rendered');
  const golden = (file: string) => `golden/${name}/${file}`;
  await expect(`${cron.value.join('\n')}\n`).toMatchFileSnapshot(golden('crontab'));
  for (const [file, text] of Object.entries(units.value)) {
    await expect(text).toMatchFileSnapshot(golden(file));
  }
  await expect(plist.value).toMatchFileSnapshot(golden('dev.secondwind.tick.plist'));
});

test('interval', async () => {
  const request = installRequest(fakeMachine(), {
    stateFolder: '/home/ann/.claude/s',
    schedule: every(15),
    useInterval: true,
  });
  const plist = renderPlist(request);
  await expect(plist.ok && plist.value).toMatchFileSnapshot('golden/interval.plist');
});

test.each([
  ['a relative program', { command: { node: '/n', program: 'x.js', claudeHomes: [] } }],
  ['a line break', { command: { node: '/n', program: '/x\n* * * * * evil', claudeHomes: [] } }],
  ['a relative home', { command: { node: '/n', program: '/x', claudeHomes: ['~/c'] } }],
])('%s is refused by all', (_name, changes) => {
  const request = installRequest(fakeMachine(), changes);
  for (const render of [renderCronLines, renderUnits, renderPlist]) {
    expect(render(request)).toMatchObject({ ok: false, failure: { kind: 'usage' } });
  }
});

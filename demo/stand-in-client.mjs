#!/usr/bin/env node
// Answers `claude`'s command line over the files of one Claude home, as the real client was measured to, without any
// traffic: the demo's client, and the tests'. What differs from call to call is read from `<home>/stand-in.json`.
import { homeOf, recordCall } from './stand-in/calls.mjs';
import { daemonStatus, list } from './stand-in/listing.mjs';
import { resume } from './stand-in/resume.mjs';
import { stop } from './stand-in/stop.mjs';
import { disturb, readWeather } from './stand-in/weather.mjs';

const argv = process.argv.slice(2);
const home = homeOf(process.env);
recordCall(home, argv);
const weather = readWeather(home);
process.exitCode = await answer(argv[0]);

/**
 * @param {string | undefined} command
 * @returns {Promise<number> | number} the exit status
 */
function answer(command) {
  if (command === '--version' || command === '-v') {
    process.stdout.write(`${weather.version} (Claude Code)\n`);
    return 0;
  }
  if (command === 'agents' && argv.includes('--json')) {
    return disturb(weather.listing, () => list(home, weather.listing, argv.includes('--all')));
  }
  if (command === 'stop')
    return disturb(weather.stop, () => stop(home, weather.stop, argv[1] ?? ''));
  if (command === 'daemon' && argv[1] === 'status') return daemonStatus(home, weather.version);
  if (argv.includes('--bg')) return resume(home, weather, argv);
  process.stderr.write(`the stand-in client has no command '${argv.join(' ')}'\n`);
  return 1;
}

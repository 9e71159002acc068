// A whole tick as a process of its own, with short bounds: what races and crashes are made of.

import { tick } from '../../src/watchdog/tick.ts';
import { requestFor, type TickOptions } from '../run-tick.ts';

const [home = '', options = '{}'] = process.argv.slice(2);
const result = await tick(requestFor(home, JSON.parse(options) as TickOptions));
if (!result.ok) {
  process.stderr.write(`${result.failure.kind}: ${result.failure.message}\n`);
  process.exitCode = 1;
} else {
  const { sessions, notices } = result.value;
  const ends = sessions.flatMap(({ outcome }) => (outcome === null ? [] : [outcome.result]));
  process.stdout.write(`${JSON.stringify({ looked: sessions.length > 0, ends, notices })}\n`);
}

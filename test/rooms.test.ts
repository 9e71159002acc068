// Holds the import table of the rooms: who may import whom, and that core stays pure.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const source = fileURLToPath(new URL('../src', import.meta.url));
const rooms: Record<string, { rooms: string[]; node: boolean; libraries: string[] }> = {
  core: { rooms: ['core'], node: false, libraries: ['chrono-node/en'] },
  store: { rooms: ['core', 'store'], node: true, libraries: ['proper-lockfile'] },
  claude: { rooms: ['core', 'store', 'claude'], node: true, libraries: ['execa'] },
  schedule: {
    rooms: ['core', 'store', 'schedule'],
    node: true,
    libraries: ['cron-parser', 'execa'],
  },
  resume: { rooms: ['core', 'store', 'claude', 'resume'], node: true, libraries: [] },
  watchdog: { rooms: ['core', 'store', 'claude', 'resume', 'watchdog'], node: true, libraries: [] },
  cli: {
    rooms: ['core', 'store', 'claude', 'resume', 'watchdog', 'cli'],
    node: true,
    libraries: ['commander'],
  },
};

const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => join(source, name));

function importsOf(text: string): string[] {
  return [...text.matchAll(/(?:from\s*|import\s*\(?\s*)['"]([^'"]+)['"]/g)].map((m) => m[1] ?? '');
}

test.each(files.map((file) => [relative(source, file), file]))(
  '%s imports only what its room may',
  (name, file) => {
    const room = rooms[name.split('/')[0] ?? ''];
    expect(room, `${name} is in no known room`).toBeDefined();
    if (room === undefined) return;
    const bad = importsOf(readFileSync(file, 'utf8')).filter((target) => {
      if (target.startsWith('node:')) return !room.node;
      if (!target.startsWith('.')) return !room.libraries.includes(target);
      const to = relative(source, resolve(dirname(file), target)).split('/')[0] ?? '';
      // Generated or data files beside src are the store's own business (the ledger's schema).
      return to !== '..' && !room.rooms.includes(to);
    });
    expect(bad).toEqual([]);
  },
);

test.each(
  files
    .filter((file) => relative(source, file).startsWith('core/'))
    .map((file) => [relative(source, file), file]),
)('%s reads no clock, no process and no console', (_name, file) => {
  const code = readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
  expect(code.match(/Date\.now\(|new Date\(\)|(?<![.\w])(?:process|console)\.[a-z]/g)).toBeNull();
});

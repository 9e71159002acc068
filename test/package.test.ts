// What is published runs without any installed dependency and carries the notices of what it contains.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
let folder: string;
let unpacked: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'secondwind-package-'));
  if (!existsSync(join(root, 'dist/main.cjs')))
    execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: root });
  execFileSync('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], {
    cwd: root,
    stdio: 'ignore',
  });
  const archive = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
  execFileSync('tar', ['-xzf', archive], { cwd: folder });
  unpacked = join(folder, 'package');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (...args: string[]): string =>
  execFileSync(process.execPath, [join(unpacked, 'bin/secondwind.js'), ...args], {
    encoding: 'utf8',
    cwd: folder,
    env: { PATH: '/usr/bin:/bin', HOME: folder },
  });

test('the packed program says its version and its help with no dependency beside it', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  expect(run('--version').trim()).toBe(version);
  expect(run('tick', '--help')).toContain('--max-per-day');
  expect(existsSync(join(unpacked, 'node_modules'))).toBe(false);
});

test('the packed reason module is importable by its export name', () => {
  const script = "import('secondwind/reason').then((m) => console.log(m.EXIT_STATE_NOT_PERSISTED))";
  const out = execFileSync(process.execPath, ['-e', script], { encoding: 'utf8', cwd: unpacked });
  expect(out.trim()).toBe('74');
  expect(existsSync(join(unpacked, 'dist/types/core/reason.d.ts'))).toBe(true);
});

test('each library that was bundled has its licence in the notices', () => {
  const notices = readFileSync(join(unpacked, 'THIRD-PARTY-NOTICES.txt'), 'utf8');
  for (const name of ['commander', 'execa', 'proper-lockfile', 'chrono-node', 'ajv']) {
    expect(notices).toMatch(new RegExp(`^${name} \\d+\\.`, 'm'));
  }
  expect(notices).toContain('Permission is hereby granted');
});

test('neither the lock file nor the package names a registry', () => {
  const lock = readFileSync(join(root, 'package-lock.json'), 'utf8');
  expect(lock).not.toMatch(/"resolved": "https?:/);
});

test('machine code of one Node is not passed on to another', () => {
  const names = readdirSync(join(unpacked, 'dist'));
  expect(names).toContain('main.cjs');
  expect(names.filter((name) => name.endsWith('.code'))).toEqual([]);
});

test.each([
  ['of another build', (code: Buffer) => Buffer.concat([Buffer.from('//0'), code.subarray(3)])],
  ['cut short', (code: Buffer) => code.subarray(0, code.length - 5000)],
  ['empty', () => Buffer.alloc(0)],
  ['with a page of zeros', (code: Buffer) => Buffer.from(code).fill(0, 40_960, 45_056)],
  ['with a sector of something else', (code: Buffer) => Buffer.from(code).fill('x', 9216, 9728)],
])('code %s is not run', (_, damage) => {
  const code = readFileSync(join(root, 'dist/main.code'));
  const path = join(unpacked, 'dist/main.code');
  writeFileSync(path, damage(code));
  try {
    expect(run('--version').trim()).toMatch(/^\d+\.\d+\.\d+$/);
  } finally {
    rmSync(path);
  }
});

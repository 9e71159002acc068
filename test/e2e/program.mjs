// The program as it is published: built anew and copied out of the tree, where it finds no installed library.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Builds and copies it. `SECONDWIND_E2E_PROGRAM` names another script to run instead. */
export function buildProgram() {
  const given = process.env['SECONDWIND_E2E_PROGRAM'];
  if (given) return { script: given, remove: () => {} };
  const root = fileURLToPath(new URL('../..', import.meta.url));
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: 'inherit' });
  const folder = mkdtempSync(join(tmpdir(), 'secondwind-program-'));
  for (const name of ['bin', 'dist', 'package.json']) {
    cpSync(join(root, name), join(folder, name), { recursive: true });
  }
  return {
    script: join(folder, 'bin', 'secondwind.js'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

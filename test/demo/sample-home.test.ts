// Holds the sample home to the story that `npm start` tells with it.
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { makeSampleHome } from '../../demo/sample-home.mjs';
import { makeHome, readState, readTranscript } from '../stand-in.ts';

const NOW = Date.parse('2026-12-01T09:30:00.000Z');

test('tells each kind of stop once, in directories that exist, as of the given instant', () => {
  const { root, home, remove } = makeHome();
  const sample = makeSampleHome(root, NOW);
  expect(sample.home).toBe(home);
  const stories = sample.jobs.map(({ id, name, cwd }) => {
    expect(existsSync(cwd)).toBe(true);
    const { state, needs, detail } = readState(home, id);
    return [name, state, needs ?? detail];
  });
  expect(stories).toMatchInlineSnapshot(`
    [
      [
        "fix flaky checkout tests",
        "blocked",
        "rate limited — wait and retry · You've hit your 5-hour limit · resets 9:10am (UTC)",
      ],
      [
        "index rebuild",
        "blocked",
        "API unavailable — retry · API Error: 529 Overloaded. This is a server-side issue, usually temporary — try again in a moment.",
      ],
      [
        "invoice export",
        "blocked",
        "rate limited — wait and retry · You've hit your 5-hour limit · resets 11:30am (UTC)",
      ],
      [
        "port to the new router",
        "blocked",
        "rate limited — wait and retry · You've hit your weekly limit · resets Dec 4, 9:30am (UTC)",
      ],
      [
        "publish 2.4.0",
        "working",
        "approve Bash: npm publish",
      ],
      [
        "landing page layout",
        "blocked",
        "Both layouts work; waiting for your decision which one to keep",
      ],
      [
        "translate the docs",
        "stopped",
        "stopped",
      ],
      [
        "dashboard colours",
        "done",
        "All colours pass the contrast check",
      ],
      [
        "csv importer",
        "blocked",
        "usage limit reached — check plan · Credit balance is too low",
      ],
    ]
  `);
  for (const job of sample.jobs) {
    const instants = readTranscript(job).flatMap(({ timestamp }) => timestamp ?? []);
    expect(instants.length).toBeGreaterThan(0);
    expect(instants.every((at) => Date.parse(at) <= NOW)).toBe(true);
    expect(job.transcriptPath.startsWith(dirname(home))).toBe(true);
  }
  remove();
});

// Every known message through the same path as a real job: files on disk, the tick's own reading, the decision.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Decision } from '../../src/core/decide.ts';
import { tick } from '../../src/watchdog/tick.ts';
import { requestFor } from '../run-tick.ts';
import { type Home, type MakeJobOptions, makeHome, makeJob } from '../stand-in.ts';

interface Row {
  readonly id: string;
  readonly text: string;
  readonly kind: string;
  readonly resume: 'after_reset' | 'retry' | 'human' | 'none' | 'in_flight';
  readonly shown_at: string | null;
  readonly expected_reset: string | null;
}

const HOUR = 3_600_000;
const FAR = 400 * 24 * HOUR;
const MARGIN = 90_000;
const rows: Row[] = readFileSync(new URL('../fixtures/messages.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));

/** The ways in which the client's files have been seen to carry a message. */
const SHAPES: Record<string, (row: Row) => Partial<MakeJobOptions>> = {
  'in detail alone': ({ text }) => ({ detail: text, needs: '', transcript: 'none' }),
  'in needs alone': ({ text }) => ({
    detail: '',
    needs: text,
    transcript: 'none',
    timeline: 'none',
  }),
  'in detail and in a record of no class': ({ text }) => ({
    detail: text,
    needs: '',
    error: 'unknown',
  }),
  'in detail and in the transcript as the agent said it': ({ text }) => ({
    detail: text,
    needs: '',
    error: null,
  }),
};

function shownAtOf(row: Row): number {
  if (row.shown_at !== null) return Date.parse(row.shown_at);
  if (row.expected_reset !== null) return Date.parse(row.expected_reset) - HOUR;
  return Date.parse('2026-06-10T09:30:00Z');
}

async function decideRow(
  row: Row,
  shape: string,
  at: (shownAt: number) => number,
): Promise<Decision> {
  const made: Home = makeHome();
  try {
    const shownAt = shownAtOf(row);
    makeJob(made.home, { shownAt, resetsAt: null, process: 'none', ...SHAPES[shape]?.(row) });
    const request = requestFor(made.home, {
      isDryRun: true,
      replayAt: at(shownAt),
      policy: { maxAgeMs: 10 * FAR },
      client: {
        run: async () => ({ kind: 'ended', exitCode: 0, signal: null, stdout: '[]', stderr: '' }),
      },
    });
    const result = await tick(request);
    if (!result.ok) throw new Error(result.failure.message);
    const decision = result.value.sessions[0]?.decision;
    if (decision === undefined) throw new Error('no decision');
    return decision;
  } finally {
    made.remove();
  }
}

const never = rows.filter((row) => !['after_reset', 'retry'].includes(row.resume));
const comesBack = rows.filter((row) => ['after_reset', 'retry'].includes(row.resume));

describe.each(Object.keys(SHAPES))('a message %s', (shape) => {
  test.each(never.map((row) => [row.id, row] as const))('%s never resumes', async (_id, row) => {
    for (const at of [(shown: number) => shown, (shown: number) => shown + FAR]) {
      expect((await decideRow(row, shape, at)).action).toBe('skip');
    }
  });
});

describe('a message in detail and in a record of no class', () => {
  const shape = 'in detail and in a record of no class';
  test.each(comesBack.map((row) => [row.id, row] as const))(
    '%s comes back in the end',
    async (_id, row) => {
      const decision = await decideRow(row, shape, (shown) => shown + FAR);
      expect(`${decision.action} ${decision.rule} ${decision.reason.detail}`).toMatch(
        /^resume null/,
      );
    },
  );
});

describe.each(['in detail alone', 'in detail and in a record of no class'])(
  'a message %s',
  (shape) => {
    const dated = rows.filter((row) => row.resume === 'after_reset' && row.expected_reset !== null);
    test.each(dated.map((row) => [row.id, row] as const))(
      '%s waits for its very reset',
      async (_id, row) => {
        const decision = await decideRow(row, shape, (shown) => shown);
        const expected = Date.parse(row.expected_reset ?? '');
        expect([
          decision.action,
          decision.rule,
          decision.until,
          decision.reason.resumes_at,
        ]).toEqual(['wait', 'reset', expected + MARGIN, new Date(expected).toISOString()]);
      },
    );
  },
);

// A zone of the machine or of the scheduler must make no difference to a message that names its own.
let zone: string | undefined;
beforeAll(() => {
  zone = process.env['TZ'];
  process.env['TZ'] = 'Pacific/Kiritimati';
});
afterAll(() => {
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;
});

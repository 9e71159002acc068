// Every message of the corpus, in each shape in which a stop can carry it; what comes out otherwise than labelled is named.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Cause, causeOf, causeOfText, namesHuman } from '../../src/core/cause.ts';
import { readResetTime } from '../../src/core/reset-time.ts';
import type { ErrorRecord, LimitKind } from '../../src/core/session.ts';

interface Row {
  readonly id: string;
  readonly text: string;
  readonly kind: string;
  readonly limit: string | null;
  readonly resume: 'after_reset' | 'retry' | 'human' | 'none' | 'in_flight';
  readonly reset_text: string | null;
  readonly shown_at: string | null;
  readonly expected_reset: string | null;
}

const rows: readonly Row[] = readFileSync(
  new URL('../fixtures/messages.jsonl', import.meta.url),
  'utf8',
)
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));

/** Rows that come out otherwise than labelled, with why. None may resume against its label. */
const NOT_AS_LABELLED: Record<string, string> = {};

/** The classes under which a client has written, or could write, an error of that kind. */
const CLASSES: Record<string, readonly (string | null)[]> = {
  usage_limit: ['rate_limit', null],
  overload: ['rate_limit', 'overloaded', 'server_error', null],
  api_error: ['server_error', 'unknown', null],
  network: ['server_error', 'unknown', null],
  fatal: ['authentication_failed', 'invalid_request', 'unknown', 'server_error', null],
  human_wait: ['unknown', 'rate_limit', null],
  other: ['rate_limit', 'server_error', 'unknown', null],
};

const recordOf = (text: string, error: string | null): ErrorRecord => ({
  uuid: 'u',
  at: 0,
  error,
  status: null,
  text,
  quota: null,
});

const FILED = 'rate limited — wait and retry · ';

function shapesOf({ text, kind }: Row): readonly (readonly [string, Cause])[] {
  const recorded = (CLASSES[kind] ?? []).flatMap((error) => {
    const record = recordOf(text, error);
    return [
      [`a record of class ${error}`, causeOf({ detail: '', needs: '', error: record })],
      [
        `detail, needs and a record of class ${error}`,
        causeOf({ detail: text, needs: FILED + text, error: record }),
      ],
    ] as const;
  });
  return [
    ['the text alone', causeOfText(text)],
    ['detail', causeOf({ detail: text, needs: '', error: null })],
    ['needs', causeOf({ detail: '', needs: text, error: null })],
    [
      'detail, and needs as the client files it',
      causeOf({ detail: text, needs: FILED + text, error: null }),
    ],
    ['needs as the client files it', causeOf({ detail: '', needs: FILED + text, error: null })],
    ...recorded,
  ];
}

const canResume = ({ kind }: Cause): boolean => kind === 'limit' || kind === 'transient';
const isResumable = ({ resume }: Row): boolean => resume === 'after_reset' || resume === 'retry';

const LIMITS: Record<string, LimitKind> = { generic: 'untyped', gateway_spend: 'spend' };
// The reset beside a spend limit is the session's: `your session limit resets 2:40pm`.
const limitOf = ({ limit, text }: Row): LimitKind =>
  /your session limit resets/.test(text)
    ? 'session'
    : (LIMITS[limit ?? 'generic'] ?? (limit as LimitKind));

test('the corpus is all there', () => {
  expect(rows).toHaveLength(274);
  expect(new Set(rows.map(({ id }) => id)).size).toBe(274);
});

const labelled = rows.filter(({ id }) => !(id in NOT_AS_LABELLED));

describe('may resume', () => {
  test.each(labelled.filter(isResumable).map((row) => [row.id, row.text, row] as const))(
    '%s resumes in every shape: %s',
    (_id, text, row) => {
      for (const [shape, cause] of shapesOf(row)) {
        expect(canResume(cause), `${shape} reads ${cause.kind}`).toBe(true);
      }
      expect(namesHuman({ detail: text, needs: FILED + text, waitingFor: null })).toBeNull();
    },
  );
});

describe('never resumes', () => {
  test.each(rows.filter((row) => !isResumable(row)).map((row) => [row.id, row.text, row] as const))(
    '%s stays parked in every shape: %s',
    (_id, _text, row) => {
      for (const [shape, cause] of shapesOf(row)) {
        expect(canResume(cause), `${shape} reads ${cause.kind}`).toBe(false);
      }
    },
  );
});

describe('kinds', () => {
  const limits = labelled.filter((row) => row.resume === 'after_reset');
  test.each(limits.map((row) => [row.id, limitOf(row), row] as const))(
    '%s is a limit of kind %s',
    (_id, limit, row) => {
      const statesReset = row.reset_text !== null;
      expect(causeOfText(row.text)).toMatchObject({ kind: 'limit', limit, statesReset });
    },
  );

  test.each([
    ['fatal', 'human', ['fatal']],
    ['network', 'retry', ['transient']],
    ['overload', 'retry', ['transient']],
    ['api_error', 'retry', ['transient']],
    ['usage_limit', 'human', ['budget', 'human']],
    ['human_wait', 'human', ['human', 'fatal', 'unknown']],
    ['other', 'none', ['unknown', 'in_flight', 'fatal']],
  ] as const)('%s rows labelled %s are %s', (kind, resume, kinds) => {
    for (const row of rows.filter((one) => one.kind === kind && one.resume === resume)) {
      expect(kinds, row.id).toContain(causeOfText(row.text).kind);
    }
  });
});

describe('resets', () => {
  const dated = labelled.filter((row) => row.expected_reset !== null);
  test.each(dated.map((row) => [row.id, row.expected_reset ?? '', row] as const))(
    '%s resets exactly at %s',
    (_id, expected, row) => {
      const at = Date.parse(expected);
      const shownAt = row.shown_at === null ? at - 3_600_000 : Date.parse(row.shown_at);
      for (const text of [row.text, FILED + row.text]) {
        const cause = causeOfText(text);
        if (cause.kind !== 'limit') throw new Error(`${row.id} is no limit`);
        const { limit } = cause;
        const reading = readResetTime({
          text: cause.text,
          shownAt,
          limit,
          sessionZone: null,
          machineZone: 'Asia/Tokyo',
        });
        expect(reading).toMatchObject({ kind: 'at', resetAt: at, suspect: null });
      }
    },
  );

  test('there are 34 of them', () => {
    expect(dated).toHaveLength(34);
  });

  test.each(rows.filter((row) => row.kind === 'usage_limit').map((row) => [row.id, row] as const))(
    '%s states a reset exactly when its label does',
    (_id, row) => {
      const given = { text: row.text, shownAt: Date.parse('2026-09-10T12:00Z') } as const;
      const reading = readResetTime({
        ...given,
        limit: 'weekly',
        sessionZone: null,
        machineZone: 'UTC',
      });
      const isUnreadable = /13am|Barcelona/.test(row.text);
      expect(reading.kind).toBe(
        row.reset_text === null ? 'none' : isUnreadable ? 'unreadable' : 'at',
      );
    },
  );
});

// Behind these stands the client's own advice or detail already, and it does not end in a known way.
const WITH_ADVICE = new Set(
  'AE-001 AE-008 AE-009 AE-012 AE-014 NW-006 NW-011 NW-012 NW-022 NW-023 NW-036 OV-002 OV-003 OV-004 OV-009 OV-010 OV-014 UL-042 UL-058 UL-095 UL-099 UL-191'.split(
    ' ',
  ),
);

describe('the same words in prose', () => {
  const resumable = rows.filter(isResumable);

  test.each(resumable.map((row) => [row.id, row.text] as const))(
    '%s quoted is no stop: %s',
    (_id, text) => {
      for (const before of [
        '"',
        "'",
        '`',
        '> ',
        'The log says ',
        'Fix: ',
        'Why does it say ',
        'TODO: ',
        'A user saw ',
      ]) {
        expect(canResume(causeOfText(before + text)), before).toBe(false);
      }
    },
  );

  test.each(
    resumable.filter(({ id }) => !WITH_ADVICE.has(id)).map((row) => [row.id, row.text] as const),
  )('%s with more words behind it is no stop: %s', (_id, text) => {
    for (const behind of [
      ' handler is now fixed',
      ' page added to the site',
      '?',
      '" is what the log says',
      ' — write a test for it',
      '. Write a parser for this message.',
    ]) {
      expect(canResume(causeOfText(text + behind)), behind).toBe(false);
    }
  });
});

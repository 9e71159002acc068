// The JSON document of a tick: its keys are a contract, and nothing in it acts on a terminal.
import { expect, test } from 'vitest';
import { jsonOf } from '../../src/cli/json.ts';
import { ACTED_ON } from '../core/hostile-text.ts';
import { hostileReport, PARKED, RESUME, report, session, WOKEN } from './reports.ts';

test('is the documented document, key by key and in order', () => {
  const sessions = [
    session(),
    session({ ...RESUME, jobId: 'bbbbbbbb' }, { outcome: { ...WOKEN, id: 'bbbbbbbb' } }),
  ];
  const document = jsonOf(report(sessions, { notices: ['dropped one'] }));
  expect(JSON.stringify(document, null, 1)).toBe(
    JSON.stringify(
      {
        version: 1,
        now: '2026-12-01T12:00:00.000Z',
        home: '/home/user/.claude',
        dry_run: false,
        decisions: [
          {
            id: 'ac67d09b',
            session_id: 's-1',
            name: 'job one',
            cwd: '/home/user/project',
            action: 'wait',
            rule: 'reset',
            until: '2026-12-01T14:01:30.000Z',
            reason: {
              code: 'usage_cap',
              detail: '5-hour limit',
              resumes_at: '2026-12-01T14:00:00.000Z',
              source: 'transcript',
            },
            outcome: null,
          },
          {
            id: 'bbbbbbbb',
            session_id: 's-1',
            name: 'job one',
            cwd: '/home/user/project',
            action: 'resume',
            rule: null,
            until: null,
            reason: {
              code: 'usage_cap',
              detail: '5-hour limit',
              resumes_at: '2026-12-01T14:00:00.000Z',
              source: 'transcript',
            },
            outcome: { result: 'woken', id: 'bbbbbbbb', message: 'woken in place' },
          },
        ],
        notices: ['dropped one'],
        summary: {
          resumed: 1,
          waiting: 1,
          skipped: 0,
          failed: 0,
          next_reset_at: '2026-12-01T14:01:30.000Z',
        },
      },
      null,
      1,
    ),
  );
});

test('says null for what nobody knows', () => {
  const document = jsonOf(report([session({ ...PARKED, name: null, cwd: null, sessionId: null })]));
  expect(document).toMatchObject({
    decisions: [
      { name: null, cwd: null, session_id: null, until: null, reason: { resumes_at: null } },
    ],
    summary: { next_reset_at: null },
  });
});

test('counts what failed and what is unconfirmed as failed, and not as waiting', () => {
  const outcomes = ['failed', 'unconfirmed', 'woken', 'copied', 'came_back', 'in_flight'] as const;
  const sessions = outcomes.map((result) =>
    session(RESUME, { outcome: { result, id: 'ac67d09b', message: '' } }),
  );
  expect(jsonOf(report(sessions))['summary']).toEqual({
    resumed: 2,
    waiting: 0,
    skipped: 0,
    failed: 2,
    next_reset_at: null,
  });
});

test('names the earliest instant that something waits for', () => {
  const sessions = [session({ until: 9_000 }), session({ until: null }), session({ until: 5_000 })];
  expect(jsonOf(report(sessions))['summary']).toMatchObject({
    waiting: 3,
    next_reset_at: '1970-01-01T00:00:05.000Z',
  });
});

test('a dry run counts what it would resume', () => {
  const dry = jsonOf(report([session(RESUME)], { isDryRun: true }));
  expect(dry).toMatchObject({ dry_run: true, summary: { resumed: 1 } });
  expect(jsonOf(report([session(RESUME)]))['summary']).toMatchObject({ resumed: 0 });
});

test('lets no control character of a session through', () => {
  const text = JSON.stringify(jsonOf(hostileReport()), null, 2);
  expect(text).not.toMatch(ACTED_ON);
  expect(text).not.toMatch(/\\u00[01]|\\u001b|\\r|owned/);
  expect(JSON.parse(text).decisions).toHaveLength(3);
});

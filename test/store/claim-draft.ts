// A claim as a tick would take it, for tests of the claims.
import type { Claim } from '../../src/store/claims.ts';
import { episode, JOB_ID, SESSION_ID } from '../core/situation.ts';

export const draft = (over: Partial<Claim> = {}): Omit<Claim, 'number'> => ({
  version: 1,
  nonce: '0123456789abcdef',
  conversation: SESSION_ID,
  episode: episode(),
  job_id: JOB_ID,
  session_id: SESSION_ID,
  phase: 'launching',
  at: '2026-12-01T12:00:00.000Z',
  holder: { pid: 1, boot_id: null, start: null },
  child: null,
  stops: false,
  in_place_only: false,
  transcript: null,
  answer: null,
  settled: null,
  ...over,
});

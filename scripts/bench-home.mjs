// Makes Claude homes of a given size for the benchmark, in the client's own shapes.
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const HOUR_MS = 3_600_000;
/** The states of a healthy home, with one session in fifty that waits for a reset. */
const HEALTHY = ['done', 'done', 'working', 'stopped', 'done'];

/**
 * @param {string} home folder to make
 * @param {{ jobs: number, resumable: number }} size of them, `resumable` may go on now
 */
export function makeBenchHome(home, { jobs, resumable }) {
  const cwd = join(home, '..', 'project');
  mkdirSync(cwd, { recursive: true });
  mkdirSync(join(home, 'projects', cwd.replace(/[^A-Za-z0-9]/g, '-')), { recursive: true });
  writeFileSync(join(home, '.credentials.json'), '{"made-up": true}');
  for (let index = 0; index < jobs; index += 1) {
    const isResumable = index < resumable;
    const isWaiting = !isResumable && index % 50 === 49;
    const state = isResumable || isWaiting ? 'blocked' : HEALTHY[index % HEALTHY.length];
    writeJob(home, cwd, { state, resetsAt: Date.now() + (isResumable ? -HOUR_MS : HOUR_MS) });
  }
}

/** @param {{ state: string, resetsAt: number }} job */
function writeJob(home, cwd, { state, resetsAt }) {
  const id = randomBytes(4).toString('hex');
  const sessionId = `${id}${randomUUID().slice(8)}`;
  const shownAt = new Date(Date.now() - 3 * HOUR_MS).toISOString();
  const isBlocked = state === 'blocked';
  const text = "You've hit your 5-hour limit · resets 3pm (UTC)";
  const transcript = join(
    home,
    'projects',
    cwd.replace(/[^A-Za-z0-9]/g, '-'),
    `${sessionId}.jsonl`,
  );
  const fields = {
    state,
    detail: isBlocked ? text : 'The parser handles nested quotes now; 214 tests pass.',
    tempo: isBlocked ? 'blocked' : 'idle',
    inFlight: { tasks: 0, queued: 0, kinds: [], drainableMonitors: 0 },
    needs: isBlocked ? `rate limited — wait and retry · ${text}` : undefined,
    output: null,
    linkScanPath: transcript,
    template: 'bg',
    respawnFlags: ['--name', `job ${id}`],
    providerEnv: {},
    intent: 'Make the parser handle nested quotes, then run the tests and fix what breaks.',
    name: `job ${id}`,
    nameSource: 'user',
    sessionId,
    resumeSessionId: sessionId,
    daemonShort: id,
    cwd,
    createdAt: shownAt,
    updatedAt: shownAt,
    backend: 'daemon',
  };
  mkdirSync(join(home, 'jobs', id), { recursive: true });
  writeFileSync(join(home, 'jobs', id, 'state.json'), JSON.stringify(fields, null, 2));
  if (!isBlocked) return;
  const line = { at: shownAt, state, detail: text, text };
  writeFileSync(join(home, 'jobs', id, 'timeline.jsonl'), `${JSON.stringify(line)}\n`);
  const records = [
    {
      type: 'user',
      uuid: randomUUID(),
      timestamp: shownAt,
      message: { role: 'user', content: 'go' },
    },
    {
      type: 'assistant',
      uuid: randomUUID(),
      timestamp: shownAt,
      isApiErrorMessage: true,
      error: 'rate_limit',
      apiErrorStatus: 429,
      quotaLimits: {
        status: 'rejected',
        resetsAt: Math.floor(resetsAt / 1000),
        rateLimitType: 'five_hour',
      },
      message: { model: '<synthetic>', content: [{ type: 'text', text }] },
    },
  ];
  writeFileSync(transcript, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
}

// Asks the client to resume or stop one background session, and reads what it answered.
import { cleanLine, stripControls } from '../core/clean-text.ts';
import { type Client, LISTING_BOUND_MS, run } from './agents.ts';

/** Longest that a launch may take; a claim is looked at again only after this and some slack. */
export const LAUNCH_BOUND_MS = 60_000;

/** From this version on a dead session wakes in place (client.md §5); before, each resume is a copy. */
const IN_PLACE_SINCE = [2, 1, 257] as const;

export interface LaunchRequest {
  readonly sessionId: string;
  readonly cwd: string;
  readonly prompt: string;
  /** Empty: in place. Else the flags of a copy: `copyFlags`. */
  readonly flags: readonly string[];
  readonly output: { readonly stdout: number; readonly stderr: number };
  readonly onStart: (pid: number) => void;
}

/** `unknown`: it may have started something. `refused`: it said no before anything started. */
export type LaunchEnd =
  | { readonly kind: 'ended'; readonly exitCode: number }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'unknown'; readonly message: string };

/** Runs `claude --bg --resume …` in the session's own directory. The answer is in the output files. */
export async function launchSession(client: Client, request: LaunchRequest): Promise<LaunchEnd> {
  const { sessionId, cwd, prompt, flags, output, onStart } = request;
  const args = ['--bg', '--resume', sessionId, ...flags, '--', prompt];
  const boundMs = client.launchBoundMs ?? LAUNCH_BOUND_MS;
  const answer = await run(client, args, { boundMs, cwd, output, onStart });
  if (answer.kind === 'not-started') {
    return { kind: 'refused', message: `the client could not be started: ${answer.message}` };
  }
  if (answer.kind === 'timed-out') {
    return { kind: 'unknown', message: `the client gave no answer within ${boundMs / 1000} s` };
  }
  if (answer.exitCode === null) {
    return { kind: 'unknown', message: `the client was ended by ${answer.signal ?? 'a signal'}` };
  }
  return { kind: 'ended', exitCode: answer.exitCode };
}

/** The job id in `backgrounded · 3f0a91c2 · name`; null when no such line was printed. */
export function parseBackgrounded(stdout: string): string | null {
  return /^\s*backgrounded\s*[·•∙|-]\s*([0-9a-f]{8})\b/m.exec(stripControls(stdout))?.[1] ?? null;
}

/** What a refusal says, as one line. */
export function refusalText(stdout: string, stderr: string): string {
  const lines = `${stderr}\n${stdout}`
    .split('\n')
    .filter((line) => !/^Starting background/.test(line));
  return cleanLine(lines.join(' '), 160);
}

/** `claude stop ID`; true when the client says that it stopped it. */
export async function stopJob(client: Client, id: string): Promise<boolean> {
  const boundMs = client.listingBoundMs ?? LISTING_BOUND_MS;
  const answer = await run(client, ['stop', id], { boundMs });
  return answer.kind === 'ended' && answer.exitCode === 0;
}

/** Whether a client of this version makes a copy of every session that it resumes; null when it is not known. */
export function alwaysCopies(version: string | null): boolean | null {
  const parts = version?.split('.').map(Number) ?? [];
  if (parts.length < 3 || parts.some(Number.isNaN)) return null;
  for (const [index, since] of IN_PLACE_SINCE.entries()) {
    const part = parts[index] ?? 0;
    if (part !== since) return part < since;
  }
  return false;
}

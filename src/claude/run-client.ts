// Runs the client: no shell, a bound in time, an environment without the caller's own session.
import { execa, type Options } from 'execa';
import type { Client } from './agents.ts';

export type ClientAnswer =
  | { readonly kind: 'not-started'; readonly message: string }
  | { readonly kind: 'timed-out'; readonly stdout: string; readonly stderr: string }
  | {
      readonly kind: 'ended';
      /** Null when a signal ended it. */
      readonly exitCode: number | null;
      readonly signal: string | null;
      readonly stdout: string;
      readonly stderr: string;
    };

export interface RunOptions {
  readonly boundMs: number;
  readonly cwd?: string;
  /** Open file descriptors for its output: then it can end, and be read, after us. */
  readonly output?: { readonly stdout: number; readonly stderr: number };
  readonly onStart?: (pid: number) => void;
}

export type RunClient = (
  client: Client,
  args: readonly string[],
  options: RunOptions,
) => Promise<ClientAnswer>;

export const runClient: RunClient = async (client, args, options) => {
  const { boundMs, cwd, output, onStart } = options;
  const settings: Options = {
    cwd: cwd ?? client.home.path,
    env: clientEnvironment(client),
    extendEnv: false,
    stdin: 'ignore',
    stdout: output === undefined ? 'pipe' : descriptor(output.stdout),
    stderr: output === undefined ? 'pipe' : descriptor(output.stderr),
    maxBuffer: 64 * 1024 * 1024,
    timeout: boundMs,
    forceKillAfterDelay: 2000,
    // With output to files it may outlive us: a session's start must not die with the tick that asked for it.
    detached: output !== undefined,
    cleanup: output === undefined,
    reject: false,
    stripFinalNewline: false,
  };
  const child = execa(client.path, [...args], settings);
  if (child.pid !== undefined) onStart?.(child.pid);
  // A child of its own can keep the client's output open for ever: the bound holds all the same.
  const late = await Promise.race([child.then(() => false), after(boundMs + SLACK_MS)]);
  if (late) {
    child.kill('SIGKILL');
    child.stdout?.destroy();
    child.stderr?.destroy();
    void child.catch(() => undefined);
    return { kind: 'timed-out', stdout: '', stderr: '' };
  }
  const result = await child;
  const [stdout, stderr] = [textOf(result.stdout), textOf(result.stderr)];
  if (result.timedOut) return { kind: 'timed-out', stdout, stderr };
  if (result.exitCode === undefined && result.signal === undefined) {
    return { kind: 'not-started', message: result.code ?? 'it cannot be run' };
  }
  return {
    kind: 'ended',
    exitCode: result.exitCode ?? null,
    signal: result.signal ?? null,
    stdout,
    stderr,
  };
};

/** Any open descriptor is taken as it is; execa's types name the low ones only. */
const descriptor = (file: number): 3 => file as 3;

/** Beyond the bound: the time that a client gets to end after it was told to. */
const SLACK_MS = 3000;

const after = (durationMs: number): Promise<true> =>
  new Promise((done) => {
    setTimeout(() => done(true), durationMs).unref();
  });

const textOf = (output: unknown): string => (typeof output === 'string' ? output : '');

/** Client variables that are settings of a person or machine; all others belong to the caller's own session. */
const KEPT =
  /^CLAUDE_CODE_(?:OAUTH_TOKEN|USE_|SKIP_|DISABLE_|ENABLE_|API_|CLIENT_|MAX_|GIT_BASH_PATH|PROXY_)/;

/** The caller's environment, without its session, with the recorded PATH, and the home where it is not the default. */
export function clientEnvironment(client: Client): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(client.env)) {
    if (value === undefined) continue;
    const isClients = name === 'CLAUDECODE' || name.startsWith('CLAUDE_') || name === 'AI_AGENT';
    if (!isClients || KEPT.test(name)) env[name] = value;
  }
  if (client.recordedPath !== null) env['PATH'] = client.recordedPath;
  if (!client.home.isDefault) env['CLAUDE_CONFIG_DIR'] = client.home.path;
  return env;
}

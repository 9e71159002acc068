// `secondwind tick`: options to a request, its report to text or JSON, its failure to a message and a status.
import { type Client, findClient } from '../claude/agents.ts';
import { type ClaudeHome, checkHome, locateHome, statePath } from '../claude/home.ts';
import { foreignHost } from '../claude/settings.ts';
import { cleanLine } from '../core/clean-text.ts';
import type { Hours } from '../core/hours.ts';
import { DEFAULT_POLICY, type OnStop, type Policy } from '../core/policy.ts';
import { failed, ok, type Result } from '../core/result.ts';
import { DEFAULT_BOUNDS } from '../resume/hands.ts';
import type { StoreFailure } from '../store/files.ts';
import { type TickRequest, tick } from '../watchdog/tick.ts';
import { readConfig } from './config-file.ts';
import { EXIT, statusOfFailure, statusOfReport } from './exit-status.ts';
import { jsonOf } from './json.ts';
import { logOf } from './log.ts';
import type { ProgramIo } from './main.ts';
import { mergeOptions, type OptionValues, type UsageFailure } from './option-values.ts';
import { VERSION } from './version.ts';

interface Refusal {
  readonly status: number;
  readonly message: string;
}

/** Runs one tick over one home and prints it. */
export async function runTick(flags: Record<string, unknown>, io: ProgramIo): Promise<number> {
  const prepared = prepare(flags, io);
  if (!prepared.ok) return refuse(io, prepared.failure);
  const { request, values } = prepared.value;
  const result = await tick(request);
  if (!result.ok) {
    return refuse(io, { status: statusOfFailure(result.failure), message: result.failure.message });
  }
  const report = result.value;
  if (values.json === true) io.stdout.write(`${JSON.stringify(jsonOf(report), null, 2)}\n`);
  else if (wantsTable(io)) {
    const { tableOf } = await import('./table.ts');
    io.stdout.write(tableOf(report, { zone: machineZone(), width: io.stdout.columns ?? 120 }));
  } else io.stdout.write(logOf(report, { zone: machineZone, isQuiet: values.quiet === true }));
  if (report.failure === null) return statusOfReport(report);
  return refuse(io, { status: statusOfFailure(report.failure), message: report.failure.message });
}

const wantsTable = ({ stdout, env }: ProgramIo): boolean =>
  stdout.isTTY || env['SECONDWIND_TABLE'] === '1';

function refuse(io: ProgramIo, { status, message }: Refusal): number {
  io.stderr.write(`secondwind: ${cleanLine(message, 600)}\n`);
  return status;
}

function prepare(
  flags: Record<string, unknown>,
  io: ProgramIo,
): Result<{ request: TickRequest; values: OptionValues }, Refusal> {
  const named = flags['claudeHome'];
  const home = locateHome(typeof named === 'string' ? named : undefined, io.env);
  const folder = statePath(home);
  const found = checkHome(home);
  if (!found.ok)
    return failed({ status: statusOfFailure(found.failure), message: found.failure.message });
  const config = readConfig(folder);
  if (!config.ok) return unusable(config.failure);
  const merged = mergeOptions(flags, io.env, config.value.options);
  if (!merged.ok) return unusable(merged.failure);
  const values = merged.value;
  if (values.now !== undefined && values.dryRun !== true) {
    return failed({ status: EXIT.usage, message: '--now goes with --dry-run only' });
  }
  const host = values.now === undefined ? foreignHost(home) : null;
  if (host !== null) {
    const message = `${home.path} is in use on another machine (${host.slice(0, 8)}…): its processes cannot be seen from here`;
    return failed({ status: EXIT.state, message });
  }
  const path = findClient(values.claudeBin as string | undefined, io.env);
  if (!path.ok) return failed({ status: EXIT.unavailable, message: path.failure.message });
  const client: Client = { path: path.value, home, env: io.env, recordedPath: config.value.path };
  return ok({ request: requestOf({ home, folder, values, client, io }), values });
}

let zone: string | null = null;

/** Loads the runtime's zone tables, some 20 ms: only for what shows or reads a local clock. */
function machineZone(): string {
  zone ??= Intl.DateTimeFormat().resolvedOptions().timeZone;
  return zone;
}

const unusable = (failure: UsageFailure | StoreFailure) =>
  failed<Refusal>({
    status: failure.kind === 'usage' ? EXIT.usage : statusOfFailure(failure),
    message: failure.message,
  });

function requestOf(parts: {
  home: ClaudeHome;
  folder: string;
  values: OptionValues;
  client: Client;
  io: ProgramIo;
}): TickRequest {
  const { home, folder, values, client, io } = parts;
  return {
    context: {
      home,
      folder,
      policy: policyOf(values),
      env: io.env,
      machineZone,
    },
    client,
    clock: {
      now: () => Date.now(),
      sleep: (durationMs) => new Promise((done) => setTimeout(done, durationMs)),
    },
    bounds: DEFAULT_BOUNDS,
    isDryRun: values.dryRun === true,
    namesAll: values.json === true || wantsTable(io),
    version: VERSION,
    replayAt: (values.now as number | undefined) ?? null,
  };
}

/** The machine's zone is asked for only where hours are given without one. */
const hoursOf = (hours: Hours | undefined): Hours | null =>
  hours === undefined ? null : { ...hours, zone: hours.zone ?? machineZone() };

/** The policy that the options make of the defaults. */
export function policyOf(values: OptionValues): Policy {
  const number = (value: unknown, otherwise: number) =>
    typeof value === 'number' ? value : otherwise;
  return {
    marginMs: number(values.margin, DEFAULT_POLICY.marginMs),
    live: values.live === 'wait' ? 'wait' : DEFAULT_POLICY.live,
    liveGraceMs: number(values.liveGrace, DEFAULT_POLICY.liveGraceMs),
    maxAgeMs: number(values.maxAge, DEFAULT_POLICY.maxAgeMs),
    minFreeDiskBytes: number(values.minFreeDisk, DEFAULT_POLICY.minFreeDiskBytes),
    staggerMs: number(values.stagger, DEFAULT_POLICY.staggerMs),
    maxAttempts: number(values.maxAttempts, DEFAULT_POLICY.maxAttempts),
    maxPerDay: number(values.maxPerDay, DEFAULT_POLICY.maxPerDay),
    maxPerRun: number(values.maxPerRun, DEFAULT_POLICY.maxPerRun),
    prompt: typeof values.prompt === 'string' ? values.prompt : DEFAULT_POLICY.prompt,
    on: { ...DEFAULT_POLICY.on, ...(values.on as Partial<OnStop> | undefined) },
    hours: hoursOf(values.only as Hours | undefined),
  };
}

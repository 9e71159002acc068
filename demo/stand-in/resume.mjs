// `--bg --resume`: wakes a dead session in place, starts a copy or a new one, or refuses, as the client was measured to.
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { parseArguments } from './arguments.mjs';
import { listJobs, transcriptPath, writeJobState, writeRenamed } from './job-files.mjs';
import { refusalOf } from './refusal.mjs';
import { isAlive, livePids, readRoster } from './roster.mjs';
import { takeTurn } from './turn.mjs';
import { disturb } from './weather.mjs';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * @typedef {object} Launch
 * @property {string} home
 * @property {import('./weather.mjs').Weather} weather
 * @property {import('./weather.mjs').ResumeKnobs} knobs
 * @property {import('./arguments.mjs').Arguments} args
 * @property {{ id: string, state: import('./job-files.mjs').JobStateFile } | undefined} job
 */

/**
 * @param {string} home
 * @param {import('./weather.mjs').Weather} weather
 * @param {readonly string[]} argv
 */
export function resume(home, weather, argv) {
  const args = parseArguments(argv);
  const target = args.target ?? '';
  const find = () =>
    listJobs(home).find(({ id, state }) => id === target || state.sessionId === target);
  const { bySession = {}, ...common } = weather.resume;
  const knobs = bySession[target] ?? bySession[find()?.id ?? ''] ?? common;
  // Looked up again after the disturbance: it may have taken long.
  return disturb(knobs, () => launch({ home, weather, knobs, args, job: find() }));
}

/** @param {Launch} request */
function launch(request) {
  const { home, weather, args, job } = request;
  const refusal = refusalOf(home, args, job);
  if (refusal !== null) {
    process.stderr.write(`${refusal}\n`);
    return 1;
  }
  const { supervisorPid } = readRoster(home);
  const isUp = supervisorPid !== null && isAlive(supervisorPid);
  if (!isUp && !request.knobs.silent) process.stderr.write('Starting background service…\n');
  const target = args.target ?? '';
  const { cwd = process.cwd(), sessionId = target } = job?.state ?? {};
  const transcript = transcriptPath(home, cwd, sessionId);
  if (job === undefined && !(UUID.test(target) && existsSync(transcript))) {
    return startNew(request, UUID.test(target) ? target : randomUUID());
  }
  if (weather.mode === 'copy' || job === undefined) return copy(request, transcript, null);
  const why = whyCopied(request, job.id);
  return why === null ? wake(request, job) : copy(request, transcript, why);
}

/**
 * The note on why a client that can wake in place makes a copy, from the copy's id; null: it wakes.
 * @param {Launch} request
 * @param {string} old the job's id
 * @returns {((id: string) => string) | null}
 */
function whyCopied({ home, args }, old) {
  if (!UUID.test(args.target ?? '')) {
    return (id) =>
      `started a copy of that conversation as ${id}. To continue a session under its own id, pass its full session id (lowercase, as \`claude agents --json\` prints it) to --resume.`;
  }
  if (args.flags.length > 0) {
    return (id) =>
      `background session ${old} keeps its own saved options, so the flags you passed started a copy as ${id}. Without flags, the same command continues ${old} itself.`;
  }
  if (livePids(readRoster(home).workers[old]).length > 0) {
    return (id) =>
      `session ${old} is already running in the background, so this started a copy as ${id}. \`claude attach ${old}\` opens the original.`;
  }
  return null;
}

/**
 * @param {Launch} request
 * @param {NonNullable<Launch['job']>} job
 */
function wake(request, { id, state }) {
  const saved = (state.respawnFlags ?? []).filter((flag) => flag.startsWith('-'));
  // A job without saved options is woken without a word.
  if (saved.length > 0)
    note(request, `woke session ${id} with its saved options (${saved.join(', ')}).`);
  return start(request, id, state, state.name ?? null);
}

/**
 * @param {Launch} request
 * @param {string} source the transcript of the conversation
 * @param {((id: string) => string) | null} say the note that goes with it
 */
function copy(request, source, say) {
  const { home } = request;
  const state = newState(request, randomUUID());
  const { id } = state;
  const target = transcriptPath(home, state.fields.cwd, state.fields.sessionId);
  if (existsSync(source)) {
    const old = request.job?.state.sessionId ?? request.args.target ?? '';
    const text = readFileSync(source, 'utf8');
    // The records keep their uuids and get the new sessionId.
    writeRenamed(
      target,
      text.replaceAll(`"sessionId":"${old}"`, `"sessionId":"${state.fields.sessionId}"`),
    );
  }
  if (say !== null) note(request, say(id));
  return start(request, id, state.fields, request.args.name);
}

/**
 * @param {Launch} request
 * @param {string} sessionId of the new, empty session
 */
function startNew(request, sessionId) {
  const { id, fields } = newState(request, sessionId);
  return start(request, id, fields, request.args.name);
}

/**
 * @param {Launch} request
 * @param {string} sessionId
 */
function newState({ home, args, weather }, sessionId) {
  const id = sessionId.slice(0, 8);
  const now = new Date().toISOString();
  const fields = {
    state: 'starting',
    detail: args.prompt,
    tempo: 'active',
    output: null,
    template: 'bg',
    respawnFlags: args.flags,
    providerEnv: {},
    intent: args.prompt,
    ...(args.name === null ? {} : { name: args.name, nameSource: 'user' }),
    sessionId,
    resumeSessionId: sessionId,
    daemonShort: id,
    cliVersion: weather.version,
    cwd: process.cwd(),
    createdAt: now,
    updatedAt: now,
    firstTerminalAt: null,
    backend: 'daemon',
  };
  writeJobState(home, id, fields);
  return { id, fields };
}

/**
 * @param {Launch} request
 * @param {string} id
 * @param {import('./job-files.mjs').JobStateFile} state
 * @param {string | null} name
 */
function start({ home, weather, knobs, args }, id, state, name) {
  const { prompt } = args;
  if (!knobs.noTurn && prompt !== '') takeTurn({ home, id, state, prompt, weather, knobs });
  if (knobs.silent) return 0;
  if (knobs.says !== undefined) {
    process.stdout.write(knobs.says);
    return 0;
  }
  const tail =
    prompt === '' ? ' (idle — send a prompt to start)' : name === null ? '' : ` · ${name}`;
  const commands = [
    '  claude agents             list sessions',
    `  claude attach ${id}    open in this terminal`,
    `  claude logs ${id}      show recent output`,
    `  claude stop ${id}      stop this session`,
  ];
  process.stdout.write(`backgrounded · ${id}${tail}\n${commands.join('\n')}\n`);
  return 0;
}

/**
 * @param {Launch} request
 * @param {string} text
 */
function note({ knobs }, text) {
  if (!knobs.silent) process.stderr.write(`note: ${text}\n`);
}

// A HOME in a temporary folder for the real client; whatever was started in it is ended by pid, and the folder goes.
import { execFile } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** What a child printed and how it ended. @typedef {{ code: number, stdout: string, stderr: string }} Said */

const credentials = {
  claudeAiOauth: {
    accessToken: 'sk-ant-oat01-fake',
    refreshToken: 'sk-ant-ort01-fake',
    expiresAt: 4_102_444_800_000,
    scopes: ['user:inference', 'user:profile', 'user:sessions:claude_code'],
    subscriptionType: 'max',
    rateLimitTier: 'default_claude_max_20x',
  },
};

/**
 * Makes a home where `binary` runs against the API at `apiUrl`, with a trusted folder for each of `places`, for ticks
 * of `program`.
 * @param {{ binary: string, program: string, apiUrl: string, places: string[] }} given
 */
export function makeClientHome({ binary, program, apiUrl, places }) {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'secondwind-e2e-')));
  const claudeHome = join(path, '.claude');
  mkdirSync(claudeHome);
  mkdirSync(join(path, 'tmp'));
  const folders = places.map((place) => join(path, 'work', place));
  for (const folder of folders) mkdirSync(folder, { recursive: true });
  const projects = Object.fromEntries(
    folders.map((folder) => [folder, { hasTrustDialogAccepted: true }]),
  );
  writeJson(join(path, '.claude.json'), { hasCompletedOnboarding: true, theme: 'dark', projects });
  writeJson(join(claudeHome, '.credentials.json'), credentials);
  const env = {
    HOME: path,
    PATH: process.env['PATH'] ?? '/usr/bin:/bin',
    TMPDIR: join(path, 'tmp'),
    TERM: 'xterm-256color',
    TZ: 'UTC',
    LANG: 'C.UTF-8',
    DISABLE_AUTOUPDATER: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_TELEMETRY: '1',
    // 2.1.170 and 2.1.233 retry a 529 for minutes whatever x-should-retry says.
    CLAUDE_CODE_MAX_RETRIES: '0',
    ANTHROPIC_BASE_URL: apiUrl,
  };
  return {
    path,
    claudeHome,
    binary,
    program,
    env,
    /** What each tick printed, in order. */
    ticks: /** @type {string[]} */ ([]),
    placeOf: (/** @type {string} */ place) => join(path, 'work', place),
    /** Runs the client and waits for it. */
    claude: (/** @type {string[]} */ args, cwd = path) => run(binary, args, { cwd, env }),
    /** The listing as the client prints it. @returns {Promise<any[]>} */
    listing: async () => {
      const said = await run(binary, ['agents', '--json', '--all'], { cwd: path, env });
      const rows = JSON.parse(said.stdout);
      if (!Array.isArray(rows)) throw new Error(`the listing is no array: ${said.stdout}`);
      return rows;
    },
    processes: () => processesOf(path),
    endProcesses: () => endProcesses(path),
    end: async () => {
      await endProcesses(path);
      for (const folder of socketFolders(claudeHome))
        rmSync(folder, { recursive: true, force: true });
      rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
  };
}

/** @typedef {ReturnType<typeof makeClientHome>} ClientHome */

const writeJson = (/** @type {string} */ path, /** @type {object} */ value) =>
  writeFileSync(path, `${JSON.stringify(value)}\n`, { mode: 0o600 });

/**
 * Runs a program to its end, or for two minutes; code 124 then.
 * @param {string} program
 * @param {string[]} args
 * @param {{ cwd: string, env: Record<string, string> }} options
 * @returns {Promise<Said>}
 */
export function run(program, args, options) {
  return new Promise((resolve) => {
    const child = execFile(
      program,
      args,
      { ...options, timeout: 120_000, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 124;
        resolve({ code, stdout, stderr: stderr || (error?.message ?? '') });
      },
    );
    child.stdin?.end();
  });
}

/** Where the supervisor kept its sockets: it takes /tmp whatever TMPDIR says. */
function socketFolders(/** @type {string} */ claudeHome) {
  const texts = ['daemon/roster.json', 'daemon.log'].map((name) => {
    try {
      return readFileSync(join(claudeHome, name), 'utf8');
    } catch {
      return '';
    }
  });
  return new Set(texts.join('\n').match(/\/tmp\/cc-daemon-\d+\/[0-9a-f]{8}(?=\/)/g));
}

/** The pids of the living processes whose environment holds this HOME. */
function processesOf(/** @type {string} */ home) {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid && isOfHome(pid, home));
}

function isOfHome(/** @type {number} */ pid, /** @type {string} */ home) {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`HOME=${home}`);
  } catch {
    return false;
  }
}

/** Kills again until nothing is left: what is killed can have started something meanwhile. */
async function endProcesses(/** @type {string} */ home) {
  for (let round = 0; round < 100; round += 1) {
    const pids = processesOf(home);
    if (pids.length === 0) return;
    for (const pid of pids) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It ended by itself.
      }
    }
    await sleep(100);
  }
  throw new Error(`processes of ${home} do not end: ${processesOf(home).join(', ')}`);
}

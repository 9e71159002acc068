// Launches that the client turns down before anything starts, each with the words it was measured to use.
import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { writeJobState } from './job-files.mjs';

/**
 * Why this launch starts nothing (exit 1), or null.
 * @param {string} home
 * @param {import('./arguments.mjs').Arguments} args
 * @param {{ id: string, state: import('./job-files.mjs').JobStateFile } | undefined} job
 */
export function refusalOf(home, args, job) {
  if (args.flags.some((flag) => /^-[a-z]*p/.test(flag))) {
    return '--bg and --print conflict: --print never starts the interactive session that `claude agents` attaches to, so the job would be unattachable.';
  }
  if (/bypassPermissions|--dangerously-skip-permissions/.test(args.flags.join(' '))) {
    return '--bg with bypassPermissions requires accepting the disclaimer first. Run `claude --dangerously-skip-permissions` once interactively.';
  }
  // The default home named in the variable moves `.claude.json`, and with it the record of trust.
  const { CLAUDE_CONFIG_DIR, HOME = '/' } = process.env;
  if (CLAUDE_CONFIG_DIR && realPath(CLAUDE_CONFIG_DIR) === realPath(join(HOME, '.claude'))) {
    return `Workspace not trusted. Run \`claude\` in ${process.cwd()} first.`;
  }
  const cwd = job?.state.cwd;
  if (job === undefined || cwd === undefined) return null;
  if (!existsSync(cwd)) {
    const queuedPrompt = [job.state.queuedPrompt, args.prompt].filter(Boolean).join('\n\n');
    writeJobState(home, job.id, { ...job.state, queuedPrompt });
    return `Workspace not trusted. ${cwd} could not be resolved on disk. Your message is saved and will be delivered when session ${job.id} next starts.`;
  }
  if (realPath(cwd) === realPath(process.cwd())) return null;
  return `Workspace not trusted. Run \`claude\` in ${process.cwd()} first.`;
}

/** @param {string} path */
function realPath(path) {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

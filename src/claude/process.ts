// Whether a process is still the one that was recorded: it exists, is no zombie, started when the record says, on
// this boot. What does not match is unknown, never dead.
import { readFileSync } from 'node:fs';
import { type Fact, known, unknown } from '../core/fact.ts';
import type { ProcessState } from '../core/session.ts';

/** A process as somebody recorded it. `start`: field 22 of /proc/PID/stat (Linux), else what ps calls lstart. */
export interface RecordedProcess {
  readonly pid: number;
  readonly start: string | null;
  /** When the record was written (epoch ms): before this boot means dead, whatever runs under that pid now. */
  readonly recordedAt: number | null;
}

/**
 * Whether this very process lives. The same pid with the same start is it, whatever the clock says of boots. Another
 * start is unknown, unless the record is older than this boot: then it is gone.
 */
export function stateOf(recorded: RecordedProcess): Fact<ProcessState> {
  const running = readProcess(recorded.pid);
  if (running === null || running.isZombie) return known('gone');
  if (running.start !== null && running.start === recorded.start) return known('alive');
  const bootAt = bootInstant();
  const { recordedAt } = recorded;
  if (recordedAt !== null && bootAt !== null && recordedAt < bootAt - 2000) return known('gone');
  if (recorded.start === null) {
    return unknown(`process ${recorded.pid} exists, its start was not recorded`);
  }
  if (running.start === null) return unknown(`the start of process ${recorded.pid} cannot be read`);
  return unknown(`process ${recorded.pid} is another one than recorded`);
}

/** The process under a pid now; null when there is none. */
export function readProcess(pid: number): { start: string | null; isZombie: boolean } | null {
  if (!Number.isInteger(pid) || pid <= 0) return null;
  return process.platform === 'linux' ? readLinuxProcess(pid) : readPsProcess(pid);
}

function readLinuxProcess(pid: number): { start: string | null; isZombie: boolean } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The second field is the command in parentheses and may hold spaces and parentheses itself: proc(5).
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { start: fields[19] ?? null, isZombie: fields[0] === 'Z' || fields[0] === 'X' };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    return code === 'ENOENT' || code === 'ESRCH' ? null : { start: null, isZombie: false };
  }
}

function readPsProcess(pid: number): { start: string | null; isZombie: boolean } | null {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return null;
  }
  try {
    const line = process
      .getBuiltinModule('node:child_process')
      .execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
        encoding: 'utf8',
        timeout: 5000,
        env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
        stdio: ['ignore', 'pipe', 'ignore'],
      })
      .trim();
    const [stat, ...start] = line.split(/\s+/);
    return { start: start.join(' ') || null, isZombie: stat?.startsWith('Z') === true };
  } catch {
    return { start: null, isZombie: false };
  }
}

/** An id of this boot; null where the system has none. */
export function bootId(): string | null {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return process.platform === 'darwin' ? macBootTime() : null;
  }
}

function macBootTime(): string | null {
  try {
    return process
      .getBuiltinModule('node:child_process')
      .execFileSync('/usr/sbin/sysctl', ['-n', 'kern.boottime'], {
        encoding: 'utf8',
        timeout: 5000,
      })
      .trim();
  } catch {
    return null;
  }
}

function bootInstant(): number | null {
  try {
    const match = /^btime (\d+)$/m.exec(readFileSync('/proc/stat', 'latin1'));
    return match === null ? null : Number(match[1]) * 1000;
  } catch {
    return null;
  }
}

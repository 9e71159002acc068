// What the scheduler runs, word by word; each scheduler quotes them in its own way.
import { isAbsolute } from 'node:path';
import { failed, ok, type Result } from '../core/result.ts';
import type { ScheduleFailure, TickCommand } from './machine.ts';

/** Refuses a path that is relative, or has a control character, which no crontab or unit can hold. */
export function wordsOf(command: TickCommand): Result<string[], ScheduleFailure> {
  const { node, program, claudeHomes } = command;
  const bad = [node, program, ...claudeHomes].find((path) => !isPlainPath(path));
  if (bad !== undefined) {
    const message = `${JSON.stringify(bad)} is no absolute path without control characters`;
    return failed({ kind: 'usage', message });
  }
  return ok([node, program, 'tick', ...claudeHomes.flatMap((home) => ['--claude-home', home])]);
}

export const isPlainPath = (path: string): boolean => isAbsolute(path) && !/\p{Cc}/u.test(path);

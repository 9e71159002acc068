// Which session an operator means: a name, a job id, or the beginning of a session id. Never a guess.
import { cleanLine } from '../core/clean-text.ts';
import type { Situation } from '../core/decide.ts';
import { failed, ok, type Result } from '../core/result.ts';
import type { JobEvidence } from '../core/session.ts';

export interface SessionNotFound {
  readonly kind: 'usage';
  readonly message: string;
}

/** Shorter beginnings of a session id mean too many. */
const MIN_PREFIX = 4;
/** So many candidates fit into one message. */
const MAX_LISTED = 8;
const MAX_NEAR = 5;

/** The one conversation that `text` means; the first way of naming that fits any settles it. */
export function findSession(
  situations: readonly Situation[],
  text: string,
): Result<Situation, SessionNotFound> {
  const wanted = cleanLine(text);
  if (wanted === '') {
    return notFound(
      'a session is named by its name, its job id or the beginning of its session id',
    );
  }
  for (const isMeant of waysOfNaming(wanted)) {
    const [found, ...more] = situations.filter(isMeant);
    if (found === undefined) continue;
    return more.length === 0 ? ok(found) : ambiguous(wanted, [found, ...more]);
  }
  return notFound(`no session is called "${cut(wanted, 60)}"${nearText(situations, wanted)}`);
}

const notFound = (message: string) => failed<SessionNotFound>({ kind: 'usage', message });
const cut = (text: string, length: number): string => cleanLine(text, length);

function waysOfNaming(wanted: string): ((situation: Situation) => boolean)[] {
  const ways = [
    ({ conversation }: Situation) => conversation.job.id === wanted,
    ({ conversation }: Situation) => conversation.others.some(({ id }) => id === wanted),
    (situation: Situation) => shownName(situation) === wanted,
  ];
  // As a table shows a name that it had to cut.
  const head = wanted.endsWith('…') ? wanted.slice(0, -1) : '';
  if (head !== '') ways.push((situation) => shownName(situation).startsWith(head));
  if (wanted.length < MIN_PREFIX) return ways;
  return [
    ...ways,
    (situation) => sessionIdsOf(situation).some((id) => id.startsWith(wanted.toLowerCase())),
  ];
}

const shownName = ({ conversation: { job } }: Situation): string =>
  job.state.known ? cleanLine(job.state.value.name ?? '') : '';

function sessionIdsOf({ conversation: { key, job, others } }: Situation): string[] {
  const idsOf = ({ state }: JobEvidence) =>
    state.known ? [state.value.resumeSessionId, state.value.sessionId] : [];
  return [key, ...[job, ...others].flatMap(idsOf)].flatMap((id) =>
    id === null ? [] : [id.toLowerCase()],
  );
}

function ambiguous(wanted: string, found: readonly Situation[]) {
  const listed = found.slice(0, MAX_LISTED).map(candidateOf).join(', ');
  const rest = found.length > MAX_LISTED ? `, and ${found.length - MAX_LISTED} more` : '';
  return notFound(
    `"${cut(wanted, 40)}" means ${found.length} sessions: ${listed}${rest}; name one by its job id`,
  );
}

function candidateOf(situation: Situation): string {
  const { id, state } = situation.conversation.job;
  const word = state.known ? cut(state.value.state, 12) : 'unreadable';
  return `${cut(id, 12)} "${cut(shownName(situation), 24)}" (${word})`;
}

function nearText(situations: readonly Situation[], wanted: string): string {
  const names = new Set(situations.map(shownName).filter((name) => name !== ''));
  const near = [...names]
    .map((name) => ({ name, distance: distanceOf(name, wanted) }))
    .filter(({ distance }) => distance <= Math.max(2, wanted.length / 3))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, MAX_NEAR);
  if (near.length === 0) return '';
  return `; near to it: ${near.map(({ name }) => `"${cut(name, 40)}"`).join(', ')}`;
}

/** Letters to change, add or leave out; a name that holds the other one is as near as one letter. */
function distanceOf(name: string, wanted: string): number {
  const [a, b] = [cut(name, 60).toLowerCase(), cut(wanted, 60).toLowerCase()];
  if (a.includes(b) || b.includes(a)) return a === b ? 0 : 1;
  let above = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row += 1) {
    const line = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const replaced = (above[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      line.push(Math.min(replaced, (above[column] ?? 0) + 1, (line[column - 1] ?? 0) + 1));
    }
    above = line;
  }
  return above[b.length] ?? 0;
}

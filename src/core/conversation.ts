// Groups jobs into conversations, each with the one job that a decision is about.
import type { Conversation, JobEvidence } from './session.ts';

/** `successors`: sessionId of a copy → the conversation it goes on with (from the ledger). */
export function groupConversations(
  jobs: readonly JobEvidence[],
  successors: ReadonlyMap<string, string>,
): Conversation[] {
  const groups = new Map<string, JobEvidence[]>();
  for (const job of jobs) {
    const key = conversationKey(job, successors);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [job]);
    else group.push(job);
  }
  return [...groups].map(([key, members]) => {
    const [job, ...others] = newestFirst(members, successors);
    if (job === undefined) throw new Error('a group without a job');
    return { key, job, others };
  });
}

/** The first sessionId of its line; a job that cannot be read, or names none, stands for itself. */
function conversationKey(job: JobEvidence, successors: ReadonlyMap<string, string>): string {
  if (!job.state.known) return `job:${job.id}`;
  const { resumeSessionId, sessionId } = job.state.value;
  const session = resumeSessionId ?? sessionId;
  if (session === null) return `job:${job.id}`;
  return successors.get(session) ?? session;
}

/** Copies of ours before their origins; else by when the job was made. */
function newestFirst(
  members: readonly JobEvidence[],
  successors: ReadonlyMap<string, string>,
): JobEvidence[] {
  if (members.length === 1) return [...members];
  const rank = (job: JobEvidence): readonly [number, number] => {
    if (!job.state.known) return [0, 0];
    const { resumeSessionId, sessionId, createdAt, updatedAt } = job.state.value;
    const isCopy = successors.has(resumeSessionId ?? sessionId ?? '') ? 1 : 0;
    return [isCopy, createdAt ?? updatedAt ?? 0];
  };
  return [...members].sort((a, b) => {
    const [copyA, madeA] = rank(a);
    const [copyB, madeB] = rank(b);
    return copyB - copyA || madeB - madeA;
  });
}

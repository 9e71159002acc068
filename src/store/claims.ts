// Claims: one file for each right to resume a conversation, created exclusively; only one of a conversation is open.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Episode } from '../core/ledger.ts';
import { isRecord } from '../core/record.ts';
import { failed, ok, type Result } from '../core/result.ts';
import {
  createFile,
  makePrivateFolder,
  readStateFile,
  removeQuietly,
  replaceFile,
  type StoreFailure,
  storeFailure,
} from './files.ts';
import { validate } from './ledger-validator.generated.mjs';

/** `closed` claims are settled; the newest of a conversation stays, so that its number is not used again. */
export type ClaimPhase = 'stopping' | 'launching' | 'launched' | 'closed';

/** Instants are ISO 8601 UTC. */
export interface Claim {
  readonly version: 1;
  readonly nonce: string;
  readonly conversation: string;
  /** Counts the claims of a conversation; it is part of the file's name. */
  readonly number: number;
  /** The whole record of the stop: what a stop of the job erases, and what a lost ledger is mended from. */
  readonly episode: Episode;
  readonly job_id: string;
  readonly session_id: string;
  readonly phase: ClaimPhase;
  readonly at: string;
  readonly holder: {
    readonly pid: number;
    readonly boot_id: string | null;
    readonly start: string | null;
  };
  /** The client's process, once it was started. */
  readonly child: { readonly pid: number; readonly start: string | null } | null;
  /** The job is (or was) stopped under this claim: a `stopped` state is then ours. */
  readonly stops: boolean;
  /** Its permission checks are off: a copy of it has to be undone. */
  readonly in_place_only: boolean;
  /** Where the outcome will be looked for. */
  readonly transcript: string | null;
  /** The id that the client answered with; null while it is not known. */
  readonly answer: string | null;
  /** How it was settled: set when it is closed. */
  readonly settled: {
    readonly outcome: string;
    readonly successor: { readonly job_id: string; readonly session_id: string | null } | null;
    readonly message: string;
  } | null;
}

const NAME = /^([0-9a-f-]{36})\.(\d{1,9})\.json$/;

export const claimsFolder = (folder: string): string => join(folder, 'claims');

const claimPath = (folder: string, claim: { conversation: string; number: number }): string =>
  join(claimsFolder(folder), `${claim.conversation}.${claim.number}.json`);

/** Where the client's answer to a claim is written, so that it can be read after the tick that asked died. */
export const answerPaths = (folder: string, claim: Claim): { stdout: string; stderr: string } => {
  const base = join(claimsFolder(folder), `${claim.conversation}.${claim.number}`);
  return { stdout: `${base}.out`, stderr: `${base}.err` };
};

/** All claims of a state folder, open and closed. One that cannot be read is a failure: it may be open. */
export function readClaims(folder: string): Result<Claim[], StoreFailure> {
  const path = claimsFolder(folder);
  let names: string[];
  try {
    names = readdirSync(path);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT') return ok([]);
    return failed(storeFailure('unreadable', path, `cannot be listed (${code})`));
  }
  const claims: Claim[] = [];
  for (const name of names) {
    if (!NAME.test(name)) continue;
    const claim = readClaim(join(path, name));
    if (!claim.ok) return claim;
    if (claim.value !== null) claims.push(claim.value);
  }
  return ok(claims);
}

function readClaim(path: string): Result<Claim | null, StoreFailure> {
  const text = readStateFile(path);
  if (!text.ok) return text;
  if (text.value === null) return ok(null);
  try {
    const value: unknown = JSON.parse(text.value);
    if (isClaim(value)) return ok(value);
  } catch {
    // Said below, with the place.
  }
  return failed(
    storeFailure(
      'broken',
      path,
      'is no claim: look whether its session runs, then remove the file',
    ),
  );
}

function isClaim(value: unknown): value is Claim {
  if (!isRecord(value)) return false;
  const claim = value as Partial<Record<keyof Claim, unknown>>;
  return (
    claim.version === 1 &&
    typeof claim.nonce === 'string' &&
    /^[0-9a-f]{16}$/.test(claim.nonce) &&
    typeof claim.conversation === 'string' &&
    typeof claim.number === 'number' &&
    isEpisode(claim.episode) &&
    typeof claim.job_id === 'string' &&
    typeof claim.session_id === 'string' &&
    ['stopping', 'launching', 'launched', 'closed'].includes(claim.phase as string) &&
    typeof claim.at === 'string' &&
    !Number.isNaN(Date.parse(claim.at)) &&
    typeof claim.holder === 'object' &&
    claim.holder !== null
  );
}

/** By the ledger's own schema: a claim's record of the stop may have to mend the ledger. */
const isEpisode = (episode: unknown): boolean =>
  validate({ version: 1, launches: [], conversations: { any: { episodes: [episode] } } });

/**
 * Takes a claim: value null when somebody else was first, or an open one of the conversation exists.
 * The next one has another number while a closed one is there, so who closes an old claim cannot take away a new one.
 */
export function takeClaim(
  folder: string,
  claim: Omit<Claim, 'number'>,
): Result<Claim | null, StoreFailure> {
  const made = makePrivateFolder(folder);
  if (!made.ok) return made;
  const within = makePrivateFolder(claimsFolder(folder));
  if (!within.ok) return within;
  // From the names, before the look at the open ones: whoever comes in between has this number first.
  const number = 1 + highestOf(folder, claim.conversation);
  const claims = readClaims(folder);
  if (!claims.ok) return claims;
  const own = claims.value.filter((one) => one.conversation === claim.conversation);
  if (own.some((one) => one.phase !== 'closed')) return ok(null);
  const taken: Claim = { ...claim, number };
  const created = createFile(claimPath(folder, taken), textOf(taken));
  if (!created.ok) return created;
  if (!created.value) return ok(null);
  // A listing is no snapshot: one that missed both a removed claim and the next gave a number of the past.
  if (highestOf(folder, claim.conversation) !== number) {
    removeQuietly(claimPath(folder, taken));
    return ok(null);
  }
  return ok(taken);
}

/** Writes a claim's next phase, or what is known of it now. */
export function writeClaim(folder: string, claim: Claim): Result<Claim, StoreFailure> {
  const written = replaceFile(claimPath(folder, claim), textOf(claim));
  return written.ok ? ok(claim) : written;
}

/** Closes a claim: after this it frees the conversation. The answer's files go. */
export function closeClaim(
  folder: string,
  claim: Claim,
  settled: NonNullable<Claim['settled']>,
): Result<Claim, StoreFailure> {
  const closed = writeClaim(folder, { ...claim, phase: 'closed', settled });
  const answer = answerPaths(folder, claim);
  removeQuietly(answer.stdout);
  removeQuietly(answer.stderr);
  return closed;
}

/**
 * Clears a closed claim whose outcome the ledger was seen to hold: its answers go, and it says no more how it was
 * settled, so that an attempt that a person removes from the ledger stays removed. The newest of a conversation stays
 * as a marker, so that no number is used twice; older ones go.
 */
export function clearClaim(folder: string, claim: Claim): Result<null, StoreFailure> {
  if (claim.phase !== 'closed') return ok(null);
  const answer = answerPaths(folder, claim);
  removeQuietly(answer.stdout);
  removeQuietly(answer.stderr);
  if (claim.number < highestOf(folder, claim.conversation)) {
    removeQuietly(claimPath(folder, claim));
    return ok(null);
  }
  if (claim.settled === null) return ok(null);
  const written = writeClaim(folder, { ...claim, settled: null });
  return written.ok ? ok(null) : written;
}

function highestOf(folder: string, conversation: string): number {
  let highest = -1;
  for (const name of readdirSync(claimsFolder(folder))) {
    const match = NAME.exec(name);
    if (match?.[1] === conversation) highest = Math.max(highest, Number(match[2]));
  }
  return highest;
}

const textOf = (claim: Claim): string => `${JSON.stringify(claim, null, 1)}\n`;

// `ledger.json`: read whole and valid or not at all; changed by a transition on what is on disk now.
import { join } from 'node:path';
import { EMPTY_LEDGER, type Ledger } from '../core/ledger.ts';
import { failed, ok, type Result } from '../core/result.ts';
import {
  makePrivateFolder,
  readStateFile,
  replaceFile,
  type StoreFailure,
  storeFailure,
} from './files.ts';
import { validate } from './ledger-validator.generated.mjs';

export const ledgerPath = (folder: string): string => join(folder, 'ledger.json');

/** The ledger of a state folder; an absent one is empty, a broken one a failure that names the place. */
export function readLedger(folder: string): Result<Ledger, StoreFailure> {
  const path = ledgerPath(folder);
  const text = readStateFile(path);
  if (!text.ok) return text;
  if (text.value === null) return ok(EMPTY_LEDGER);
  let value: unknown;
  try {
    value = JSON.parse(text.value);
  } catch (error) {
    return failed(storeFailure('broken', path, `is no JSON: ${(error as Error).message}`));
  }
  if (validate(value)) return ok(value as Ledger);
  const first = validate.errors?.[0];
  const place =
    first?.instancePath === '' ? 'the top' : (first?.instancePath ?? 'an unknown place');
  return failed(
    storeFailure('broken', path, `is not valid at ${place}: ${first?.message ?? 'no reason'}`),
  );
}

/**
 * Reads the ledger, applies a transition and writes it if it changed. A refusal of the transition changes nothing.
 * Two writers without the lock can lose one's change: callers keep their claim until their change was seen on disk.
 */
export function updateLedger<R>(
  folder: string,
  transition: (ledger: Ledger) => Result<Ledger, R>,
): Result<Ledger, StoreFailure | { readonly kind: 'refused'; readonly refusal: R }> {
  const before = readLedger(folder);
  if (!before.ok) return before;
  const after = transition(before.value);
  if (!after.ok) return failed({ kind: 'refused', refusal: after.failure });
  if (after.value === before.value) return ok(before.value);
  const made = makePrivateFolder(folder);
  if (!made.ok) return made;
  const written = replaceFile(ledgerPath(folder), `${JSON.stringify(after.value, null, 1)}\n`);
  return written.ok ? ok(after.value) : written;
}

/** `updateLedger` for transitions that cannot be refused. */
export function changeLedger(
  folder: string,
  transition: (ledger: Ledger) => Ledger,
): Result<Ledger, StoreFailure> {
  const result = updateLedger<never>(folder, (ledger) => ok(transition(ledger)));
  if (result.ok || result.failure.kind !== 'refused') return result as Result<Ledger, StoreFailure>;
  return failed(
    storeFailure('broken', ledgerPath(folder), 'a transition that cannot be refused was'),
  );
}

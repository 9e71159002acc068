// How a resume went, as a tick reports it.
import type { StoreFailure } from '../store/files.ts';

export type OutcomeResult =
  | 'woken'
  | 'copied'
  | 'came_back'
  | 'failed'
  | 'unconfirmed'
  | 'in_flight';

export interface ResumeOutcome {
  readonly result: OutcomeResult;
  /** The job that holds the conversation now. */
  readonly id: string;
  readonly message: string;
}

/** `dropped`: something changed between the looks, so nothing was done; the next tick decides anew. */
export type ResumeEnd =
  | { readonly kind: 'outcome'; readonly outcome: ResumeOutcome }
  | { readonly kind: 'dropped'; readonly why: string }
  /** State could not be read or written: the tick stops here. */
  | { readonly kind: 'state-failure'; readonly failure: StoreFailure };

export const outcome = (result: OutcomeResult, id: string, message: string): ResumeEnd => ({
  kind: 'outcome',
  outcome: { result, id, message },
});

export const stateFailure = (failure: StoreFailure): ResumeEnd => ({
  kind: 'state-failure',
  failure,
});

import type { PersonRow, StagedPerson } from '../../domain/ports/ledger.ts';

/** The record of the source where it is not known unchanged. */
export function stagedOf({ desired }: PersonRow): StagedPerson | null {
  return typeof desired === 'string' ? null : desired;
}

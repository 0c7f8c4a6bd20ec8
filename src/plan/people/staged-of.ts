import type { PersonRow } from '../../domain/ports/ledger/person-row.ts';
import type { StagedPerson } from '../../domain/ports/ledger/source-stage.ts';

/** The record of the source where it is not known unchanged. */
export function stagedOf({ desired }: PersonRow): StagedPerson | null {
  return typeof desired === 'string' ? null : desired;
}

import type { PersonRow } from '../../domain/ports/ledger/person-row.ts';
import type { StagedPerson } from '../../domain/ports/ledger/source-stage.ts';

/** Returns the record of the source, `null` where it is missing, unchanged or cannot be used. */
export function stagedOf({ desired }: PersonRow): StagedPerson | null {
  return typeof desired === 'string' ? null : desired;
}

import type { PersonRow } from '../../domain/ports/ledger/person-row.ts';
import { stagedOf } from './staged-of.ts';

/** Returns names that had a value while the record said that the person has left, and have none now. */
export function absentNow(row: PersonRow): readonly string[] {
  const { had = [] } = row;
  const has = stagedOf(row)?.has ?? null;
  return has === null ? [] : had.filter((name) => !has.includes(name));
}

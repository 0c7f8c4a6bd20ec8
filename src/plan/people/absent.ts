import { lackingOf } from '../../domain/reading/usual-names.ts';
import type { PersonRow } from '../../domain/ports/ledger/person-row.ts';
import { stagedOf } from './staged-of.ts';
import type { PersonRules } from './person-decision.ts';

/** Returns names that had a value while the record said that the person has left, and have none now. */
export function absentNow(row: PersonRow): readonly string[] {
  const { had = [] } = row;
  const has = stagedOf(row)?.has ?? null;
  return has === null ? [] : had.filter((name) => !has.includes(name));
}

/** Returns the names that decide about a leaver, and that most people have, of which the record has no value. */
export function lackingNow(row: PersonRow, { usual }: PersonRules): readonly string[] {
  const has = row.isLeftOut === true ? row.leftOutHas : (stagedOf(row)?.has ?? undefined);
  const names = row.isLeftOut === true ? usual?.scope : usual?.active;
  return has === undefined ? [] : lackingOf(names ?? [], has);
}

/** Returns why somebody leaves, with what the record lacks. */
export const withLacking = (why: string, lacking: readonly string[]): string =>
  lacking.length === 0 ? why : `${why}, without ${lacking.join(', ')}, which most have`;

import type { SourceError } from '../../../domain/errors.ts';
import { didYouMean } from '../../../domain/reading/source.ts';
import { suggest } from '../../../lib/suggest.ts';
import { sqlProblem } from '../sql-error.ts';
import { columnsNamed, type Column } from '../../mapping/values/raw-record.ts';

/** Returns the positions of the wanted columns: by exact name, else in any case. Checked before the first row. */
export function chooseColumns(wanted: readonly Column[], columns: readonly string[]): readonly number[] {
  return wanted.map(({ name, places }) => {
    const place = places.join(', ');
    const [found, another] = columnsNamed(name, columns);
    if (another !== undefined)
      throw sqlProblem('sql-column', { places: place, what: `several columns ${name}; name one with AS` });
    if (found === undefined) throw missing(name, columns, place);
    return found;
  });
}

function missing(name: string, columns: readonly string[], place: string): SourceError {
  const hint = didYouMean(name, place, suggest(name, columns));
  const has = columns.length === 0 ? 'it has no columns' : `it has: ${columns.join(', ')}`;
  return sqlProblem('sql-column', { places: place, what: `no column ${name}${hint}; ${has}` });
}

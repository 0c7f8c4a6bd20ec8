import { SourceError } from '../../../domain/errors.ts';
import { didYouMean } from '../../../domain/reading/source.ts';
import { suggest } from '../../../lib/suggest.ts';
import { columnsNamed, type Column } from '../../mapping/values/raw-record.ts';

/** Returns the positions of the wanted columns: by exact name, else in any case. Checked before the first row. */
export function chooseColumns(wanted: readonly Column[], columns: readonly string[]): readonly number[] {
  return wanted.map(({ name, places }) => {
    const place = places.join(', ');
    const [found, another] = columnsNamed(name, columns);
    if (another !== undefined)
      throw new SourceError(`${place}: the query's result has several columns ${name}; name one with AS.`);
    if (found === undefined) throw missing(name, columns, place);
    return found;
  });
}

function missing(name: string, columns: readonly string[], place: string): SourceError {
  const hint = didYouMean(name, place, suggest(name, columns));
  const has = columns.length === 0 ? 'it has no columns' : `it has: ${columns.join(', ')}`;
  return new SourceError(`${place}: the query's result has no column ${name}${hint}; ${has}.`);
}

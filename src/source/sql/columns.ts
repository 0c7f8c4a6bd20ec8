import { SourceError } from '../../domain/errors.ts';
import { suggest } from '../../lib/suggest.ts';

/**
 * Returns the positions of the wanted columns: by exact name, else in any case. Checked before the first row.
 */
export function chooseColumns(
  wanted: readonly string[],
  columns: readonly string[],
  part: { readonly path: string; readonly places: readonly (readonly string[])[] },
): readonly number[] {
  return wanted.map((name, slot) => {
    const exact = positions(columns, (column) => column === name);
    const found =
      exact.length > 0 ? exact : positions(columns, (column) => column.toLowerCase() === name.toLowerCase());
    const [first] = found;
    const place = part.places[slot]?.join(', ') ?? `${part.path}.fields`;
    if (first === undefined) throw missing(name, columns, place);
    if (found.length > 1) throw ambiguous(name, place);
    return first;
  });
}

function positions(columns: readonly string[], matches: (column: string) => boolean): readonly number[] {
  return columns.flatMap((column, index) => (matches(column) ? [index] : []));
}

function missing(name: string, columns: readonly string[], place: string): SourceError {
  const meant = suggest(name, columns);
  const hint = meant === undefined ? '' : ` (did you mean ${meant}?)`;
  const has = columns.length === 0 ? 'it has no columns' : `it has: ${columns.join(', ')}`;
  return new SourceError(`${place}: the query's result has no column ${name}${hint}; ${has}.`);
}

function ambiguous(name: string, place: string): SourceError {
  return new SourceError(`${place}: the query's result has several columns ${name}; name one with AS.`);
}

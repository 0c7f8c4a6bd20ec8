import { SourceError } from '../../domain/errors.ts';

/** Positions of the wanted columns: an exact name first, else in any case. Checked before the first row. */
export function chooseColumns(
  wanted: readonly string[],
  columns: readonly string[],
  part: { readonly path: string },
): readonly number[] {
  return wanted.map((name) => {
    const exact = positions(columns, (column) => column === name);
    const found =
      exact.length > 0 ? exact : positions(columns, (column) => column.toLowerCase() === name.toLowerCase());
    const [first] = found;
    if (first === undefined) throw missing(name, columns, part.path);
    if (found.length > 1) throw ambiguous(name, part.path);
    return first;
  });
}

function positions(columns: readonly string[], matches: (column: string) => boolean): readonly number[] {
  return columns.flatMap((column, index) => (matches(column) ? [index] : []));
}

function missing(name: string, columns: readonly string[], path: string): SourceError {
  const has = columns.length === 0 ? 'it has no columns' : `it has: ${columns.join(', ')}`;
  return new SourceError(`${path}.fields: the query's result has no column ${name}; ${has}.`);
}

function ambiguous(name: string, path: string): SourceError {
  return new SourceError(`${path}.fields: the query's result has several columns ${name}; name one with AS.`);
}

import { suggest } from '../../lib/suggest.ts';
import { fileError, type NamedFile } from './csv-error.ts';

/** Names of columns that the rules read, and where the configuration has each. */
export interface WantedColumns {
  readonly names: readonly string[];
  readonly places: readonly (readonly string[])[];
}

/**
 * Returns the positions of the wanted columns in the header: by exact name, else in any case. Throws where one
 * is missing, or several have its name.
 */
export function chooseCells(
  header: readonly string[],
  { names, places }: WantedColumns,
  file: NamedFile,
): readonly number[] {
  const columns = header.map((name) => name.trim());
  return names.map((name, slot) => {
    const exact = positions(columns, (column) => column === name);
    const found =
      exact.length > 0 ? exact : positions(columns, (column) => column.toLowerCase() === name.toLowerCase());
    const [first] = found;
    const place = places[slot]?.join(', ') ?? file.place;
    if (first === undefined) throw missing(name, columns, { ...file, place });
    if (found.length > 1) {
      const which = found.map((index) => index + 1).join(' and ');
      throw fileError(
        { ...file, place },
        `has several columns ${name}, the ${which}. of them; rename one in the export`,
      );
    }
    return first;
  });
}

function positions(columns: readonly string[], matches: (column: string) => boolean): readonly number[] {
  return columns.flatMap((column, index) => (matches(column) ? [index] : []));
}

function missing(name: string, columns: readonly string[], file: NamedFile): Error {
  const meant = suggest(name, columns);
  const hint = meant === undefined || meant === '' ? '' : ` (did you mean ${meant}?)`;
  const all = columns.map((column, index) => (column === '' ? `column ${index + 1} without a name` : column));
  const remedy = columns.length === 1 ? '; if this is several columns, set source.separator' : '';
  return fileError(file, `has no column ${name}${hint}; it has: ${all.join(', ')}${remedy}`);
}

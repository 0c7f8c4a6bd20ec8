import type { CsvSeparator } from '../../domain/csv-choices.ts';

const CANDIDATES = [',', ';', '\t', '|'] as const;

/**
 * Returns the character between two cells. `auto`: the commonest in the header, outside of quotes; a comma
 * where there is none.
 *
 * @param start the first whole lines of the file
 */
export function separatorOf(setting: CsvSeparator, start: Buffer, quotes: boolean): string {
  if (setting === 'tab') return '\t';
  if (setting !== 'auto') return setting;
  const header = headerOf(start.toString(), quotes);
  const counts = CANDIDATES.map((candidate) => header.split(candidate).length);
  return CANDIDATES[counts.indexOf(Math.max(...counts))] ?? ',';
}

/** Returns the first line that is not empty, without what stands in quotes. */
function headerOf(text: string, quotes: boolean): string {
  const bare = quotes ? text.replaceAll(/"[^"]*"/gu, '""') : text;
  return /[^\r\n]+/u.exec(bare)?.[0] ?? '';
}

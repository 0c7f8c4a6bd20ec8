import type { CsvSeparator } from '../../domain/source-choices.ts';

const CANDIDATES = [',', ';', '\t', '|'] as const;

/** A first line that tells spreadsheets the separator. */
const TOLD = /^"?sep=(?<separator>[^\r\n])"?(?=\r?\n)/iu;

/** Returns the first whole lines of a file without `sep=;`, whose place stays empty, and the separator that it names. */
export function toldSeparator(start: Buffer): { readonly rest: Buffer; readonly separator: string | null } {
  const found = TOLD.exec(start.subarray(0, 16).toString());
  if (found === null) return { rest: start, separator: null };
  return {
    rest: start.subarray(Buffer.byteLength(found[0])),
    separator: found.groups?.['separator'] ?? null,
  };
}

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

import { createHash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { KeptRow } from '../../domain/ports/source-keep.ts';

/** What few records have. */
type Unusual = Partial<Pick<KeptRow, 'unknown' | 'garbled' | 'problem'>>;
type Spelled = readonly [
  values: KeptRow['values'],
  whose: KeptRow['whose'],
  place: string | null,
  unusual?: Unusual,
];

export function spellRow({ values, whose, place, unknown, garbled, problem }: KeptRow): string {
  const usual = [values, whose, place] as const;
  const unusual: Unusual = {
    ...(unknown.length > 0 && { unknown }),
    ...(garbled.length > 0 && { garbled }),
    ...(problem !== null && { problem }),
  };
  const row: Spelled = Object.keys(unusual).length === 0 ? usual : [...usual, unusual];
  return JSON.stringify(row);
}

function readRow(text: string): KeptRow {
  const [values, whose, place, unusual = {}] = JSON.parse(text) as Spelled;
  return { values, whose, place, unknown: [], garbled: [], problem: null, ...unusual };
}

/** A page of records, as text with one in each line. JSON has no line breaks of its own. */
export function pageOf(rows: readonly string[]): { readonly digest: Buffer; readonly data: () => Buffer } {
  const page = rows.join('\n');
  return { digest: createHash('sha256').update(page).digest(), data: () => deflateRawSync(page) };
}

export function linesOf(data: Buffer): readonly string[] {
  return inflateRawSync(data).toString('utf8').split('\n');
}

export function rowsOf(data: Buffer): readonly KeptRow[] {
  return linesOf(data).map((line) => readRow(line));
}

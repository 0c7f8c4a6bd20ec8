import type { FieldValue } from '../../domain/records/fields.ts';
import { escapeHidden } from '../../domain/text/printable.ts';
import type { WrittenEntry } from '../../plan/words/written-entry.ts';

const COLUMNS = [
  'at',
  'run',
  'subject',
  'id',
  'name',
  'kind',
  'field',
  'before',
  'after',
  'cause',
  'guard',
  'approval',
  'approver',
] as const;

type Row = Readonly<Record<(typeof COLUMNS)[number], string>>;

export const CSV_HEAD = `${COLUMNS.join(',')}\r\n`;

/** Returns the rows of an entry, RFC 4180: one for each field, or one without a field. */
export function csvRows({ fields, ...entry }: WrittenEntry): string {
  const of = fields.length === 0 ? [{ field: '', before: null, after: null }] : fields;
  return of
    .map(({ field, before, after }) => rowOf({ ...entry, field, before: spell(before), after: spell(after) }))
    .join('');
}

function rowOf({ guard, approval, approver, ...known }: Omit<WrittenEntry, 'fields'> & Spelled): string {
  const row: Row = { ...known, guard: guard ?? '', approval: approval ?? '', approver: approver ?? '' };
  return `${COLUMNS.map((column) => cell(row[column])).join(',')}\r\n`;
}

interface Spelled {
  readonly field: string;
  readonly before: string;
  readonly after: string;
}

function spell(value: FieldValue | null): string {
  if (value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/**
 * Before what a spreadsheet may take for a formula, in any width: at the beginning of a cell, also of one that begins
 * after a semicolon, which separates cells in many countries.
 */
const FORMULA = /(?<=^|;)(?=\s*[=＝﹦⁼₌+＋﹢⁺₊@＠﹫−⁻₋\p{Pd}])/gu;

/** Returns a cell of one line that no spreadsheet calculates and no terminal obeys, quoted if it has to be. */
function cell(text: string): string {
  const safe = escapeHidden(text).replaceAll(FORMULA, "'");
  return /[",;]/u.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

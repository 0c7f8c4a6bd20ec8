import type { FieldValue } from '../../domain/records/fields.ts';
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

/** What a spreadsheet would take for a formula. */
const FORMULA = /^[=+\-@\t\r]/u;

/** Returns a cell that no spreadsheet calculates, quoted where it has to be. */
function cell(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/u.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

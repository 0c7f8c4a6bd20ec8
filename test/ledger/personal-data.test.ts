import { expect, test } from 'vitest';
import { PERSONAL_DATA } from '../../src/ledger/forgotten/personal-data.ts';
import { ledgerFile } from './ledger-file.ts';

const TEXT_COLUMNS = `
  SELECT t.name AS "table", c.name AS "column" FROM sqlite_master t, pragma_table_info(t.name) c
  WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%' AND c.type IN ('TEXT', 'BLOB')`;

/** Whether the columns with text are either erased with their rows, or named. */
function isKnown(table: string, column: string): boolean {
  const { rows, texts = [], values = [], others } = PERSONAL_DATA[table] ?? {};
  if (others === undefined && PERSONAL_DATA[table] !== undefined) return true;
  const keys = Object.values(rows ?? {})
    .join(' ')
    .split(/\W+/u);
  return [...keys, ...texts, ...values, ...(others ?? [])].includes(column);
}

test('each table, and each of its columns with text, is in the list of what has to be erased', () => {
  const { open, raw } = ledgerFile('personal');
  open().close();
  raw((db) => {
    const found = db.prepare(TEXT_COLUMNS).all() as { readonly table: string; readonly column: string }[];
    expect(found.length).toBeGreaterThan(90);
    expect(found.filter(({ table, column }) => !isKnown(table, column))).toEqual([]);
    const tables = new Set(found.map(({ table }) => table));
    expect(Object.keys(PERSONAL_DATA).filter((table) => !tables.has(table))).toEqual([]);
    for (const [table, { rows = {}, texts = [], values = [], where = 'true' }] of Object.entries(
      PERSONAL_DATA,
    )) {
      const columns = [...texts, ...values].map((column) => `coalesce(${column}, '')`);
      const conditions = [...Object.values(rows).map((row) => `${row} = ''`), where];
      db.prepare(`SELECT ${['1', ...columns].join()} FROM ${table} WHERE ${conditions.join(' OR ')}`).all();
    }
  });
});

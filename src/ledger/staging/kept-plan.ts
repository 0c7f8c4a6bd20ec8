import { rmSync } from 'node:fs';
import { Database, inPages, rowNumber } from '../database/database.ts';
import { STAGING_SCHEMA } from './staging-schema.ts';

const TABLES = ['change', 'blocked'] as const;
const PAGE = 1_000;

/** The kept plan is a file next to the staging file. It may name everyone, so it is not kept in memory. */
const keptPlanFile = (db: Database): string => `${db.path}.staging-kept`;

/** Copies the plan out of the transaction under way, so that it outlives the transaction. */
export function keepPlan(db: Database): void {
  const file = keptPlanFile(db);
  rmSync(file, { force: true });
  const kept = new Database(file, { readonly: false });
  try {
    kept.pragma('journal_mode = OFF');
    kept.pragma('synchronous = OFF');
    kept.exec(STAGING_SCHEMA.replaceAll('staging.', ''));
    for (const table of TABLES) kept.transaction(() => copyRows(db, kept, table));
  } finally {
    kept.close();
  }
}

function copyRows(db: Database, kept: Database, table: string): void {
  const page = db.sql(
    `SELECT rowid AS n, t.* FROM staging.${table} t WHERE rowid > ? ORDER BY rowid LIMIT ${PAGE}`,
  );
  for (const { n: _, ...row } of inPages(0, (last) => page.all(last), rowNumber)) {
    const values = Object.values(row as Readonly<Record<string, string | number | null>>);
    kept.sql(`INSERT INTO ${table} VALUES (${values.map(() => '?').join()})`).run(...values);
  }
}

/** Puts the kept plan in the place of the one that is there. */
export function takeKeptPlan(db: Database): void {
  const file = keptPlanFile(db);
  db.sql('ATTACH ? AS kept').run(file);
  for (const table of TABLES)
    db.exec(`DELETE FROM staging.${table}; INSERT INTO staging.${table} SELECT * FROM kept.${table};`);
  db.exec('DETACH kept');
  rmSync(file, { force: true });
}

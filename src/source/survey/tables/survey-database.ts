import type { ColumnShape, TableFacts, TableShape } from '../../../domain/survey/table-facts.ts';
import type { SqlConnection } from '../../sql/sql-connection.ts';

/** Rows of a sample. */
const SAMPLE = 1_000;

export interface DatabaseFacts {
  /** Every table and view that this user may read. */
  readonly tables: readonly TableShape[];
  /** Those that were chosen, with the first of their rows. */
  readonly samples: readonly TableFacts[];
}

/**
 * Looks at a database: its tables, columns and keys, and the first rows of those that are chosen. Never reads
 * a table to its end.
 */
export async function surveyDatabase(
  connection: SqlConnection,
  choose: (tables: readonly TableShape[]) => readonly TableShape[],
): Promise<DatabaseFacts> {
  try {
    const tables = await catalogOf(connection);
    const samples: TableFacts[] = [];
    for (const table of choose(tables)) samples.push(await sampleOf(connection, table));
    return { tables, samples };
  } finally {
    await connection.close();
  }
}

async function sampleOf(connection: SqlConnection, table: TableShape): Promise<TableFacts> {
  const columns = table.columns.map(({ quoted }) => quoted).join(', ');
  const rows = await rowsOf(connection, `select ${columns} from ${table.quoted} limit ${SAMPLE + 1}`);
  return withCells(table, rows, SAMPLE);
}

/** Returns a table with these rows, of which one more than the sample says that there are more. */
export function withCells(
  table: TableShape,
  rows: readonly (readonly string[])[],
  atMost: number,
): TableFacts {
  const sample = rows.slice(0, atMost);
  return {
    ...table,
    columns: table.columns.map((column, index) => ({
      ...column,
      cells: sample.map((row) => (row[index] ?? '').trim()),
    })),
    rows: sample.length,
    isWhole: rows.length <= atMost,
  };
}

type Engine = 'postgres' | 'mysql' | 'sqlite';

interface Dialect {
  /** Query for the columns: schema (empty: the usual one), table, column, in the order of the table. */
  readonly columns: string;
  /** Query for keys: schema, table, column, table that it refers to (NULL: it is the primary key). */
  readonly keys: string;
  readonly quote: string;
  /** Names that need no quotes. */
  readonly plain: RegExp;
}

const MYSQL_OWN = "('mysql', 'information_schema', 'performance_schema', 'sys')";

const DIALECTS: Readonly<Record<Engine, Dialect>> = {
  postgres: {
    // What a user may read; keys are in pg_constraint, since information_schema shows them to owners alone.
    columns: `
      select case when table_schema = current_schema() then '' else table_schema end, table_name, column_name
      from information_schema.columns
      where table_schema not in ('pg_catalog', 'information_schema')
      order by table_schema, table_name, ordinal_position limit 20000`,
    keys: `
      select case when n.nspname = current_schema() then '' else n.nspname end, c.relname, a.attname, f.relname
      from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
        join pg_attribute a on a.attrelid = c.oid and a.attnum = k.conkey[1]
        left join pg_class f on f.oid = k.confrelid
      where k.contype in ('p', 'f') and array_length(k.conkey, 1) = 1`,
    quote: '"',
    plain: /^[a-z_][a-z0-9_]*$/u,
  },
  mysql: {
    columns: `
      select case when table_schema = database() then '' else table_schema end as a, table_name as b, column_name as c
      from information_schema.columns where table_schema not in ${MYSQL_OWN}
      order by table_schema, table_name, ordinal_position limit 20000`,
    keys: `
      select case when table_schema = database() then '' else table_schema end as a, max(table_name) as b,
        max(column_name) as c, max(referenced_table_name) as d
      from information_schema.key_column_usage
      where table_schema not in ${MYSQL_OWN} and (constraint_name = 'PRIMARY' or referenced_table_name is not null)
      group by table_schema, table_name, constraint_name having count(*) = 1`,
    quote: '`',
    plain: /^[A-Za-z_][A-Za-z0-9_]*$/u,
  },
  sqlite: {
    columns: `
      select '', m.name, p.name from sqlite_schema m join pragma_table_info(m.name) p
      where m.type in ('table', 'view') and m.name not like 'sqlite\\_%' escape '\\' order by m.name, p.cid limit 20000`,
    keys: `
      select '', m.name, p.name, null from sqlite_schema m join pragma_table_info(m.name) p
      where m.type = 'table' and p.pk = 1
        and (select count(*) from pragma_table_info(m.name) q where q.pk > 0) = 1
      union all
      select '', m.name, f."from", f."table" from sqlite_schema m join pragma_foreign_key_list(m.name) f
      where m.type = 'table'`,
    quote: '"',
    plain: /^[A-Za-z_][A-Za-z0-9_]*$/u,
  },
};

/** Words that are no names without quotes in one of the engines. */
const RESERVED: ReadonlySet<string> = new Set(
  (
    'all analyze and any as asc authorization between both by case cast check collate column constraint create ' +
    'cross current_date current_user default delete desc distinct do drop else end except exists false fetch for ' +
    'foreign from full function grant group groups having if in index inner insert intersect into is join key ' +
    'leading left like limit natural not null offset on or order outer over primary rank references right ' +
    'row rows select session_user set system table then to trailing true union unique update usage user using ' +
    'values when where window with'
  ).split(' '),
);

/** Returns all tables and views that this user may read, with their columns and keys. */
async function catalogOf(connection: SqlConnection): Promise<readonly TableShape[]> {
  const dialect = DIALECTS[connection.type as Engine];
  const keys = new Map(
    (await rowsOf(connection, dialect.keys)).map(([schema, table, column, refersTo]) => [
      JSON.stringify([schema, table, column, refersTo !== '']),
      refersTo ?? '',
    ]),
  );
  const tables = new Map<string, { schema: string; table: string; columns: ColumnShape[] }>();
  for (const [schema = '', table = '', name = ''] of await rowsOf(connection, dialect.columns)) {
    const id = JSON.stringify([schema, table]);
    const entry = tables.get(id) ?? { schema, table, columns: [] };
    tables.set(id, entry);
    entry.columns.push({
      name,
      quoted: quotedName(name, dialect),
      isKey: keys.has(JSON.stringify([schema, table, name, false])),
      refersTo: keys.get(JSON.stringify([schema, table, name, true])) ?? null,
    });
  }
  return [...tables.values()].map(({ schema, table, columns }) => ({
    name: schema === '' ? table : `${schema}.${table}`,
    quoted: (schema === '' ? [table] : [schema, table]).map((name) => quotedName(name, dialect)).join('.'),
    columns,
  }));
}

/** Returns up to so many rows of a query, absent values as empty texts. */
async function rowsOf(connection: SqlConnection, query: string): Promise<readonly (readonly string[])[]> {
  const found: (readonly string[])[] = [];
  for await (const batch of connection.rows(query, (columns) => [...columns.keys()]))
    for (const cells of batch) found.push(cells.map((cell) => [cell ?? ''].flat()[0] ?? ''));
  return found;
}

function quotedName(name: string, { quote, plain }: Dialect): string {
  if (plain.test(name) && !RESERVED.has(name.toLowerCase())) return name;
  return `${quote}${name.replaceAll(quote, quote + quote)}${quote}`;
}

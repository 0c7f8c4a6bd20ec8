import { withCells, SAMPLE } from '../../init/sample.ts';
import type {
  ChosenTables,
  ColumnFacts,
  ColumnShape,
  TableFacts,
  TableShape,
} from '../../init/table-facts.ts';
import type { ChooseColumns, SqlConnection } from '../sql-connection.ts';

/**
 * Looks at a database: the columns of all tables and views that this user may read, and the first rows of
 * those that are chosen. Never reads a table to its end.
 */
export async function surveyDatabase(
  connection: SqlConnection,
  choose: (tables: readonly TableShape[]) => ChosenTables<TableShape>,
): Promise<ChosenTables<TableFacts>> {
  const sampled = async (table: TableShape | undefined): Promise<TableFacts | undefined> =>
    table === undefined ? undefined : sampleOf(connection, table);
  try {
    const { people, units, positions } = choose(await catalogOf(connection));
    return {
      people: await sampleOf(connection, people),
      units: await sampled(units),
      positions: await sampled(positions),
    };
  } finally {
    await connection.close();
  }
}

/** Returns the columns of a query with the first of its values, and closes the connection. */
export async function surveyQuery(connection: SqlConnection, query: string): Promise<readonly ColumnFacts[]> {
  let names: readonly string[] = [];
  try {
    const rows = await rowsOf(connection, query, (columns) => [...(names = columns).keys()]);
    return names.map((name, at) => ({
      name,
      quoted: name,
      cells: rows.map((row) => (row[at] ?? '').trim()),
    }));
  } finally {
    await connection.close();
  }
}

async function sampleOf(connection: SqlConnection, table: TableShape): Promise<TableFacts> {
  const columns = table.columns.map(({ quoted }) => quoted).join(', ');
  const rows = await rowsOf(connection, `select ${columns} from ${table.quoted} limit ${SAMPLE + 1}`);
  return withCells(table, rows, true);
}

/** Queries for the columns: schema (empty: the usual one), table, column, in the order of the table. */
const COLUMNS: Readonly<Partial<Record<SqlConnection['type'], string>>> = {
  postgres: `
    select case when table_schema = current_schema() then '' else table_schema end, table_name, column_name
    from information_schema.columns
    where table_schema not in ('pg_catalog', 'information_schema')
    order by table_schema, table_name, ordinal_position limit 20000`,
  mysql: `
    select case when table_schema = database() then '' else table_schema end as a, table_name as b, column_name as c
    from information_schema.columns
    where table_schema not in ('mysql', 'information_schema', 'performance_schema', 'sys')
    order by table_schema, table_name, ordinal_position limit 20000`,
  sqlite: `
    select '', m.name, p.name from sqlite_schema m join pragma_table_info(m.name) p
    where m.type in ('table', 'view') and m.name not like 'sqlite\\_%' escape '\\'
    order by m.name, p.cid limit 20000`,
};

async function catalogOf(connection: SqlConnection): Promise<readonly TableShape[]> {
  const quote = connection.type === 'mysql' ? '`' : '"';
  const quoted = (name: string): string => `${quote}${name.replaceAll(quote, quote + quote)}${quote}`;
  const tables = new Map<string, TableShape & { readonly columns: ColumnShape[] }>();
  const rows = await rowsOf(connection, COLUMNS[connection.type] ?? '');
  for (const [schema = '', table = '', column = ''] of rows) {
    const names = schema === '' ? [table] : [schema, table];
    const name = names.join('.');
    const known = tables.get(name) ?? { name, quoted: names.map(quoted).join('.'), columns: [] };
    known.columns.push({ name: column, quoted: quoted(column) });
    tables.set(name, known);
  }
  return [...tables.values()];
}

/** Rows of a query that are enough. */
const MOST_ROWS = 20_000;

/** Returns the rows of a query, absent values as empty texts. */
async function rowsOf(
  connection: SqlConnection,
  query: string,
  choose: ChooseColumns = (columns) => [...columns.keys()],
): Promise<readonly (readonly string[])[]> {
  const found: (readonly string[])[] = [];
  for await (const batch of connection.rows(query, choose)) {
    for (const cells of batch) found.push(cells.map((cell) => [cell ?? ''].flat()[0] ?? ''));
    if (found.length > MOST_ROWS) break;
  }
  return found;
}

import { startPostgres } from '../../servers/postgres.ts';
import { codeOf, moveOf, newTitle, peopleOf, unitsOf, type Company } from '../company.ts';
import {
  PERSON_COLUMNS,
  personCells,
  scriptOf,
  TABLE_FIELDS,
  UNIT_COLUMNS,
  unitCells,
  type Cells,
  type OpenBenchSource,
} from './bench-source.ts';

/** PostgreSQL, in clear on the loopback interface as the others are. */
export const openPostgres: OpenBenchSource = async (company) => {
  const server = await startPostgres({ tls: false });
  // The password has characters that a URL takes encoded only.
  const url = server.url.replace(/(?<=:)[^:]*(?=@[^@]*$)/u, encodeURIComponent);
  const exec = async (statements: Iterable<string>): Promise<void> => {
    for (const statement of statements) await server.exec(statement);
  };
  await exec(companySql(company));
  await server.exec('analyze');
  const args = [scriptOf('floors/postgres-read'), url, ...Object.values(QUERIES)];
  return {
    name: 'postgres',
    config: {
      type: 'sql',
      url,
      units: { query: QUERIES.units, fields: TABLE_FIELDS.units },
      people: { query: QUERIES.people, changes: CHANGES, fields: TABLE_FIELDS.people },
    },
    floors: [{ name: 'bare driver', command: 'node', args }],
    change: (from, to) => exec(titlesSql(from, to)),
    move: () => server.exec(moveSql(company)),
    stop: () => server.stop(),
  };
};

const ROWS_AT_ONCE = 5_000;

const quoted = (cell: string | null): string => (cell === null ? 'null' : `'${cell.replaceAll("'", "''")}'`);
const tuple = (cells: Cells): string => `(${cells.map(quoted).join(',')})`;

const columns = (names: readonly string[]): string =>
  names.map((name) => `${name} text${name === 'id' ? ' primary key' : ''}`).join(', ');

/** Yields statements that fill an empty database. */
function* companySql(company: Company): Iterable<string> {
  yield `create table department (${columns(UNIT_COLUMNS)});
    create table employee (${columns(PERSON_COLUMNS)}, updated_at timestamp not null default '2020-01-01 00:00:00');
    create index employee_updated on employee (updated_at)`;
  yield* inserts('department', unitsOf(company).map(unitCells));
  yield* inserts(`employee (${PERSON_COLUMNS.join(', ')})`, peopleCells(company));
}

function* peopleCells(company: Company): Iterable<Cells> {
  for (const person of peopleOf(company)) yield personCells(person);
}

function* inserts(table: string, rows: Iterable<Cells>): Iterable<string> {
  let tuples: string[] = [];
  const statement = (): string => `insert into ${table} values ${tuples.join(',')}`;
  for (const row of rows) {
    tuples.push(tuple(row));
    if (tuples.length < ROWS_AT_ONCE) continue;
    yield statement();
    tuples = [];
  }
  if (tuples.length > 0) yield statement();
}

const QUERIES = {
  units: `select ${UNIT_COLUMNS.join(', ')} from department`,
  people: `select ${PERSON_COLUMNS.join(', ')} from employee`,
};

/** How the databases tell what changed; no part of the floors, which read everything. */
const CHANGES = {
  query: `${QUERIES.people} where updated_at >= :changedSince`,
  ids: 'select id from employee',
};

/** Yields statements that give people `from` to `to` their new titles. */
function* titlesSql(from: number, to: number): Iterable<string> {
  for (let first = from; first <= to; first += ROWS_AT_ONCE) {
    const last = Math.min(to, first + ROWS_AT_ONCE - 1);
    const cases = Array.from({ length: last - first + 1 }, (_, index) => {
      const i = first + index;
      return { id: `'p${i}'`, when: `when 'p${i}' then '${newTitle(i)}'` };
    });
    const ids = cases.map(({ id }) => id).join(',');
    yield `update employee set title = case id ${cases.map(({ when }) => when).join(' ')} end, updated_at = now() where id in (${ids})`;
  }
}

function moveSql(company: Company): string {
  const { k, to } = moveOf(company);
  return `update department set parent_id = '${codeOf(to)}' where id = '${codeOf(k)}'`;
}

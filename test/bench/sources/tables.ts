import {
  codeOf,
  moveOf,
  newTitle,
  peopleOf,
  unitsOf,
  type Company,
  type CompanyPerson,
  type CompanyUnit,
} from '../company.ts';
import { personFields } from './bench-source.ts';

/** Columns of the tables, as a database has them and as a file's header names them. */
export const UNIT_COLUMNS = ['id', 'parent_id', 'name'] as const;
export const PERSON_COLUMNS = [
  'id',
  'login',
  'full_name',
  'email',
  'mobile',
  'emp_no',
  'tel',
  'title',
  'dept_id',
  'second_id',
] as const;

type Cells = readonly (string | null)[];

export function unitCells({ code, parent, name }: CompanyUnit): Cells {
  return [code, parent === 0 ? null : codeOf(parent), name];
}

export function personCells(person: CompanyPerson, title = person.title): Cells {
  const { i, username, name, mail, mobile, employeeNumber, tel, unit, second } = person;
  const places = [codeOf(unit), second === null ? null : codeOf(second)];
  return [`p${i}`, username, name, mail, mobile, employeeNumber, tel, title, ...places];
}

/** Parts `units` and `people` of the section `source`, without their queries or files. */
export const TABLE_FIELDS = {
  units: { id: 'id', parent: 'parent_id', name: 'name' },
  people: personFields({
    id: 'id',
    username: 'login',
    name: 'full_name',
    email: 'email',
    mobile: 'mobile',
    sn: 'emp_no',
    tel: 'tel',
    unit: 'dept_id',
    second: 'second_id',
  }),
};

const ROWS_AT_ONCE = 5_000;

const quoted = (cell: string | null): string => (cell === null ? 'null' : `'${cell.replaceAll("'", "''")}'`);
const tuple = (cells: Cells): string => `(${cells.map(quoted).join(',')})`;

/** Yields statements that fill an empty database; `text` is the database's type of a short text. */
export function* companySql(company: Company, text: string): Iterable<string> {
  const columns = (names: readonly string[]): string =>
    names.map((name) => `${name} ${text}${name === 'id' ? ' primary key' : ''}`).join(', ');
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

export const QUERIES = {
  units: `select ${UNIT_COLUMNS.join(', ')} from department`,
  people: `select ${PERSON_COLUMNS.join(', ')} from employee`,
};

/** How the databases tell what changed; no part of the floors, which read everything. */
export const CHANGES = {
  query: `${QUERIES.people} where updated_at >= :changedSince`,
  ids: 'select id from employee',
};

/** Yields statements that give people `from` to `to` their new titles. */
export function* titlesSql(from: number, to: number): Iterable<string> {
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

export function moveSql(company: Company): string {
  const { k, to } = moveOf(company);
  return `update department set parent_id = '${codeOf(to)}' where id = '${codeOf(k)}'`;
}

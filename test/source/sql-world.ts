import type { SqlSettings } from '../../src/source/sql/kind.ts';
import { TABLE_ROWS, TABLE_RULES, type Whole } from './world.ts';

const UNIT_COLUMNS = 'id, parent_id, name';
const PERSON_COLUMNS = 'seq, emp_no, login, full_name, email, status, born, sort_no';

/** The world as SQL that every database takes. */
export function worldSql(): readonly string[] {
  return [
    'create table department (id varchar(20), parent_id varchar(20), name varchar(255))',
    'create table employee (seq int, emp_no varchar(20), login varchar(50), full_name varchar(255), ' +
      'email varchar(100), status varchar(10), born varchar(20), sort_no varchar(30))',
    'create table assignment (emp_no varchar(20), dept_id varchar(20), job_title varchar(50), is_primary int)',
    insert(`department (${UNIT_COLUMNS})`, TABLE_ROWS.units),
    insert(
      `employee (${PERSON_COLUMNS})`,
      TABLE_ROWS.people.map((row, index) => [index, ...row]),
    ),
    insert('assignment (emp_no, dept_id, job_title, is_primary)', TABLE_ROWS.positions),
  ];
}

function insert(into: string, rows: readonly (readonly (string | number | null)[])[]): string {
  return `insert into ${into} values ${rows.map((row) => `(${row.map(literal).join(', ')})`).join(',\n')}`;
}

function literal(value: string | number | null): string {
  if (value === null) return 'null';
  return typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`;
}

/** Settings of a database that holds the world. `people` replaces the query of the people. */
export function worldSettings(
  url: string,
  changes: Partial<Whole<SqlSettings>> & { people?: never; query?: string } = {},
): Whole<SqlSettings> {
  const { query, ...rest } = changes;
  return {
    type: 'sql',
    url,
    tls: { insecure: false },
    timeoutSeconds: 20,
    units: { query: `select ${UNIT_COLUMNS} from department`, rules: TABLE_RULES.units },
    people: { query: query ?? 'select * from employee', rules: TABLE_RULES.people },
    positions: { query: 'select * from assignment', rules: TABLE_RULES.positions },
    ...rest,
  };
}

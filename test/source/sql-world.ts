import type { SqlSettings } from '../../src/domain/source-settings.ts';
import { PEOPLE, UNITS, type Whole } from './world.ts';

const UNIT_COLUMNS = 'id, parent_id, name';
const PERSON_COLUMNS = 'seq, emp_no, login, full_name, email, status, born, sort_no';

/** The world as SQL that every database takes. */
export function worldSql(): readonly string[] {
  return [
    'create table department (id varchar(20), parent_id varchar(20), name varchar(255))',
    'create table employee (seq int, emp_no varchar(20), login varchar(50), full_name varchar(255), ' +
      'email varchar(100), status varchar(10), born varchar(20), sort_no varchar(30))',
    'create table assignment (emp_no varchar(20), dept_id varchar(20), job_title varchar(50), is_primary int)',
    insert(
      `department (${UNIT_COLUMNS})`,
      UNITS.map((unit) => [unit.id, unit.parent, unit.name]),
    ),
    insert(
      `employee (${PERSON_COLUMNS})`,
      PEOPLE.map((person, index) => [
        index,
        person.id,
        person.username,
        person.name,
        person.email,
        person.active ? 'active' : 'left',
        person.born,
        person.order,
      ]),
    ),
    insert(
      'assignment (emp_no, dept_id, job_title, is_primary)',
      PEOPLE.flatMap(({ id, units, title }) =>
        units.map((unit, index) => [id, unit, index === 0 ? title : null, index === 0 ? 1 : 0]),
      ),
    ),
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
    units: {
      query: `select ${UNIT_COLUMNS} from department`,
      rules: { id: 'id', parent: 'parent_id', fields: { name: 'name' } },
    },
    people: {
      query: query ?? 'select * from employee',
      rules: {
        id: 'emp_no',
        username: 'LOGIN',
        active: { expr: "status != 'left'" },
        fields: { name: 'full_name', email: 'email', birthday: 'born', sort_order: 'sort_no' },
        properties: {},
        tag_names: {},
        source_identifiers: {},
        positions: [],
      },
    },
    positions: {
      query: 'select * from assignment',
      rules: { person: 'emp_no', unit: 'dept_id', job_title: 'job_title', primary: 'is_primary' },
    },
    ...rest,
  };
}

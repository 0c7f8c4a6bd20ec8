import type { FieldValue } from '../../src/domain/records/fields.ts';
import type { Person, Unit } from '../../src/domain/records/records.ts';
import type { MemoryWorld } from '../doubles/memory-source.ts';

type Cell = FieldValue | null | undefined;

const cell = (value: Cell): string => {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'boolean') return value ? '1' : '0';
  return `'${(typeof value === 'string' ? value : JSON.stringify(value)).replaceAll("'", "''")}'`;
};

const rows = (all: readonly (readonly Cell[])[]): string =>
  all.map((row) => `(${row.map(cell).join(', ')})`).join(', ');

const active = ({ active: is }: Person): string => (is === false ? 'left' : 'active');

/** Statements that fill an HR database with this world, whatever was in it before; all in one transaction. */
export function hrOf({ units, people }: MemoryWorld): string {
  const departments = units.filter((one): one is Unit => 'refs' in one);
  const staff = people.filter((one): one is Person => 'username' in one);
  const seats = staff.flatMap(({ id, positions }) =>
    positions.map(({ unit, fields: { job_title: title, primary, chief } }) => [
      id,
      unit,
      title,
      primary,
      chief,
    ]),
  );
  return `begin;
    drop table if exists department; drop table if exists employee; drop table if exists assignment;
    create table department (id text, parent_id text, name text);
    create table employee (emp_no text, login text, full_name text, email text, status text);
    create table assignment (emp_no text, dept_id text, title text, is_primary integer, is_chief integer);
    insert into department values ${rows(departments.map(({ id, parent, fields }) => [id, parent, fields['name']]))};
    insert into employee values ${rows(staff.map((one) => [one.id, one.username, one.fields['name'], one.fields['email'], active(one)]))};
    insert into assignment values ${rows(seats)};
    commit;`;
}

import type { Stage } from './command-line.ts';
import { openStage } from './command-line.ts';

export const CARD = '11010119900307123X';

const HR = `
  create table department (id text, parent_id text, name text);
  create table employee (emp_no text, login text, full_name text, email text, card text, rank text, account text, status text);
  create table assignment (emp_no text, dept_id text, title text, is_primary integer);
  insert into department values ('d1', null, 'Harbour'), ('d2', 'd1', 'Sales'), ('d3', 'd1', '研发部'), ('d4', 'd3', 'Sales');
  insert into employee values
    ('E1', 'wang.min', '王敏', 'wang.min@example.com', '${CARD}', null, null, 'active'),
    ('E2', 'li.wei', 'Li Wei', null, '${CARD}', '7', null, 'active'),
    ('E3', 'ann', 'Ann', 'ann@example.com', '${CARD}', null, null, 'active'),
    ('E4', 'bob', 'Bob', null, '${CARD}', 'first', null, 'active');
  insert into assignment values ('E1', 'd3', 'Engineer', 1), ('E1', 'd2', 'Adviser', 0),
    ('E2', 'd2', 'Clerk', 1), ('E3', 'd4', null, 1), ('E4', 'd4', null, 1);
`;

export const SOURCE = `source:
  type: sql
  url: sqlite:hr.db
  units: { query: select * from department, fields: { id: id, parent: parent_id, name: name } }
  people:
    query: select * from employee
    fields:
      id: emp_no
      username: login
      name: full_name
      email: email
      sort_order: rank
      id_card: card
      user_id: account
      active: { expr: "status != 'left'" }
  positions:
    query: select * from assignment
    fields: { person: emp_no, unit: dept_id, job_title: title, primary: is_primary }
`;

/** A company whose records have a secret, a value that cannot be read (bob's rank) and two units of one name. */
export async function openExplained(): Promise<Stage> {
  const stage = await openStage({ hr: HR });
  stage.setSource(SOURCE);
  return stage;
}

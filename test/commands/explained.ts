import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { openStage, type Stage, type Typed } from './command-line.ts';

const CARD = '11010119900307123X';

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

export interface Explained extends Stage {
  /** Fails where a byte of the ledger, the service or a secret shows that it was more than a look. */
  readonly explain: (...args: readonly string[]) => Promise<Typed>;
  /** Its first line. */
  readonly first: (...args: readonly string[]) => Promise<string>;
  readonly withSync: (sync: string) => void;
}

export async function openExplained(): Promise<Explained> {
  const stage = await openStage({ hr: HR });
  stage.setSource(SOURCE);
  const explain = async (...args: readonly string[]): Promise<Typed> => {
    stage.changing();
    const before = ledgerBytes(stage);
    const typed = await stage.type('explain', ...args);
    expect(ledgerBytes(stage)).toEqual(before);
    expect(stage.changing()).toEqual([]);
    expect(typed.out + typed.err).not.toContain(CARD);
    return { ...typed, out: constant(typed.out) };
  };
  return {
    ...stage,
    explain,
    first: async (...args) => (await explain(...args)).out.split('\n')[0] ?? '',
    withSync: (sync) => stage.setSource(`${SOURCE}sync: ${sync}\n`),
  };
}

/** After the first run, in which bob's rank was left as it is. */
export async function loadedExplained(sync = '{}'): Promise<Explained> {
  const stage = await openExplained();
  stage.withSync(sync);
  expect((await stage.type('sync')).code).toBe(4);
  return stage;
}

/** Of every file; SQLite's own files for who reads are no part of the ledger as long as they hold nothing. */
function ledgerBytes({ folder }: Stage): readonly string[] {
  const state = join(folder, 'state');
  const names = existsSync(state) ? readdirSync(state).toSorted() : [];
  return names.flatMap((name) => {
    const bytes = readFileSync(join(state, name));
    if (name.endsWith('-shm') || (name.endsWith('-wal') && bytes.length === 0)) return [];
    return [`${name} ${createHash('sha256').update(bytes).digest('hex')}`];
  });
}

/** Times, ids of the service and runs, and hashes are others each time. */
function constant(text: string): string {
  return text
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d UTC/gu, 'TIME')
    .replaceAll(/\d{8}-\d{6}-[a-z0-9]{4}/gu, 'RUN')
    .replaceAll(/(?<=id )\d+/gu, 'ID')
    .replaceAll(/(?<=--approve )[0-9a-f]{12}/gu, 'HASH');
}

export const lines = (text: string): string => text.slice(1);

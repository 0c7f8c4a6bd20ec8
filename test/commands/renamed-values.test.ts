import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Held } from '../../src/domain/changes.ts';
import { configText, openStage, type Stage } from './command-line.ts';

const SOURCE = `source:
  type: sql
  url: sqlite:hr.db
  units: { distinct: dept, separator: "/" }
  people: { query: select * from employee, fields: { id: emp_no, username: login, name: full_name } }
`;

const PEOPLE = `create table employee (emp_no text, login text, full_name text, dept text);
  insert into employee values ('1', 'ann', 'Ann', 'Sales/EMEA'), ('2', 'bob', 'Bob', 'Sales/EMEA'),
    ('3', 'cyd', 'Cyd', 'Sales'), ('4', 'dan', 'Dan', 'HR'), ('5', 'eve', 'Eve', 'HR')`;

async function openCompany(): Promise<Stage> {
  const stage = await openStage({ hr: PEOPLE });
  writeFileSync(stage.configFile, configText(stage.sandbox, SOURCE));
  expect((await stage.type('sync')).code).toBe(0);
  return stage;
}

const units = ({ sandbox: { state } }: Stage): ReadonlyMap<string, string> =>
  new Map(state.organizations().map(({ id, name }) => [id, name]));

function places(stage: Stage): readonly string[] {
  const names = units(stage);
  return stage.sandbox.state
    .employees()
    .map(({ username, positions }) => `${username} ${names.get(positions[0]?.orgId ?? '')}`)
    .toSorted();
}

test(
  'a renamed value is a new unit: its people move there, and the old unit goes',
  { timeout: 240_000 },
  async () => {
    const stage = await openCompany();
    const before = units(stage);
    stage.hr(`update employee set dept = 'People' where dept = 'HR'`);
    expect((await stage.type('sync')).code).toBe(0);
    expect(places(stage)).toEqual(['ann EMEA', 'bob EMEA', 'cyd Sales', 'dan People', 'eve People']);
    const fresh = [...units(stage)].filter(([id]) => !before.has(id));
    expect(fresh.map(([, name]) => name)).toEqual(['People']);
    expect([...units(stage).values()]).not.toContain('HR');
    stage.changing();
    expect((await stage.type('sync')).code).toBe(0);
    expect(stage.changing()).toEqual([]);
  },
);

test(
  'where most people have the renamed value, they stay in the old unit until that is approved',
  { timeout: 240_000 },
  async () => {
    const stage = await openCompany();
    const before = places(stage);
    stage.hr(`update employee set dept = replace(dept, 'Sales', 'Vertrieb')`);
    expect((await stage.type('sync')).code).toBe(3);
    expect(places(stage)).toEqual(before);
    const plan = JSON.parse((await stage.type('plan', '--json')).out) as { readonly held: readonly Held[] };
    expect(plan.held).toMatchObject([{ guard: 'updates', count: 3 }]);
    expect((await stage.type('sync', '--approve', plan.held[0]?.hash ?? '')).code).toBe(0);
    expect(places(stage)).toEqual(['ann EMEA', 'bob EMEA', 'cyd Vertrieb', 'dan HR', 'eve HR']);
    expect([...units(stage).values()]).not.toContain('Sales');
  },
);

import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
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
const RENAME = `update employee set dept = replace(dept, 'Sales', 'Vertrieb');
  insert into employee values ('6', 'fay', 'Fay', 'Vertrieb')`;

async function renamed(): Promise<Stage> {
  const stage = await openStage({ hr: PEOPLE });
  writeFileSync(stage.configFile, configText(stage.sandbox, SOURCE));
  expect((await stage.type('sync')).code).toBe(0);
  stage.hr(RENAME);
  return stage;
}

const places = ({ sandbox: { state } }: Stage): readonly string[] => {
  const names = new Map(state.organizations().map(({ id, name }) => [id, name]));
  return state
    .employees()
    .map(({ username, positions }) => `${username} ${names.get(positions[0]?.orgId ?? '')}`)
    .toSorted();
};
const units = ({ sandbox: { state } }: Stage): readonly string[] =>
  state
    .organizations()
    .slice(1)
    .map(({ id, name }) => `${id} ${name}`)
    .toSorted();

const hashIn = (text: string): string => /--approve ([0-9a-f]+)/u.exec(text)?.[1] ?? '';

test(
  'a renamed value is held, with everybody where they were; approved, it is the same unit with a new name',
  { timeout: 240_000 },
  async () => {
    const stage = await renamed();
    const before = units(stage);
    const { out } = await stage.type('plan');
    expect(out).toContain('sync.guard.unitsRenamed: 1 change');
    expect(out).toContain('Sales → Vertrieb (sales → vertrieb)');
    expect(out).toContain('3 of the 3 people of Sales are in Vertrieb now, which has 4');
    for (const run of [1, 2]) {
      expect([run, (await stage.type('sync')).code]).toEqual([run, 3]);
      expect(units(stage)).toEqual(before);
      expect(places(stage)).toEqual(['ann EMEA', 'bob EMEA', 'cyd Sales', 'dan HR', 'eve HR', 'fay Sales']);
    }
    expect((await stage.type('status')).out).toContain('unitsRenamed');
    expect((await stage.type('sync', '--approve', hashIn(out))).code).toBe(0);
    expect(units(stage)).toEqual(before.map((one) => one.replace('Sales', 'Vertrieb')));
    expect(places(stage)).toEqual([
      'ann EMEA',
      'bob EMEA',
      'cyd Vertrieb',
      'dan HR',
      'eve HR',
      'fay Vertrieb',
    ]);
    stage.changing();
    expect((await stage.type('sync')).code).toBe(0);
    expect(stage.changing()).toEqual([]);
  },
);

test('percent: 100 takes it as a new unit, and the old one goes', { timeout: 240_000 }, async () => {
  const stage = await renamed();
  const before = units(stage);
  const guards = 'unitsRenamed: { percent: 100 }, unitsRemoved: { percent: 100 }, updates: { percent: 100 }';
  writeFileSync(stage.configFile, `${configText(stage.sandbox, SOURCE)}sync: { guard: { ${guards} } }\n`);
  expect((await stage.type('sync')).code).toBe(0);
  expect(places(stage)).toEqual(['ann EMEA', 'bob EMEA', 'cyd Vertrieb', 'dan HR', 'eve HR', 'fay Vertrieb']);
  expect(units(stage).filter((one) => before.includes(one))).toHaveLength(1);
});

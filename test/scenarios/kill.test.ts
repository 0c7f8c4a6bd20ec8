import { expect, test } from 'vitest';
import { eventsOf, openStage, until } from '../commands/command-line.ts';

const UNITS = 40;
const PEOPLE = 120;

const rows = (count: number, row: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => row(index)).join(', ');

const HR = `
  create table department (id text, parent_id text, name text);
  create table employee (emp_no text, login text, full_name text, email text, status text);
  create table assignment (emp_no text, dept_id text, title text, is_primary integer);
  insert into department values ${rows(UNITS, (at) => `('d${at}', ${at === 0 ? 'null' : `'d${Math.floor((at - 1) / 4)}'`}, 'Unit ${at}')`)};
  insert into employee values ${rows(PEOPLE, (at) => `('${at}', 'l${at}', 'Name ${at}', null, 'active')`)};
  insert into assignment values ${rows(PEOPLE, (at) => `('${at}', 'd${at % UNITS}', 'Title', 1)`)};
`;

const REORGANIZATION = `update employee set status = 'left' where emp_no in ('1', '2', '3'); delete from department where id = 'd39';
  update assignment set dept_id = 'd1' where dept_id = 'd39'; update employee set full_name = 'X' where cast(emp_no as integer) between 7 and 99`;

/** A repeatable row of numbers. */
function random(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 16_807) % 2_147_483_647);
}

test('kill -9 at ten moments of a load and a reorganization: complete in the end, nothing twice', async () => {
  const stage = await openStage({ hr: HR });
  stage.configure(
    [
      'requestsPerSecond: 1000',
      'requestsPerSecond: 1000, unitsPerImport: 3, peoplePerImport: 7, concurrency: 2',
    ],
    ['state: {', 'sync: { guard: { updates: { percent: 100 } } }\nstate: {'],
  );
  const { state } = stage.sandbox;
  let calls = 0;
  stage.sandbox.onCall = ({ method }) => void (calls += method === 'GET' ? 0 : 1);
  const chance = random(7);
  const kill = async (): Promise<boolean> => {
    const [aim, delay] = [calls + 1 + (chance() % 4), chance() % 12];
    const running = stage.start('sync');
    let ended = false;
    void running.ended.then(() => (ended = true));
    await until(() => ended || calls >= aim, 'a call to be killed in');
    // Somewhere in the call, or shortly after it.
    await new Promise((resolve) => setTimeout(resolve, delay));
    running.child.kill('SIGKILL');
    const { signal } = await running.ended;
    stage.expireLease();
    return signal === 'SIGKILL';
  };
  const killed: boolean[] = [];
  for (let times = 0; times < 5; times += 1) killed.push(await kill());
  expect((await stage.type('sync')).code).toBe(0);
  expect(state.organizations()).toHaveLength(UNITS + 1);
  expect(state.employees()).toHaveLength(PEOPLE);
  stage.hr(REORGANIZATION);
  for (let times = 0; times < 5; times += 1) killed.push(await kill());
  expect(killed).toEqual(killed.map(() => true));
  const last = await stage.type('sync');
  expect([last.code, last.err]).toEqual([0, '']);
  const quiet = await stage.type('sync', '--full');
  expect(eventsOf(quiet.out).find(({ event }) => event === 'run.end')).toMatchObject({
    result: 'ok',
    applied: 0,
  });
  expect(state.organizations()).toHaveLength(UNITS);
  expect(new Set(state.organizations().map(({ serialNo }) => serialNo)).size).toBe(UNITS);
  expect(state.employees()).toHaveLength(PEOPLE);
  expect(state.employees().filter(({ locked }) => locked)).toHaveLength(3);
  expect(state.employees().every(({ positions }) => positions.length === 1)).toBe(true);
});

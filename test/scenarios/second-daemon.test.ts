import { expect, test } from 'vitest';
import { eventsOf, openStage, until } from '../commands/command-line.ts';

const PEOPLE = 200;

const row = (at: number): string => `('${at}', 'l${at}', 'Name ${at}', null, 'active')`;
const placed = (at: number): string => `('${at}', 'd1', 'Title', 1)`;
const rows = (one: (at: number) => string): string =>
  Array.from({ length: PEOPLE }, (_, at) => one(at)).join(', ');

const HR = `
  create table department (id text, parent_id text, name text);
  create table employee (emp_no text, login text, full_name text, email text, status text);
  create table assignment (emp_no text, dept_id text, title text, is_primary integer);
  insert into department values ('d1', null, 'Company');
  insert into employee values ${rows(row)};
  insert into assignment values ${rows(placed)};
`;

test('a second daemon on the same ledger takes over by itself from one that was killed in a load', async () => {
  const stage = await openStage({ hr: HR, readings: ['maxBatch=5'] });
  stage.configure(
    ['requestsPerSecond: 1000', 'requestsPerSecond: 20, concurrency: 1'],
    ['state: {', "sync: { cron: '*/5 * * * * *', guard: { joiners: off } }\nstate: {"],
  );
  const { state } = stage.sandbox;
  const first = stage.start('run');
  await until(() => state.employees().length > 20, 'the first daemon to be in its load');
  const second = stage.start('run');
  await until(() => state.employees().length > 60, 'the first daemon to go on');
  first.child.kill('SIGKILL');
  expect((await first.ended).signal).toBe('SIGKILL');
  expect(state.employees().length).toBeLessThan(PEOPLE);
  await until(() => state.employees().length === PEOPLE, 'the second daemon to take over', 120);
  await until(() => eventsOf(second.out()).some(({ event }) => event === 'run.end'), 'its run to end');
  second.child.kill('SIGTERM');
  const { out, code } = await second.ended;
  expect(code).toBe(0);
  expect(eventsOf(out).find(({ event }) => event === 'run.end')).toMatchObject({ result: 'ok' });
  expect(new Set(state.employees().map(({ username }) => username)).size).toBe(PEOPLE);
  expect((await stage.type('sync', '--full')).code).toBe(0);
});

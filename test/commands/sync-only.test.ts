import { userInfo } from 'node:os';
import { expect, test } from 'vitest';
import { loadedStage, openStage, type Stage } from './command-line.ts';

const STRICT = 'sync: { guard: { leavers: 0 } }\nlog:';

/** Names of the employees, and whether they are locked. */
const people = ({ sandbox }: Stage): readonly string[] =>
  sandbox.state
    .employees()
    .map(({ username, name, locked }) => `${username} ${name}${locked ? ' locked' : ''}`)
    .toSorted();

const JOINER = `
  insert into department values ('d4', 'd3', 'East'), ('d5', 'd4', 'Harbour'), ('d6', 'd1', 'Other');
  insert into employee values ('4', 'eve', 'Eve', null, 'active'), ('5', 'max', 'Max', null, 'active');
  insert into assignment values ('4', 'd5', 'Clerk', 1), ('5', 'd6', null, 1);
  update employee set full_name = 'Robert' where login = 'bob';
  update employee set status = 'left' where login = 'ann';
`;

test('sync --only sends a joiner with the new units above, and nobody else', async () => {
  const stage = await loadedStage();
  stage.hr(JOINER);
  const typed = await stage.type('sync', '--only', 'EVE');
  expect(typed.code).toBe(0);
  expect(people(stage)).toEqual(['ann Ann', 'bob Bob', 'eve Eve', 'lin 林']);
  expect(stage.sandbox.state.organizationByPath('/Company / "Head"/Sales/East/Harbour')).toBeUndefined();
  expect(stage.sandbox.state.organizationBySerial('d5')?.name).toBe('Harbour');
  expect(stage.sandbox.state.organizationBySerial('d6')).toBeUndefined();
  expect(typed.out).toMatch(/"event":"plan\.ready".*"changes":3/u);
  const [last] = (
    JSON.parse((await stage.type('status', '--json')).out) as { readonly runs: readonly object[] }
  ).runs;
  expect(last).toMatchObject({ result: 'ok', exitCode: 0 });
  expect((await stage.type('sync')).code).toBe(0);
  expect(people(stage)).toEqual(['ann Ann locked', 'bob Robert', 'eve Eve', 'lin 林', 'max Max']);
  stage.changing();
  expect((await stage.type('sync', '--only', 'eve')).code).toBe(0);
  expect(stage.changing()).toEqual([]);
});

test('sync --only on a first day makes one person; the first load is still to come', async () => {
  const stage = await openStage();
  stage.configure(['log:', 'sync: { guard: { joiners: 0 } }\nlog:']);
  expect((await stage.type('sync', '--only', 'person:2')).code).toBe(0);
  expect(people(stage)).toEqual(['bob Bob']);
  expect((await stage.type('sync')).code).toBe(0);
  expect(people(stage)).toEqual(['ann Ann', 'bob Bob', 'lin 林']);
});

test('sync --only obeys the guards, and tells of what they hold of this record alone', async () => {
  const stage = await openStage();
  stage.configure(['log:', STRICT]);
  await stage.type('sync');
  stage.hr(`update employee set status = 'left' where login = 'ann'`);
  stage.hr(`update employee set full_name = 'Robert' where login = 'bob'`);
  const other = await stage.type('sync', '--only', 'bob');
  expect([other.code, people(stage)]).toEqual([0, ['ann Ann', 'bob Robert', 'lin 林']]);
  const held = await stage.type('sync', '--only', 'ann');
  expect([held.code, people(stage)]).toEqual([3, ['ann Ann', 'bob Robert', 'lin 林']]);
  const hash =
    /--approve (?<hash>[0-9a-f]{12})/u.exec((await stage.type('status')).out)?.groups?.['hash'] ?? '';
  stage.setEnv({ SUDO_USER: 'eva' });
  expect((await stage.type('sync', '--only', 'ann', '--approve', hash)).code).toBe(0);
  expect(people(stage)).toEqual(['ann Ann locked', 'bob Robert', 'lin 林']);
  const { out } = await stage.type('history', '--person', 'ann');
  const user = userInfo().username;
  expect(out).toContain(`; approved by eva as ${user} (command line): ${hash} (sync.guard.leavers)`);
});

test('sync --only leaves a failure of somebody else in its place', async () => {
  const stage = await loadedStage();
  stage.hr(
    `insert into employee values ('4', 'eve', null, null, 'active'), ('5', 'max', 'Max', null, 'active')`,
  );
  stage.hr(`insert into assignment values ('4', 'nowhere', null, 1), ('5', 'd3', null, 1)`);
  expect((await stage.type('sync')).code).toBe(4);
  const before = (await stage.type('status')).out;
  expect(before).toMatch(/eve/u);
  stage.hr(`update employee set full_name = 'Maxine' where login = 'max'`);
  expect((await stage.type('sync', '--only', 'max')).code).toBe(0);
  expect((await stage.type('status')).out).toMatch(/eve/u);
  expect((await stage.type('sync', '--only', 'eve')).code).toBe(4);
});

test('sync --only counts a record that waits as blocked, whatever others are', async () => {
  const stage = await loadedStage();
  stage.hr(
    `insert into employee values ('4', 'eve', 'Eve', null, 'active'), ('5', null, 'Max', null, 'active')`,
  );
  stage.hr(`insert into assignment values ('4', 'nowhere', null, 1), ('5', 'd3', null, 1)`);
  await stage.type('sync');
  const { code, out } = await stage.type('sync', '--only', 'eve');
  expect([code, out]).toEqual([4, expect.stringMatching(/"run\.end".*"failed":0,"blocked":1,/u)]);
  stage.hr(`update employee set full_name = null where login = 'eve'; update assignment set dept_id = 'd3'`);
  expect((await stage.type('sync', '--only', 'eve')).out).toMatch(/"run\.end".*"failed":1,"blocked":0,/u);
});

test.each([
  ['nobody', ['nobody'], '--only "nobody" is neither in the source nor in the ledger'],
  ['several', ['d1'], "--only \"d1\" names 2 records: 'person:1', 'unit:d1'. Give one of these"],
  ['a unit that moves', ['d2'], '--only: d2 moves, and its people go along: it cannot be done alone'],
  ['who follows a unit that moves', ['unit:d7'], 'd7 follows the move of the unit d2'],
  ['a unit that goes', ['d3'], '--only: d3 goes, and others may sit in it'],
])('sync --only %s is refused, and nothing is sent', async (_, words, sentence) => {
  const stage = await openStage();
  stage.hr(`insert into department values ('d7', 'd2', 'Below')`);
  stage.hr(`update employee set login = 'd1' where emp_no = '1'`);
  await stage.type('sync');
  stage.changing();
  stage.hr(`
    delete from assignment where dept_id = 'd3'; update department set parent_id = 'd3' where id = 'd2';
    insert into department values ('d8', 'd1', 'New');
  `);
  if (words[0] === 'd3') {
    stage.hr(
      `update department set parent_id = 'd8' where id = 'd2'; delete from department where id = 'd3'`,
    );
  }
  const typed = await stage.type('sync', '--only', ...words);
  expect([typed.code, typed.err + typed.out]).toEqual([2, expect.stringContaining(sentence)]);
  expect(stage.changing()).toEqual([]);
});

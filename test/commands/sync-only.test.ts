import { userInfo } from 'node:os';
import { expect, test } from 'vitest';
import type { WrittenEntry } from '../../src/plan/words/written-entry.ts';
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
  const { out } = await stage.type('history', '--person', 'ann', '--json');
  const approved = (JSON.parse(out) as readonly WrittenEntry[]).filter(({ approval }) => approval !== null);
  expect(approved).toMatchObject([
    { guard: 'leavers', approval: hash, approver: `eva as ${userInfo().username} (command line)` },
  ]);
});

test('sync --only UNIT sends the unit with everything below it, and nothing else', async () => {
  const stage = await loadedStage();
  stage.hr(JOINER);
  const typed = await stage.type('sync', '--only', 'd3');
  expect(typed.code).toBe(0);
  expect(people(stage)).toContain('eve Eve');
  expect(people(stage)).not.toContain('max Max');
  expect(stage.sandbox.state.organizationBySerial('d5')?.name).toBe('Harbour');
  expect(stage.sandbox.state.organizationBySerial('d6')).toBeUndefined();
  expect((await stage.type('sync')).code).toBe(0);
  expect(people(stage)).toContain('max Max');
});

test('sync --only UNIT counts what is blocked below it, and nothing else', async () => {
  const stage = await loadedStage();
  const both = `insert into employee values ('8', 'BOB', 'Twin', null, 'active')`;
  stage.hr(`${both}; insert into assignment values ('8', 'd2', null, 1)`);
  expect((await stage.type('sync', '--only', 'd3')).code).toBe(0);
  expect((await stage.type('sync', '--only', 'd2')).code).toBe(4);
});

test('sync --only says nothing of the others: status goes on to name who waits and what is held', async () => {
  const stage = await openStage();
  stage.configure(['log:', STRICT]);
  await stage.type('sync');
  stage.hr(`update employee set status = 'left' where login in ('ann', 'lin');
    insert into employee values ('9', 'stray', 'Stray', null, 'active');
    insert into assignment values ('9', 'nowhere', null, 1);`);
  expect((await stage.type('sync')).code).toBe(3);
  const before = await stage.type('status', '--exit-code');
  await stage.type('sync', '--only', 'ann');
  expect((await stage.type('sync', '--only', 'bob')).code).toBe(0);
  const after = await stage.type('status', '--exit-code');
  const totals = ({ out }: { readonly out: string }): string => out.trim().split('\n').at(-1) ?? '';
  expect([after.code, totals(after)]).toEqual([3, totals(before)]);
  stage.hr(`update employee set status = 'active'`);
  expect((await stage.type('sync')).code).toBe(4);
  expect((await stage.type('sync', '--only', 'bob')).code).toBe(0);
  expect((await stage.type('status', '--exit-code')).code).toBe(4);
});

import { expect, test } from 'vitest';
import { HR, openStage, type Stage } from './command-line.ts';

/** Usernames of the accounts that work. */
const working = ({ sandbox }: Stage): readonly string[] =>
  sandbox.state
    .employees()
    .filter(({ locked }) => !locked)
    .map(({ username }) => username)
    .toSorted();

const crowd = Array.from({ length: 9 }, (_, index) => `('${index + 10}', 'p${index}', 'P ${index}', null, '')`);
const CROWD = `${HR}
  insert into employee values ${crowd.join(', ')};
  insert into assignment select emp_no, 'd3', null, 1 from employee where cast(emp_no as int) >= 10;
  update employee set status = '';
`;
const FIRST = "status != 'left'";

test('a column that most had and nobody has now enables, disables and creates nobody, until it is back', async () => {
  const stage = await openStage();
  stage.hr("update employee set status = 'left' where login = 'lin'");
  await stage.type('sync');
  stage.hr("update employee set status = 'active' where login = 'lin'");
  expect((await stage.type('sync')).code).toBe(0);
  stage.hr("update employee set status = 'left' where login in ('lin', 'bob')");
  await stage.type('sync');
  expect(working(stage)).toEqual(['ann']);
  stage.hr('update employee set status = null');
  for (let run = 1; run <= 2; run += 1) {
    const hidden = await stage.type('sync');
    expect([hidden.code, working(stage)]).toEqual([4, ['ann']]);
    expect(hidden.out).toContain(
      'status (source.people.fields.active): most people had it in the last complete read, and nobody has it now',
    );
  }
  expect((await stage.type('plan')).out).toContain('Hidden from the reading account');
  expect((await stage.type('status')).out).toContain('give the reading account the right to read it');
  stage.hr("update employee set status = case login when 'lin' then 'left' else 'active' end");
  expect((await stage.type('sync')).code).toBe(0);
  expect(working(stage)).toEqual(['ann', 'bob']);
});

test('a rule that does not read the column any more ends it', async () => {
  const stage = await openStage();
  await stage.type('sync');
  stage.hr("update employee set status = 'left' where login = 'lin'");
  await stage.type('sync');
  stage.hr('update employee set status = null');
  expect((await stage.type('sync')).code).toBe(4);
  stage.configure([FIRST, "login != 'bob'"]);
  expect((await stage.type('sync')).code).toBe(0);
  expect(working(stage)).toEqual(['ann', 'lin']);
});

test('a column that a few had: two who would be enabled for it are held, and go on where that is approved', async () => {
  const stage = await openStage({ hr: CROWD });
  await stage.type('sync');
  stage.hr("update employee set status = 'left' where login in ('p1', 'p2', 'p3', 'p4')");
  expect((await stage.type('sync', '--approve', await heldHash(stage))).code).toBe(0);
  expect(working(stage)).toHaveLength(8);
  stage.hr("update employee set status = ''");
  for (let run = 1; run <= 2; run += 1) {
    const held = await stage.type('sync');
    expect([held.code, working(stage).length]).toEqual([3, 8]);
  }
  const { out } = await stage.type('status');
  expect(out).toContain('what decides about them may be hidden from the reading account');
  const released = await stage.type('sync', '--approve', await heldHash(stage));
  expect([released.code, working(stage).length]).toEqual([0, 12]);
  stage.hr("insert into employee values ('30', 'n1', 'N1', null, ''), ('31', 'n2', 'N2', null, '')");
  stage.hr("insert into assignment values ('30', 'd3', null, 1), ('31', 'd3', null, 1)");
  expect([(await stage.type('sync')).code, working(stage).length]).toEqual([0, 14]);
});

test('one who alone had it comes back, and so does one of several', async () => {
  const stage = await openStage({ hr: CROWD });
  await stage.type('sync');
  stage.hr("update employee set status = 'left' where login in ('p1', 'p2')");
  await stage.type('sync');
  expect(working(stage)).toHaveLength(10);
  for (const [login, count] of [
    ['p1', 11],
    ['p2', 12],
  ]) {
    stage.hr(`update employee set status = '' where login = '${login}'`);
    expect([(await stage.type('sync')).code, working(stage).length]).toEqual([0, count]);
  }
});

async function heldHash(stage: Stage): Promise<string> {
  const { out } = await stage.type('plan', '--json');
  const { held } = JSON.parse(out) as { readonly held: readonly { readonly hash: string }[] };
  return held[0]?.hash ?? 'none';
}

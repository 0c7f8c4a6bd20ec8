import { appendFileSync, copyFileSync, readdirSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { eventsOf, openStage, type Stage } from './command-line.ts';

const WORDS = ['quetzalcoatl', 'Xochiquetzal', 'quetz@example.com', 'emp-000-zyx'];
const HIRE = `insert into employee values ('emp-000-zyx', 'quetzalcoatl', 'Xochiquetzal', 'quetz@example.com', 'active');
  insert into assignment values ('emp-000-zyx', 'd3', null, 1)`;

function leftIn({ folder }: Stage): readonly string[] {
  const state = join(folder, 'state');
  const files = readdirSync(state).filter((name) => name.startsWith('rollcall.db'));
  const bytes = files.map((name) => readFileSync(join(state, name), 'utf8'));
  return WORDS.filter((word) => bytes.some((text) => text.includes(word)));
}

/** Somebody was hired and is inactive by now, with a disabled account. */
async function disabled(): Promise<Stage> {
  const stage = await openStage();
  stage.hr(HIRE);
  await stage.type('sync');
  stage.hr(`update employee set status = 'left' where emp_no = 'emp-000-zyx'`);
  expect((await stage.type('sync')).code).toBe(0);
  return stage;
}

describe('forget', () => {
  test('erases who is gone, says what it cannot erase, and is nobody to later runs', async () => {
    const stage = await disabled();
    const still = await stage.type('forget', 'quetzalcoatl');
    expect([still.code, still.out]).toEqual([2, '']);
    expect(still.err).toContain('forget "quetzalcoatl": is in the source (');
    expect(leftIn(stage)).toEqual(WORDS);
    // As a `plan`, a run and a message that were killed leave them.
    const state = join(stage.folder, 'state');
    for (const left of ['plan-7', 'staging', 'plan.html'])
      copyFileSync(join(state, 'rollcall.db'), join(state, `rollcall.db.${left}`));
    stage.hr(
      `delete from employee where emp_no = 'emp-000-zyx'; delete from assignment where emp_no = 'emp-000-zyx'`,
    );
    const done = await stage.type('forget', 'QuetzalCoatl');
    expect([done.code, done.out.split('\n')]).toEqual([
      0,
      [
        'quetzalcoatl (emp-000-zyx) is forgotten: 2 entries of the history, and all else that the ledger had.',
        'A keyed hash stays: a person with the same username is held by sync.guard.usernameReuse.',
        'The account stays in the service, disabled, and rollcall no longer manages it. As long as it is there,',
        'the next run reads what the service shows of it, as of every account.',
        'Not erased, as rollcall does not touch them: backups of the ledger, logs.',
        '',
      ],
    ]);
    expect(eventsOf(done.err).at(-1)).toMatchObject({ msg: 'a person was forgotten', entries: 2 });
    expect(WORDS.filter((word) => done.err.includes(word))).toEqual([]);
    expect(leftIn(stage)).toEqual([]);
    stage.changing();
    expect((await stage.type('sync', '--full')).code).toBe(0);
    expect(stage.changing()).toEqual([]);
    expect((await stage.type('history', '--person', 'quetzalcoatl')).code).toBe(2);
    expect((await stage.type('forget', 'quetzalcoatl')).out).toBe('quetzalcoatl is forgotten already.\n');
    stage.hr(HIRE.replace('emp-000-zyx', 'other').replace('emp-000-zyx', 'other'));
    expect((await stage.type('sync')).code).toBe(3);
    expect(stage.changing()).toEqual([]);
  });

  test('erases who is out of scope by a condition', async () => {
    const stage = await disabled();
    stage.configure([
      'query: select * from employee\n',
      `query: select * from employee\n    where: "status != 'left'"\n`,
    ]);
    expect((await stage.type('forget', 'quetzalcoatl')).code).toBe(0);
  });

  test('who comes back to an account that stays locked: plan and explain say so, of that one person', async () => {
    const stage = await disabled();
    const rows = [
      `delete from employee where emp_no = 'emp-000-zyx'`,
      `delete from assignment where emp_no = 'emp-000-zyx'`,
    ];
    stage.hr(rows.join(';'));
    await stage.type('forget', 'quetzalcoatl');
    stage.hr(HIRE);
    const held = await stage.type('sync');
    expect(held.code).toBe(3);
    const { out } = await stage.type('plan');
    expect(out).toContain(
      'adopt: the same username as somebody who had it before: the same person? The account stays locked: unlock it in ' +
        'the service; (forgotten) → "Xochiquetzal" (emp-000-zyx)',
    );
    expect((await stage.type('explain', 'quetzalcoatl')).out).toMatch(
      /^quetzalcoatl \(emp-000-zyx\), not managed yet: is to be adopted unchanged \(.*^service +locked, employee id \d+, not managed$/msu,
    );
    const hash = /--approve (\w+)/u.exec(out)?.[1] ?? '';
    await stage.type('sync', '--approve', hash);
    expect((await stage.type('explain', 'quetzalcoatl')).out).toMatch(
      /^quetzalcoatl .* not managed yet: locked in the service/u,
    );
    stage.sandbox.edit.unlockEmployee('quetzalcoatl');
    expect((await stage.type('sync', '--full')).code).toBe(0);
    expect((await stage.type('explain', 'quetzalcoatl')).out).toMatch(
      /^quetzalcoatl \(Xochiquetzal\), managed, active: in step/u,
    );
    expect(
      stage.sandbox.state.employees().filter(({ username }) => username === 'quetzalcoatl'),
    ).toHaveLength(1);
  });

  test('refuses where a run would not take the source for whole', async () => {
    const stage = await disabled();
    stage.hr(`delete from employee where emp_no = 'emp-000-zyx'`);
    utimesSync(join(stage.folder, 'hr.db'), new Date(0), new Date(1_000_000_000_000));
    const { code, err } = await stage.type('forget', 'quetzalcoatl');
    expect([code, err]).toEqual([1, expect.stringContaining('is older than at the last read')]);
    expect(leftIn(stage)).toEqual(WORDS);
  });

  test('refuses, with a sentence, who has not left, whom nobody knows, and what is unclear', async () => {
    const stage = await disabled();
    const refusedWith = async (name: string): Promise<string> => {
      const { code, out, err } = await stage.type('forget', name);
      expect([code, out]).toEqual([2, '']);
      return err;
    };
    expect(await refusedWith('ann')).toContain('ann is managed and has not left');
    expect(await refusedWith('nobody')).toContain('no person is known under this username or source id');
    const db = new Database(stage.ledgerFile);
    db.exec(`insert into call (call, run, operation, at) values (999, 'r', 'employee.import', 1);
      insert into call_item (call, subject, id) values (999, 'person', 'emp-000-zyx')`);
    expect(await refusedWith('quetzalcoatl')).toContain('a call about this person was interrupted');
    db.exec(`delete from call where call = 999; delete from call_item where call = 999`);
    stage.hr(`delete from employee where emp_no = 'emp-000-zyx'`);
    stage.sandbox.edit.unlockEmployee('quetzalcoatl');
    expect(await refusedWith('quetzalcoatl')).toContain('has an account that somebody has enabled');
    stage.sandbox.edit.lockEmployee('quetzalcoatl');
    db.exec(`update person set username_key = 'ann',
      username = 'ANN' where id = 'emp-000-zyx'`);
    expect(await refusedWith('ann')).toContain(
      "it names 2 people: ask for one of them (rollcall forget 'person:1', ",
    );
    db.close();
    appendFileSync(stage.configFile, 'sync: { leavers: { removeAfterDays: 30 } }\n');
    expect(await refusedWith('emp-000-zyx')).toContain('is to be removed 30 days after the disable');
    expect(leftIn(stage)).toContain('emp-000-zyx');
  });
});

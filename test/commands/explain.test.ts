import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PNG } from '../sandbox/pictures.ts';
import { lines, loadedExplained, openExplained, SOURCE } from './explained.ts';

test('explain --live knows the logo of a unit by its picture', async () => {
  const stage = await openExplained();
  stage.setSource(SOURCE.replace('name: name }', 'name: name, logo: { expr: \'id + ".png"\' } }'));
  for (const id of ['d1', 'd2', 'd3', 'd4']) writeFileSync(join(stage.folder, `${id}.png`), PNG);
  await stage.type('sync');
  expect(await stage.first('d3')).toMatch(/^研发部 \(d3\), managed: in step/u);
  const { out } = await stage.explain('d3', '--live');
  expect(out).toMatch(/^研发部 \(d3\), managed: in step/u);
  expect(out).not.toContain('in the service');
});

describe('explain a person who is in step', () => {
  test('tells where they stand, every field with its rule, positions by name, calls', async () => {
    const stage = await loadedExplained();
    const { code, out, err } = await stage.explain('WANG.min');
    expect([code, err]).toEqual([0, '']);
    expect(out).toBe(
      lines(`
wang.min (王敏), managed, active: in step since TIME
as of the last run, TIME (full, partial)

fields        sent                  from
  id          E1                    emp_no
  username    wang.min              login
  active      true                  status != 'left'
  name        王敏                  full_name
  email       wang.min@example.com  email
  sort_order  (none)                rank
  user_id     (none)                account
  id_card     (not shown)           card

positions     person from emp_no, unit from dept_id, job_title from title, primary from is_primary
  Sales (d2)  Adviser
  研发部      Engineer, primary

ledger        managed, employee id ID
service       active

past calls    TIME  employee.import   done      RUN
`),
    );
  });

  test('--live adds what a run would do, and the raw values of the source', async () => {
    const stage = await loadedExplained();
    stage.hr(`update employee set email = 'new@example.com' where emp_no = 'E1';
      delete from assignment where title = 'Adviser'`);
    const { code, out } = await stage.explain('E1', '--live');
    expect(code).toBe(0);
    expect(out).toBe(
      lines(`
wang.min (王敏), managed, active: is to be updated by the next run: changed in the source
source and service were asked just now

fields        sent                  from
  id          E1                    emp_no
  username    wang.min              login
  active      true                  status != 'left'
  name        王敏                  full_name
  email       wang.min@example.com  email
              in the source: new@example.com
  sort_order  (none)                rank
  user_id     (none)                account
  id_card     (not shown)           card

positions     person from emp_no, unit from dept_id, job_title from title, primary from is_primary
  Sales (d2)  Adviser
  研发部      Engineer, primary

ledger        managed, employee id ID
service       active
planned       update: changed in the source; email "wang.min@example.com" → "new@example.com"; positions [Sales (d2) job_title=Adviser, 研发部 job_title=Engineer primary] → [研发部 job_title=Engineer primary]

past calls    TIME  employee.import   done      RUN

source        row 1 of people
  emp_no      E1
  login       wang.min
  status      active
  full_name   王敏
  email       new@example.com
  rank        (none)
  account     (none)
  position    row 1 of positions: emp_no E1, dept_id d3, title Engineer, is_primary 1
`),
    );
  });

  test('--json has the same for machines, without secrets', async () => {
    const stage = await loadedExplained();
    const { out } = await stage.explain('wang.min', '--json', '--live');
    expect(JSON.parse(out)).toMatchObject({
      standing: 'wang.min (王敏), managed, active: in step since TIME',
      subject: 'person',
      id: 'E1',
      state: 'managed',
      positions: [{ unit: 'Sales (d2)', sent: 'Adviser' }, { unit: '研发部' }],
      seen: { locked: false },
      lastRun: { kind: 'full', result: 'partial' },
      live: { change: null, problems: [], samples: [{ place: 'row 1 of people', refused: null }] },
    });
  });
});

describe('explain a person who is not', () => {
  test('missing: how many reads, and after how many more what happens; not yet missed with --live', async () => {
    const stage = await loadedExplained('{}');
    stage.hr(`delete from employee where emp_no = 'E2'`);
    const once = 'missing once; will be disabled by the first run after TIME';
    expect(await stage.first('li.wei', '--live')).toBe(
      `li.wei (Li Wei), managed, active: not in the source: ${once}`,
    );
    await stage.type('sync');
    expect(await stage.first('li.wei')).toBe(
      `li.wei (Li Wei), managed, active: missing in the last read (gone or out of scope; --live says which): ${once}`,
    );
    stage.passTime();
    await stage.type('sync');
    expect(await stage.first('li.wei')).toBe(
      'li.wei (Li Wei), disabled by rollcall since TIME: missing in the source (2 complete reads) (run RUN)',
    );
  });

  test('edited, locked by somebody else, gone: told as of the last run', async () => {
    const stage = await loadedExplained('{ drift: report }');
    stage.sandbox.edit.changeEmployee('ann', { email: 'other@example.com' });
    stage.sandbox.edit.lockEmployee('li.wei');
    await stage.type('sync');
    const { out } = await stage.explain('ann');
    expect(out).toContain(
      'ann (Ann), managed, active: email edited in the service: not corrected (sync.drift: report)\n',
    );
    expect(out).toContain('ann@example.com  email\n              in the service: other@example.com\n');
    expect(await stage.first('li.wei')).toBe(
      'li.wei (Li Wei), managed, locked: locked in the service by somebody else: unlock it there',
    );
    stage.sandbox.edit.removeEmployee('ann');
    expect(await stage.first('ann', '--live')).toMatch(/^ann \(Ann\), managed, active: /u);
  });

  test('held: by which guard, and the command that releases it', async () => {
    const stage = await loadedExplained();
    stage.withSync('{ guard: { leavers: 0 } }');
    stage.hr(`update employee set status = 'left' where emp_no = 'E2'`);
    const live = await stage.first('li.wei', '--live');
    expect(live).toMatch(
      /^li.wei \(Li Wei\), managed, active: is to be disabled \(.*\); held by sync.guard.leavers/u,
    );
    await stage.type('sync');
    const { out } = await stage.explain('E2');
    expect(out.replaceAll('\n  ', ' ')).toContain(
      'li.wei (Li Wei), managed, active: is to be disabled (inactive in the source); held by sync.guard.leavers ' +
        'until released: rollcall sync --approve HASH',
    );
  });

  test('held as a whole: all that would change', async () => {
    const stage = await loadedExplained();
    stage.withSync('{ guard: { emptied: 0 } }');
    stage.hr(`update employee set email = null, full_name = 'Anna' where emp_no = 'E3'`);
    const { out } = await stage.explain('ann', '--live');
    expect(out.replaceAll(/\n {2,}/gu, ' ')).toContain(
      'ann (Ann), managed, active: update of name, email (changed in the source); ' +
        'held by sync.guard.emptied until released: rollcall sync --approve HASH',
    );
    expect(out).toMatch(
      /planned {7}update: changed in the source; name "Ann" → "Anna"; email "ann@example.com" → \(none\)/u,
    );
  });

  test('refused by the service: in its words, with the attempts', async () => {
    const stage = await openExplained();
    stage.hr(`update employee set account = '4711' where emp_no = 'E3'`);
    await stage.type('sync');
    expect(await stage.first('ann')).toMatch(
      /^ann \(E3\), not managed yet: failing: .*user 4711 does not exist.* \(tried once, last TIME\)$/u,
    );
  });

  test('with a field that cannot be read: that field is the answer, by username too with --live', async () => {
    const stage = await loadedExplained();
    const loss =
      'managed, active: sort_order: "first" is not an integer of at most 64 bits; this value stays unchanged';
    expect(await stage.first('E4')).toContain(loss);
    const { code, out } = await stage.explain('bob', '--live');
    expect(code).toBe(0);
    expect(out.replaceAll(/\n {2,}/gu, ' ')).toContain(`bob (Bob), ${loss}, the rest goes on\n`);
    expect(out).toContain('\n  rank        first\n');
  });

  test('of one username with another: both are listed, and who does not have it is told why', async () => {
    const stage = await loadedExplained();
    stage.hr(`insert into employee values ('E9', 'Wang.Min', 'Other', null, null, null, null, 'active');
      insert into assignment values ('E9', 'd2', null, 1)`);
    await stage.type('sync');
    const { code, out } = await stage.explain('wang.min');
    expect([code, out]).toEqual([
      2,
      lines(`
"wang.min" names 2 records; ask for one of them:
  rollcall explain 'person:E1'          wang.min
  rollcall explain 'person:E9'          Wang.Min
`),
    ]);
    expect(await stage.first('person:E1')).toContain('managed, active: in step');
    expect(await stage.first('E9')).toContain('the account Wang.Min is that of 王敏: give the new person');
  });

  test('new in the source, before the first run and after', async () => {
    const stage = await openExplained();
    const { code, out } = await stage.explain('wang.min', '--live');
    expect(code).toBe(0);
    expect(out).toContain(
      'wang.min (王敏), not managed yet: is to be created by the next run: new in the source\n',
    );
    expect(out).toContain('fields        in the source         from\n  id          E1 ');
    expect(out).toContain('\n  研发部      Engineer, primary\n');
    expect(existsSync(stage.ledgerFile)).toBe(false);
  });

  test('named by the display name; not known: says that the source can be asked', async () => {
    const stage = await loadedExplained();
    expect(await stage.first('li wei')).toMatch(/^li\.wei \(Li Wei\), managed/u);
    const { code, err } = await stage.type('explain', 'no.body');
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(
        /^rollcall: \[record-unknown\] .*out of scope.* rollcall explain no\.body --live\n$/su,
      ),
    ]);
  });

  test('only in the service: left alone; taken over where the source has them now', async () => {
    const stage = await openExplained();
    const { rootId } = stage.sandbox;
    stage.sandbox.edit.addEmployee({
      username: 'guest',
      name: 'Guest',
      positions: [{ org_id: rootId, primary: true }],
    });
    await stage.type('sync');
    expect(await stage.first('Guest')).toBe(
      'guest, not managed: only in the service: rollcall does not manage it, and changes nothing of it',
    );
    stage.hr(`insert into employee values ('E8', 'guest', 'Guest', null, null, null, null, 'active');
      insert into assignment values ('E8', 'd2', null, 1)`);
    expect(await stage.first('guest', '--live')).toContain(
      'is to be adopted unchanged by the next run: already an employee in the service',
    );
  });
});

describe('explain a unit', () => {
  test('by source id, serial number or name; one of many names is asked for', async () => {
    const stage = await loadedExplained();
    const { out } = await stage.explain('研发部');
    expect(out).toBe(
      lines(`
研发部 (d3), managed: in step since TIME
as of the last run, TIME (full, partial)

fields        sent     from
  id          d3       id
  refs                 id
  parent      Harbour  parent_id
  name        研发部   name

ledger        managed, organization id ID, serial number d3
service       there

past calls    TIME  org.import        done      RUN
`),
    );
    const { code, out: list } = await stage.explain('sales');
    expect([code, list]).toEqual([
      2,
      lines(`
"sales" names 2 records; ask for one of them:
  rollcall explain 'unit:d2'            Sales (d2)
  rollcall explain 'unit:d4'            Sales (d4)
`),
    ]);
    expect(await stage.first('unit:d4')).toBe('Sales (d4), managed: in step since TIME');
    stage.hr(`update department set parent_id = 'gone' where id = 'd3'`);
    expect(await stage.first('ann', '--live')).toContain('unit Sales (d4) is skipped');
    stage.hr(`update department set name = 'Labs', parent_id = 'd1' where id = 'd3'`);
    expect(await stage.first('d3', '--live')).toBe(
      '研发部 (d3), managed: is to be updated by the next run: changed in the source',
    );
  });
});

describe('explain nobody', () => {
  test('says what to do, and exits 2', async () => {
    const stage = await openExplained();
    const before = await stage.explain('nobody');
    expect([before.code, before.out]).toEqual([2, '']);
    expect(before.err).toContain('no run has been recorded yet');
    await stage.type('sync');
    expect(await stage.explain('nobody')).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('rollcall explain nobody --live'),
    });
    expect(await stage.explain('nobody', '--live')).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('"nobody" is not in the source either'),
    });
    expect((await stage.explain()).code).toBe(2);
  });
});

describe('explain --live with the service down', () => {
  test('tells what the ledger has and what could not be asked, and exits 1', async () => {
    const stage = await loadedExplained();
    await stage.sandbox.close();
    const { code, out } = await stage.explain('wang.min', '--live');
    expect(code).toBe(1);
    expect(out).toContain('wang.min (王敏), managed, active: in step since TIME\nas of the last run, TIME');
    expect(out).toContain('planned       could not be found out: ');
  });
});

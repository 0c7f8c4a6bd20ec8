import { describe, expect, test } from 'vitest';
import { openExplained, SOURCE, type Explained } from './explained.ts';

/** A new person in Sales with this username. */
const hire = (username: string, status = 'active'): string =>
  `insert into employee values ('E8', '${username}', 'Guest', null, null, null, null, '${status}');
    insert into assignment values ('E8', 'd2', null, 1)`;

function addGuest({ sandbox: { edit, rootId } }: Explained): void {
  edit.addEmployee({ username: 'guest', name: 'Guest', positions: [{ org_id: rootId, primary: true }] });
}

const peopleWhere = (where: string): string =>
  SOURCE.replace('select * from employee\n', `select * from employee\n    where: "${where}"\n`);

describe('explain a person of the source who is not managed', () => {
  test('blocked, with an account that others have locked: it is there, and not managed', async () => {
    const stage = await openExplained();
    addGuest(stage);
    stage.sandbox.edit.lockEmployee('guest');
    stage.hr(hire('guest'));
    await stage.type('sync');
    for (const live of [[], ['--live']]) {
      const { out } = await stage.explain('E8', ...live);
      expect(out).toMatch(
        /^guest \((?:E8|Guest)\), not managed yet: locked in the service by somebody else: unlock it there\n/u,
      );
      expect(out).toMatch(/^ledger +not there: .*\nservice +locked, employee id ID, not managed$/mu);
      expect(out).not.toContain('  (none)\n\nledger');
    }
    expect((await stage.explain('guest')).out).toContain('locked, employee id ID, not managed');
  });

  test('inactive and never created: no account is made, and no positions are called none', async () => {
    const stage = await openExplained();
    stage.hr(hire('zoe', 'left'));
    await stage.type('sync');
    const { out } = await stage.explain('zoe', '--live');
    expect(out).toMatch(/^zoe \(Guest\), not managed: inactive in the source: no account is made\n/u);
    expect(out).toMatch(/^service +not there$/mu);
    expect(out).not.toContain('  (none)\n\nledger');
    expect(out).toMatch(/position +row \d of positions: emp_no E8, dept_id d2/u);
    addGuest(stage);
    stage.sandbox.edit.lockEmployee('guest');
    stage.hr(`update employee set login = 'guest' where emp_no = 'E8'`);
    await stage.type('sync', '--full');
    const locked = await stage.explain('E8', '--live');
    expect(locked.out).toMatch(/, not managed: inactive in the source: nothing is to be done\n/u);
    expect(locked.out).toMatch(/^service +locked, employee id ID, not managed$/mu);
  });

  test('with a username of ours: the account is there, managed under the other id', async () => {
    const stage = await openExplained();
    await stage.type('sync');
    stage.hr(`update employee set emp_no = 'E9' where emp_no = 'E3';
      update assignment set emp_no = 'E9' where emp_no = 'E3'`);
    await stage.type('sync');
    for (const live of [[], ['--live']])
      expect((await stage.explain('E9', ...live)).out).toMatch(
        /^service +active, employee id ID, managed as source id E3$/mu,
      );
  });

  test('gone since the last run, and while the service is down: nothing untrue is said', async () => {
    const stage = await openExplained();
    stage.hr(hire('zoe').replace("'d2'", "'d9'"));
    await stage.type('sync');
    expect(await stage.first('zoe')).toContain('not managed yet: unit "d9" is unknown');
    await stage.sandbox.close();
    stage.hr(`delete from employee where emp_no = 'E8'; ${hire('ida').replaceAll('E8', 'E7')}`);
    expect(await stage.first('ida', '--live')).toBe(
      'ida (Guest), not managed yet: what is to be done could not be found out',
    );
  });
});

describe('explain what is out of scope', () => {
  test('a unit by id and by name: in the source, with the condition', async () => {
    const stage = await openExplained();
    stage.hr(`insert into department values ('d9', 'd1', 'Old House')`);
    stage.setSource(
      SOURCE.replace('select * from department,', `select * from department, where: "id != 'd9'",`),
    );
    await stage.type('sync');
    for (const name of ['unit:d9', 'd9', 'old house'])
      expect(await stage.first(name, '--live')).toBe(
        "Old House (d9), not managed: in the source, but out of scope by source.units.where: id != 'd9'",
      );
    expect((await stage.explain('person:d9', '--live')).err).toContain('is not in the source either');
    expect((await stage.explain('unit:E3', '--live')).code).toBe(2);
  });

  test('a person by id; managed, without --live: the last read does not say which', async () => {
    const stage = await openExplained();
    await stage.type('sync');
    stage.setSource(peopleWhere("login != 'ann'"));
    await stage.type('sync');
    expect(await stage.first('ann')).toBe(
      'ann (Ann), managed, active: missing in the last read (gone or out of scope; --live says which): ' +
        'missing once; will be disabled by the first run after TIME',
    );
    stage.hr(hire('ann.2'));
    stage.setSource(peopleWhere("login != 'ann.2'"));
    for (const name of ['person:E8', 'ann.2'])
      expect(await stage.first(name, '--live')).toBe(
        "ann.2 (E8), not managed: in the source, but out of scope by source.people.where: login != 'ann.2'",
      );
    await stage.type('sync');
    stage.hr('drop table employee');
    const { out } = await stage.explain('ann', '--live');
    expect(out).not.toContain('no such record');
  });
});

import { describe, expect, test } from 'vitest';
import { openExplained } from '../commands/explained.ts';

describe('explain a person whose username changed in the source', () => {
  test('is in step but for that, by either name', async () => {
    const stage = await openExplained();
    await stage.type('sync');
    stage.hr(`update employee set login = 'wei.li' where emp_no = 'E2'`);
    await stage.type('sync');
    const sentence =
      'li.wei (Li Wei), managed, active: in step except for the username, which is wei.li in the source and stays ' +
      'li.wei here';
    for (const name of ['E2', 'li.wei', 'wei.li']) expect(await stage.first(name)).toBe(sentence);
    const { out } = await stage.explain('E2');
    expect(out).toContain('username    li.wei       login\n              in the source: wei.li\n');
    stage.hr(`update employee set login = 'wei.2' where emp_no = 'E2'`);
    const now = await stage.explain('wei.2', '--live');
    expect(now.out).toMatch(/^li\.wei \(Li Wei\), managed, active: .*which is wei\.2 in the source/u);
  });
});

describe('explain somebody who comes with a username of ours', () => {
  test('held by usernameReuse: both say so, without --live and with it', async () => {
    const stage = await openExplained();
    await stage.type('sync');
    stage.hr(`update employee set emp_no = 'E9' where emp_no = 'E3';
      update assignment set emp_no = 'E9' where emp_no = 'E3'`);
    await stage.type('sync');
    const held = 'held by sync.guard.usernameReuse until released: rollcall sync --approve HASH';
    expect(await stage.first('E9')).toBe(
      `ann (E9), not managed yet: is to be adopted unchanged (the same username as Ann, who is ` +
        `missing or has left: the same person?); ${held}`,
    );
    for (const live of [[], ['--live']])
      expect(await stage.first('E3', ...live)).toBe(
        `ann (Ann), managed, active: source id E9 comes with the username: the same person? ${held}`,
      );
    expect((await stage.explain('ann')).out).toContain(`rollcall explain 'person:E9'`);
  });

  test('a new person whom a guard holds is known, also after a sync of another record', async () => {
    const stage = await openExplained();
    await stage.type('sync');
    stage.withSync('{ guard: { joiners: { percent: 0, count: 0 } } }');
    stage.hr(`insert into employee values ('E7', 'zoe', 'Zoe', null, null, null, null, 'active');
      insert into assignment values ('E7', 'd2', null, 1)`);
    await stage.type('sync');
    await stage.type('sync', '--only', 'ann');
    for (const name of ['zoe', 'E7'])
      expect(await stage.first(name)).toBe(
        'zoe (E7), not managed yet: is to be created (new in the source); held by sync.guard.joiners until ' +
          'released: rollcall sync --approve HASH',
      );
  });
});

describe('explain the node that a moved unit has left', () => {
  test('as what it is, by serial number and by id', async () => {
    const stage = await openExplained();
    const { edit } = stage.sandbox;
    await stage.type('sync');
    const left = stage.sandbox.state.organizationBySerial('d4')?.id ?? '';
    edit.addEmployee({ username: 'guest', name: 'Guest', positions: [{ org_id: left, primary: true }] });
    stage.hr(`update department set parent_id = 'd1', name = 'Sales West' where id = 'd4'`);
    await stage.type('sync', '--full');
    const sentence = ': the former node of unit Sales West; removed as soon as it is empty';
    for (const name of [`d4~${left}`, left]) expect(await stage.first(name)).toContain(sentence);
    expect(await stage.first('d4')).toMatch(
      /^Sales West \(d4\), managed: its old node \d+ waits to be removed, still there: employees guest; the rest goes on$/u,
    );
  });
});

describe('explain a unit that would lose something if it moved', () => {
  test('says what, and what releases it; so does the plan', async () => {
    const stage = await openExplained();
    await stage.type('sync');
    const { edit, state } = stage.sandbox;
    edit.changeOrganization(state.organizationBySerial('d4')?.id ?? '', { enName: 'West' });
    stage.hr(`update department set parent_id = 'd1', name = 'Sales West' where id = 'd4'`);
    const loses = 'loses en_name, typed in in the service, which no call can write to its new node';
    const plan = await stage.type('plan');
    expect(plan.out).toContain(loses);
    expect(plan.out).toMatch(
      /^HELD by sync\.guard\.lost: 1 change, the limit is 0 \(1 of 4 units would lose what/mu,
    );
    expect((await stage.type('sync')).code).toBe(3);
    expect(await stage.first('d4')).toContain('held by sync.guard.lost until released');
    const { out } = await stage.explain('d4', '--live');
    expect(out.replaceAll(/\s+/gu, ' ')).toContain(loses);
  });
});

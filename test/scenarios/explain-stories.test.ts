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

import { describe, expect, test } from 'vitest';
import { SYNC } from '../plan/build.ts';
import { at, loadedWorld, person, SMALL, type Ended } from './world.ts';

const stranger = (name: string) =>
  person('3b', { username: 'l3', fields: { name }, positions: [at('u1', { job_title: 'Boss' })] });
const others = SMALL.people.filter(({ id }) => id !== '3');

describe('an id that vanishes while its username comes with another id', () => {
  const replaced = { people: [...others, person('3b', { username: 'l3', fields: { name: 'Name 3' } })] };

  test('is held, both shown, and nobody is missed or disabled meanwhile', async () => {
    const world = await loadedWorld();
    world.change(() => replaced);
    for (let run = 1; run <= 4; run += 1) {
      const ran = await world.sync({ full: run === 4 });
      expect([ran.exitCode, ran.changing]).toEqual([3, []]);
      expect(ran.plan?.held).toMatchObject([
        { guard: 'usernameReuse', count: 1, limit: 0, first: ['l3 (Name 3, 3b)'] },
      ]);
      world.minutes(60);
    }
    expect(world.employee('l3').locked).toBe(false);
  });

  test('is held with all that follows, before and after; another value asks again', async () => {
    const world = await loadedWorld();
    const ran = await world.syncAfter(() => ({ people: [...others, stranger('Somebody Else')] }));
    expect(ran.changes).toMatchObject([
      {
        kind: 'adopt',
        fields: [
          { field: 'id', from: '3', to: '3b' },
          { field: 'name', from: 'Name 3', to: 'Somebody Else' },
          { field: 'positions', to: ['u1 job_title=Boss primary'] },
        ],
      },
    ]);
    const hash = ran.plan?.held[0]?.hash ?? '';
    const other = await world.syncAfter(() => ({ people: [...others, stranger('Another One')] }));
    expect(other.plan?.held[0]?.hash).not.toBe(hash);
    expect((await world.sync({ approve: [other.plan?.held[0]?.hash ?? ''] })).exitCode).toBe(0);
    expect(world.employee('l3').name).toBe('Another One');
  });

  test('is done with the approval, though no call is sent', async () => {
    const world = await loadedWorld();
    const hash = (await world.syncAfter(() => replaced)).plan?.held[0]?.hash ?? '';
    const left: number[] = [];
    const after = async ({ ledger }: Ended) => void left.push(ledger.approvals.under(hash).left);
    const approved = await world.sync({ approve: [hash], after });
    expect([approved.exitCode, approved.changing, left]).toEqual([0, [], [0]]);
  });

  test('is, when approved, let in again and brought up to date by the same run', async () => {
    const world = await loadedWorld();
    world.change(() => ({ people: [...others, person('3', { active: false })] }));
    expect((await world.sync()).changing).toEqual(['disableEmployee']);
    const { id } = world.employee('l3');
    const back = person('3b', { username: 'l3', fields: { name: 'Married' }, positions: [at('u2')] });
    const held = await world.syncAfter(() => ({ people: [...others, back] }));
    expect(held.changes[0]?.fields).toContainEqual({ field: 'active', from: false, to: true });
    const hash = held.plan?.held[0]?.hash ?? '';
    const approved = await world.sync({ approve: [hash] });
    expect([approved.exitCode, approved.changing]).toEqual([0, ['enableEmployee', 'importEmployees']]);
    expect(world.employee('l3')).toMatchObject({ id, name: 'Married', locked: false });
    const after = await world.sync({ full: true });
    expect([after.exitCode, after.planned]).toEqual([0, []]);
  });

  test('makes a new account, once approved, where the old one was removed', async () => {
    const world = await loadedWorld({ sync: { leavers: { ...SYNC.leavers, action: 'remove' } } });
    await world.syncAfter(() => ({ people: others }));
    expect((await world.sync({ later: 15 })).planned).toEqual(['remove person 3']);
    const held = await world.syncAfter(() => replaced);
    const approved = await world.sync({ approve: [held.plan?.held[0]?.hash ?? ''] });
    expect([approved.exitCode, approved.done.map(({ kind }) => kind)]).toEqual([0, ['adopt', 'create']]);
  });
});

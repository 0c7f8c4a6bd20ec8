import { describe, expect, test } from 'vitest';
import { SYNC } from '../plan/build.ts';
import { at, loadedWorld, person, unit, type World } from './world.ts';

const COMPANY = {
  units: [
    unit('u1', null, { name: 'Sales' }),
    unit('u2', 'u1', { name: 'Tax' }),
    unit('u3', 'u1', { name: 'Law' }),
  ],
  people: [
    person('1', { positions: [at('u1')] }),
    person('2', { positions: [at('u2')] }),
    person('3', { positions: [at('u2'), at('u3', { primary: true })] }),
    person('4', { positions: [at('u3')] }),
  ],
};

const other = (id: string | null): string | null => (id === null ? null : `${id}-new`);

/** The same company out of a rebuilt directory: every id is another one, of units alone where told so. */
function rebuilt(what: 'all' | 'units'): typeof COMPANY {
  return {
    units: COMPANY.units.map((one) => {
      const id = `${one.id}-new`;
      return { ...one, id, refs: [id], parent: other(one.parent) };
    }),
    people: COMPANY.people.map((one) => ({
      ...one,
      id: what === 'all' ? `${one.id}-new` : one.id,
      positions: one.positions.map((position) => ({ ...position, unit: other(position.unit) })),
    })),
  };
}

/** What employees see of the service: serial numbers are known to administrators alone. */
const visible = (world: World): string => JSON.stringify(world.state()).replaceAll('-new', '');
const GUARDS = { sync: { guard: SYNC.guard } };

describe('a directory that was rebuilt, with other ids for the same units and people', () => {
  test('is one hold with one hash, and nothing of it is visible before', async () => {
    const world = await loadedWorld({ ...COMPANY, ...GUARDS });
    const before = visible(world);
    const held = await world.syncAfter(() => rebuilt('all'));
    expect(held.exitCode).toBe(3);
    expect(held.plan?.held.map(({ guard, count }) => [guard, count])).toEqual([['usernameReuse', 4]]);
    expect(visible(world)).toBe(before);
    const approved = await world.sync({ approve: [held.plan?.held[0]?.hash ?? ''] });
    // Their units have other ids: they are written again, as they are.
    expect([approved.exitCode, approved.changing]).toEqual([0, ['importEmployees']]);
    const after = await world.sync({ full: true });
    expect([after.exitCode, after.planned]).toEqual([0, []]);
    expect(visible(world)).toBe(before);
  });

  test('is approved for one record alone where only that is sent: the others are asked about anew', async () => {
    const world = await loadedWorld({ ...COMPANY, ...GUARDS });
    const held = await world.syncAfter(() => rebuilt('all'));
    const hash = held.plan?.held[0]?.hash ?? '';
    const only = { subject: 'person', id: '3-new' } as const;
    const one = await world.sync({ approve: [hash], only });
    expect([one.exitCode, one.done.map(({ kind, id }) => `${kind} ${id}`)]).toEqual([
      0,
      ['adopt 3-new', 'update 3-new'],
    ]);
    const next = await world.sync();
    expect(next.exitCode).toBe(3);
    expect(next.plan?.held.map(({ guard, count }) => [guard, count])).toEqual([['usernameReuse', 3]]);
    expect(next.plan?.held[0]?.hash).not.toBe(hash);
  });

  test('names who has left in it before anybody approves, and says that they would be disabled', async () => {
    const world = await loadedWorld({ ...COMPANY, ...GUARDS });
    const { units, people } = rebuilt('all');
    const held = await world.syncAfter(() => ({
      units,
      people: people.map((one) => (one.id === '4-new' ? { ...one, active: false } : one)),
    }));
    const hash = held.plan?.held[0]?.hash ?? '';
    expect([held.exitCode, held.inside]).toEqual([3, [`4-new: held: rollcall sync --approve ${hash}`]]);
    const fields = held.changes.flatMap(({ fields: shown }) => shown);
    expect(fields.filter(({ field }) => field === 'active')).toEqual([
      { field: 'active', from: true, to: false },
    ]);
    const approved = await world.sync({ approve: [hash] });
    expect([approved.exitCode, approved.changing, approved.inside]).toEqual([
      0,
      ['disableEmployee', 'importEmployees'],
      [],
    ]);
  });

  test('of whom the units alone have other ids goes on without a question: nobody moves', async () => {
    const world = await loadedWorld({ ...COMPANY, ...GUARDS });
    const before = visible(world);
    const node = world.organization('u2').id;
    world.change(() => rebuilt('units'));
    const planned = await world.plan();
    expect(planned.planned).toEqual([
      ...COMPANY.people.map(({ id }) => `update person ${id}`),
      ...COMPANY.units.map(({ id }) => `adopt unit ${id}-new`),
    ]);
    expect(planned.changes.find(({ kind }) => kind === 'adopt')).toMatchObject({
      why: { code: 'there' },
      guard: null,
      fields: [{ field: 'serial_no', from: 'u1', to: 'u1-new' }],
    });
    const ran = await world.sync();
    expect([ran.exitCode, ran.changing]).toEqual([
      0,
      [...Array<string>(3).fill('modifyOrganization'), 'importEmployees'],
    ]);
    expect(visible(world)).toBe(before);
    expect(world.organization('u2-new').id).toBe(node);
    const after = await world.sync({ full: true });
    expect([after.exitCode, after.planned]).toEqual([0, []]);
  });

  test('waits where one that vanished is protected, which is named', async () => {
    const world = await loadedWorld({ ...COMPANY, sync: { protect: { usernames: [], units: ['u1'] } } });
    const before = visible(world);
    const ran = await world.syncAfter(() => rebuilt('units'));
    expect(ran.exitCode).toBe(4);
    expect(ran.listed.join()).toMatch(/u1: protected by sync.protect/u);
    expect(visible(world)).toBe(before);
    world.configure({ protect: { usernames: [], units: ['u1-new'] } });
    expect((await world.sync()).exitCode).toBe(0);
    expect(visible(world)).toBe(before);
  });
});

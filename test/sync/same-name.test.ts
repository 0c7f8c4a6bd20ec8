import { expect, test } from 'vitest';
import { at, openWorld, person, unit } from './world.ts';

/** With a serial number of its own, or it would be the same unit under another id. */
const sales = (id: string) => unit(id, 'u1', { name: 'Sales', serial_no: id });

test('a department under the name of one that is gone gets its people, and the old one goes', async () => {
  const world = await openWorld({
    units: [unit('u1'), sales('old'), unit('below', 'old')],
    people: [person('1', { positions: [at('old')] }), person('2', { positions: [at('below')] })],
  });
  await world.sync();
  world.change(() => ({
    units: [unit('u1'), sales('new'), unit('below2', 'new', { name: 'Unit below' })],
    people: [person('1', { positions: [at('new')] }), person('2', { positions: [at('below2')] })],
  }));
  const ran = await world.sync();
  expect([ran.exitCode, ran.listed]).toEqual([0, []]);
  expect(world.state()).toEqual({
    units: [
      '/Root #',
      '/Root/Unit u1 #u1',
      '/Root/Unit u1/Sales #new',
      '/Root/Unit u1/Sales/Unit below #below2',
    ],
    people: ['l1 Name 1 new[primary]', 'l2 Name 2 below2[primary]'],
  });
  expect((await world.sync({ full: true })).changing).toEqual([]);
});

test('the old one waits under another name where somebody else sits in it', async () => {
  const world = await openWorld({
    units: [unit('u1'), sales('old')],
    people: [person('1', { positions: [at('old')] })],
  });
  await world.sync();
  const { edit } = world.sandbox;
  edit.addEmployee({ username: 'guest', name: 'G', positions: [{ org_id: world.organization('old').id }] });
  world.change(() => ({
    units: [unit('u1'), sales('new')],
    people: [person('1', { positions: [at('new')] })],
  }));
  const ran = await world.sync();
  expect(ran.exitCode).toBe(0);
  const { id, name } = world.organization('old');
  expect(name).toBe(`Sales~${id}`);
  expect((await world.sync({ full: true })).changing).toEqual([]);
  edit.removeEmployee('guest');
  expect((await world.sync()).changing).toEqual(['deleteOrganization']);
});

test('one that is kept, or protected, blocks the new one as before', async () => {
  const world = await openWorld({
    units: [unit('u1'), sales('old')],
    people: [],
    sync: { unitsGone: 'keep' },
  });
  await world.sync();
  world.change(() => ({ units: [unit('u1'), sales('new')] }));
  const ran = await world.sync();
  expect([ran.exitCode, ran.changing]).toEqual([4, []]);
});

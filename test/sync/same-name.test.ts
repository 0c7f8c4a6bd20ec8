import { expect, test } from 'vitest';
import { at, openWorld, person, unit } from './world.ts';

/** With a serial number of its own, or it would be the same unit under another id. */
const sales = (id: string) => unit(id, 'u1', { name: 'Sales', serial_no: id });

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

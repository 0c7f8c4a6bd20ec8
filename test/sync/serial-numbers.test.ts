import { describe, expect, test } from 'vitest';
import { Crash, crashing } from '../doubles/crashing-ledger.ts';
import { openWorld, type World } from './world.ts';

/** A node of the right name that has no serial number, to be adopted. */
async function found(): Promise<World> {
  const world = await openWorld();
  world.sandbox.edit.addOrganization(world.sandbox.rootId, 'Unit u1');
  return world;
}

describe('an adoption by name', () => {
  test.each(['before', 'after'] as const)(
    'that dies %s any write of the journal still ends with the serial number',
    async (when) => {
      for (let write = 1; ; write += 1) {
        const world = await found();
        const { id } = world.sandbox.state.organizationByPath('/Root/Unit u1')!;
        const died = await world.sync({ wrap: (ledger) => crashing(ledger, write, when) }).then(
          () => false,
          (error: unknown) => error instanceof Crash,
        );
        if (!died) break;
        world.minutes(2);
        expect([write, (await world.sync()).listed]).toEqual([write, []]);
        expect([write, world.organization('u1').id]).toEqual([write, id]);
        world.minutes(2);
        expect([write, (await world.sync({ full: true })).changing]).toEqual([write, []]);
      }
    },
  );
});

describe('a serial number that somebody', () => {
  test.each([
    ['took away', undefined],
    ['changed', 'X-9'],
  ])('%s is set again', async (_, serialNo) => {
    const world = await openWorld();
    await world.sync();
    const { id } = world.organization('u2');
    world.sandbox.edit.changeOrganization(id, { serialNo });
    const ran = await world.sync();
    expect([ran.exitCode, ran.planned, world.organization('u2').id]).toEqual([0, ['update unit u2'], id]);
    expect((await world.sync()).changing).toEqual([]);
  });

  test('changed is reported where drift: report says so', async () => {
    const world = await openWorld({ sync: { drift: 'report' } });
    await world.sync();
    world.sandbox.edit.changeOrganization(world.organization('u2').id, { serialNo: 'X-9' });
    const ran = await world.sync();
    const drift = ran.lines.map(({ fields }) => fields).find(({ event }) => event === 'drift.found');
    expect([ran.changing, drift]).toMatchObject([
      [],
      { id: 'u2', fields: ['serial_no'], action: 'reported' },
    ]);
  });
});

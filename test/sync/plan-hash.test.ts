import { describe, expect, test } from 'vitest';
import { SYNC } from '../plan/build.ts';
import { at, openWorld, person, unit, type Ran, type World } from './world.ts';

const COMPANY = {
  units: [unit('u1'), unit('u2', 'u1')],
  people: [person('1'), person('2', { positions: [at('u2')] }), person('3', { positions: [at(null)] })],
};
const TIGHT = { ...SYNC.guard, updates: { percent: 0, count: 0 } };

/** The same company in a service whose ids are other ones, with a node that nobody manages. */
async function company(before: number): Promise<World> {
  const world = await openWorld({ ...COMPANY, sync: { guard: TIGHT } });
  const { edit } = world.sandbox;
  const root = world.sandbox.state.organizations()[0]!.id;
  for (let n = 0; n < before; n += 1) edit.removeOrganization(edit.addOrganization(root, `gone ${n}`).id);
  edit.addOrganization(root, 'Theirs', { serialNo: 'theirs' });
  expect((await world.sync()).exitCode).toBe(0);
  return world;
}

const hashesOf = ({ plan }: Ran) => [
  plan?.hash,
  plan?.held.map(({ guard, hash, count }) => [guard, count, hash]),
];

/** What a run of each of them comes to; their ids have nothing in common. */
async function both(after: (world: World) => Promise<Ran>): Promise<readonly Ran[]> {
  const worlds = [await company(0), await company(7)];
  const [left, right] = worlds.map((world) => world.sandbox.state.organizations().map(({ id }) => id));
  expect(left!.slice(1).filter((id) => right!.slice(1).includes(id))).toEqual([]);
  return Promise.all(worlds.map((world) => after(world)));
}

const move = (world: World, username: string, ...serials: readonly string[]) =>
  world.sandbox.edit.changeEmployee(username, {
    positions: serials.map((serial, index) => ({
      org_id: world.organization(serial).id,
      primary: index === 0,
    })),
  });

describe('the hashes of a plan know no service ids', () => {
  test('where somebody moved people in the service', async () => {
    const [one, other] = await both(async (world) => {
      move(world, 'l1', 'theirs', 'u1');
      move(world, 'l2', 'u1');
      move(world, 'l3', 'theirs');
      return world.sync({ full: true });
    });
    expect(one!.planned).toEqual(['update person 1', 'update person 2', 'update person 3']);
    expect(one!.plan?.held).toMatchObject([{ guard: 'updates', count: 3 }]);
    expect(hashesOf(other!)).toEqual(hashesOf(one!));
  });

  test('where people are adopted', async () => {
    const [one, other] = await both(async (world) => {
      world.loseLedger();
      move(world, 'l2', 'theirs');
      return world.plan();
    });
    expect(one!.planned.filter((line) => line.startsWith('adopt'))).toHaveLength(5);
    expect(hashesOf(other!)).toEqual(hashesOf(one!));
  });

  test('but the units: another place is another hash', async () => {
    const world = await company(0);
    const hashes: unknown[] = [];
    for (const places of [['u1'], ['u2', 'u1']]) {
      move(world, 'l2', ...places);
      hashes.push((await world.plan({ full: true })).plan?.hash);
    }
    expect(new Set(hashes).size).toBe(2);
  });
});

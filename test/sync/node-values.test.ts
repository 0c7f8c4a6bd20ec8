import { describe, expect, test } from 'vitest';
import type { UnitChange } from '../../src/domain/changes.ts';
import { unitNote } from '../../src/plan/words/describe-change.ts';
import type { OrganizationRecord } from '../../src/sandbox/world/records.ts';
import { at, loadedWorld, person, unit, type Ran, type World, type WorldOptions } from './world.ts';

const BEFORE = [unit('a'), unit('b'), unit('c', 'b'), unit('d')];
const AFTER = [unit('a'), unit('b', 'a'), unit('c', 'b'), unit('d')];
const PEOPLE = ['a', 'b', 'c', 'd'].map((id) => person(id, { positions: [at(id)] }));

async function loaded(options: WorldOptions = {}): Promise<World> {
  const world = await loadedWorld({ units: BEFORE, people: PEOPLE, ...options });
  world.minutes(15);
  return world;
}

/** As an administrator does it in the service's own screens. */
function type(world: World, serialNo: string, values: Partial<OrganizationRecord>): void {
  world.sandbox.edit.changeOrganization(world.organization(serialNo).id, values);
}

function move(world: World): Promise<Ran> {
  world.change(() => ({ units: AFTER }));
  return world.sync();
}

const unitChange = ({ changes }: Ran, id: string): UnitChange | undefined =>
  changes.find((one): one is UnitChange => one.subject === 'unit' && one.id === id);

const isMoved = (world: World): boolean =>
  world.organization('b').parentId === world.organization('a').id &&
  world.organization('c').parentId === world.organization('b').id;

describe('what others typed into the node of a unit that moves', () => {
  test('goes along where a new node takes it: the logo, once more and again', async () => {
    const world = await loaded();
    type(world, 'b', { logo: 'media-7' });
    const ran = await move(world);
    expect([ran.exitCode, ran.listed, isMoved(world)]).toEqual([0, [], true]);
    expect(world.organization('b').logo).toBe('media-7');
    expect((await world.syncAfter(() => ({ units: BEFORE }), { later: 15 })).exitCode).toBe(0);
    expect([world.organization('b').logo, world.organization('c').logo]).toEqual(['media-7', undefined]);
    expect((await world.sync({ full: true })).changing).toEqual([]);
  });

  test.each<readonly [string, Partial<OrganizationRecord>, readonly string[]]>([
    ['b', { enName: 'Sales', ownerId: '77' }, ['en_name', 'owner_id']],
    ['c', { ownerName: 'Kim' }, ['owner_id']],
  ])('is named and held where it cannot, with all that is below it: %s %j', async (id, values, names) => {
    const world = await loaded();
    type(world, id, values);
    const held = await move(world);
    expect([held.exitCode, isMoved(world)]).toEqual([3, false]);
    expect(world.organization(id)).toMatchObject(values);
    expect(held.plan?.held).toMatchObject([{ guard: 'lost', count: 1, first: [`Unit ${id} (${id})`] }]);
    expect(held.plan?.held[0]?.about).toBe('1 of 4 units would lose what others typed into their nodes');
    const change = unitChange(held, id);
    expect(change?.loses?.fields).toEqual(names);
    expect(change === undefined ? '' : unitNote(change, { names: new Map(), zone: 'UTC' })).toContain(
      `loses ${names.join(', ')}, typed in in the service, which no call can write to its new node`,
    );
    const again = await world.sync({ full: true });
    expect([again.exitCode, again.changing]).toEqual([3, []]);
    const approved = await world.sync({ approve: [held.plan?.held[0]?.hash ?? ''] });
    expect([approved.exitCode, approved.listed, isMoved(world)]).toEqual([0, [], true]);
    expect((await world.sync({ full: true })).changing).toEqual([]);
  });

  test('is lost without a word with sync.unmapped: omit', async () => {
    const world = await loaded({ sync: { unmapped: 'omit' } });
    type(world, 'b', { enName: 'Sales' });
    expect([(await move(world)).exitCode, isMoved(world)]).toEqual([0, true]);
  });

  test('after the plan was made is found at the last look, and held by the next run', async () => {
    const world = await loaded();
    let typed = false;
    world.sandbox.onCall = ({ operation }) => {
      if (typed || operation !== 'modifyOrganization') return;
      typed = true;
      type(world, 'b', { enName: 'Late' });
    };
    const ran = await move(world);
    expect(ran.exitCode).toBe(4);
    expect(ran.listed).toContain('b: not moved: its node shows en_name now, which would be lost');
    expect(ran.changing).not.toContain('importOrganizations');
    const held = await world.sync({ later: 15 });
    expect([held.exitCode, held.changing]).toEqual([3, []]);
    const approved = await world.sync({ approve: [held.plan?.held[0]?.hash ?? ''] });
    expect([approved.exitCode, isMoved(world)]).toEqual([0, true]);
  });
});

import { describe, expect, test } from 'vitest';
import type { MemoryWorld } from '../doubles/memory-source.ts';
import { SYNC } from '../plan/build.ts';
import { SMALL, at, openWorld, person, unit, type World, type WorldOptions } from './world.ts';

const IDS = Array.from({ length: 12 }, (_, index) => String(index + 1));
const COMPANY = {
  units: [unit('u1')],
  people: IDS.map((id) => person(id, { positions: [at(null)] })),
} as const satisfies MemoryWorld;

/** Accounts that others made, for the first `count` people; `name` as the source has it, or another. */
function plant(
  { sandbox: { edit, rootId } }: World,
  count: number,
  name = (id: string) => `Name ${id}`,
): void {
  for (const id of IDS.slice(0, count))
    edit.addEmployee({ username: `l${id}`, name: name(id), positions: [{ org_id: rootId, primary: true }] });
}

const guarded = async (world: Partial<MemoryWorld> = {}): Promise<World> =>
  openWorld({ ...COMPANY, ...world, sync: { guard: SYNC.guard } });

describe('accounts that others made', () => {
  test('are not written before somebody approves it, where many of them would change', async () => {
    const world = await guarded();
    plant(world, 8, (id) => `Somebody else ${id}`);
    const ran = await world.sync();
    expect(ran.exitCode).toBe(3);
    expect(ran.plan?.held).toMatchObject([
      { guard: 'adopted', count: 8, limit: 4, about: '8 of 8 accounts that others made would change' },
    ]);
    expect(world.employee('l1').name).toBe('Somebody else 1');
    expect(world.employee('l9').name).toBe('Name 9');
    expect((await world.sync()).exitCode).toBe(3);
    expect((await world.sync({ approve: [ran.plan?.held[0]?.hash ?? ''] })).exitCode).toBe(0);
    expect(world.employee('l1').name).toBe('Name 1');
    expect((await world.sync({ full: true })).changing).toEqual([]);
  });

  test('and are inactive in the source stand on a line of their own, and stay until approved', async () => {
    const people = IDS.map((id) => person(id, { active: Number(id) > 6, positions: [at(null)] }));
    const world = await guarded({ people });
    plant(world, 12);
    const ran = await world.sync();
    expect(ran.plan?.held).toMatchObject([
      {
        guard: 'adopted',
        count: 6,
        limit: 0,
        about: '6 of 12 accounts that others made are inactive in the source and would be disabled',
      },
    ]);
    expect([ran.exitCode, world.employee('l1').locked]).toEqual([3, false]);
    expect((await world.sync({ approve: [ran.plan?.held[0]?.hash ?? ''] })).exitCode).toBe(0);
    expect([world.employee('l6').locked, world.employee('l7').locked]).toEqual([true, false]);
  });

  test('units too: renamed by hand they keep their names, and those who are to be in them wait', async () => {
    const units = IDS.slice(0, 6).map((id) => unit(`u${id}`));
    const world = await guarded({ units, people: [person('1'), person('2', { positions: [at(null)] })] });
    const { edit, rootId } = world.sandbox;
    for (const { id } of units) edit.addOrganization(rootId, `By hand ${id}`, { serialNo: id });
    const ran = await world.sync();
    expect(ran.plan?.held).toMatchObject([
      { guard: 'adopted', count: 6, about: '6 of 6 units that others made would change' },
    ]);
    expect(ran.listed).toEqual(['1: waits for unit u1']);
    expect(world.state()).toEqual({
      units: ['/Root #', ...units.map(({ id }) => `/Root/By hand ${id} #${id}`)],
      people: ['l2 Name 2 (root)[primary]'],
    });
    expect((await world.sync({ approve: [ran.plan?.held[0]?.hash ?? ''] })).exitCode).toBe(0);
    expect(world.state().units).toContain('/Root/Unit u1 #u1');
  });
});

const guard = { ...SYNC.guard, joiners: { percent: 100, count: 100 } };
const adam = person('9', { username: 'admin', fields: { name: 'Adam Min' } });

/** After the first load; somebody else made the account `admin`. */
async function withAdmin(
  account: { readonly name?: string; readonly locked?: boolean } = {},
  options: WorldOptions = {},
): Promise<World> {
  const world = await openWorld({ ...options, sync: { guard, ...options.sync } });
  await world.sync();
  makeAdmin(world, account);
  return world;
}

function makeAdmin(
  { sandbox: { edit, rootId } }: World,
  { name = 'Administrator', locked = false }: { readonly name?: string; readonly locked?: boolean },
): void {
  edit.addEmployee({ username: 'admin', name, positions: [{ org_id: rootId, primary: true }] });
  if (locked) edit.lockEmployee('admin');
}

async function expectHeld(world: World, changes: Parameters<World['change']>[0]): Promise<string> {
  world.change(changes);
  let hash = '';
  for (let run = 1; run <= 2; run += 1) {
    const ran = await world.sync({ full: run === 2 });
    expect([ran.exitCode, ran.changing]).toEqual([3, []]);
    expect(ran.plan?.held).toMatchObject([{ guard: 'adopted', count: 1, limit: 0 }]);
    hash = ran.plan?.held[0]?.hash ?? '';
    world.minutes(60);
  }
  return hash;
}

const added =
  (more = adam) =>
  () => ({ people: [...SMALL.people, more] });

describe('after the first load, an account that others made under another name', () => {
  test('is held; approved, it is taken over', async () => {
    const world = await withAdmin();
    const hash = await expectHeld(world, added());
    expect(world.employee('admin').name).toBe('Administrator');
    expect((await world.sync({ approve: [hash] })).exitCode).toBe(0);
    expect(world.employee('admin').name).toBe('Adam Min');
    expect((await world.sync({ full: true })).changing).toEqual([]);
  });

  test('is adopted where its name is the same, apart from case and blanks', async () => {
    const world = await withAdmin({ name: 'adam  MIN' });
    expect((await world.syncAfter(added(person('9', { ...adam, positions: [at('u2')] })))).exitCode).toBe(0);
    expect(world.employee('admin').name).toBe('Adam Min');
  });
});

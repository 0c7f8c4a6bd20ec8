import { describe, expect, test } from 'vitest';
import { at, openWorld, person, unit, type Ran, type World } from './world.ts';

const COMPANY = {
  units: [unit('u1'), unit('u2', 'u1'), unit('u3', 'u1')],
  people: ['1', '2', '3', '4'].map((id) => person(id, { positions: [at('u2')] })),
};

/** How far the service's clock, as the `Date` of its answers tells it, is ahead of ours; and its other node of that one. */
interface Apart {
  readonly service: number;
  readonly node: number;
}

const APART: Apart = { service: 10, node: 9 };

/** Somebody edits a person and a unit, on a node of the service that has a clock of its own. */
function edit(world: World, { service, node }: Apart, name: string): void {
  world.serviceAhead(service + node);
  world.sandbox.edit.changeEmployee('l1', { name });
  world.sandbox.edit.changeOrganization(world.organization('u3').id, { name });
  world.serviceAhead(service);
}

/** What this run found to be edited, and sent again. */
function found({ lines, planned, exitCode, listed }: Ran): unknown {
  const drift = lines.map(({ fields }) => fields).filter(({ event }) => event === 'drift.found');
  return {
    exitCode,
    listed,
    planned: planned.toSorted(),
    drift: drift.map(({ id }) => String(id)).toSorted(),
  };
}

const BOTH = { exitCode: 0, listed: [], planned: ['update person 1', 'update unit u3'], drift: ['1', 'u3'] };
const NOTHING = { exitCode: 0, listed: [], planned: [], drift: [] };

async function loaded(apart: Apart): Promise<World> {
  const world = await openWorld(COMPANY);
  world.serviceAhead(apart.service);
  expect((await world.sync()).exitCode).toBe(0);
  expect(found(await world.sync({ later: 15 }))).toEqual(NOTHING);
  return world;
}

async function expectRepaired(world: World): Promise<void> {
  expect(found(await world.sync({ later: 15 }))).toEqual(BOTH);
  expect([world.employee('l1').name, world.organization('u3').name]).toEqual(['Name 1', 'Unit u3']);
  expect(found(await world.sync({ later: 15 }))).toEqual(NOTHING);
}

const renamed = (world: World, name: string): void =>
  world.change(({ people }) => ({
    people: people.map((one) => ('id' in one && one.id === '4' ? person('4', { fields: { name } }) : one)),
  }));

describe('the service ten minutes ahead, one of its nodes nine more: the next run finds an edit', () => {
  test('right before and right after a run', async () => {
    const world = await loaded(APART);
    edit(world, APART, 'After');
    await expectRepaired(world);
    world.minutes(15);
    edit(world, APART, 'Before');
    expect(found(await world.sync())).toEqual(BOTH);
  });

  test.each(['pageOrganizations', 'pageUsers', 'importEmployees'])(
    'made in a run, after its first %s',
    async (operation) => {
      const world = await loaded(APART);
      world.minutes(15);
      renamed(world, 'New');
      let seen = 0;
      world.sandbox.onCall = (call) => {
        seen += call.operation === operation ? 1 : 0;
        // The call after it: its own answer was given.
        if (seen === 0 || call.operation === operation) return;
        world.sandbox.onCall = undefined;
        edit(world, APART, 'Within');
      };
      const during = await world.sync();
      expect(during.exitCode).toBe(0);
      const rest = found(during) as typeof NOTHING;
      const early = rest.drift as readonly string[];
      const late = found(await world.sync({ later: 15 })) as { readonly drift: readonly string[] };
      expect([...early, ...late.drift].toSorted()).toEqual(['1', 'u3']);
      expect([world.employee('l1').name, world.organization('u3').name]).toEqual(['Name 1', 'Unit u3']);
      expect(found(await world.sync({ later: 15 }))).toEqual(NOTHING);
    },
  );
});

test.each([-10, 10])(
  'a clock of ours that is set by %i minutes between two runs loses no edit',
  async (step) => {
    const world = await loaded({ service: 0, node: 0 });
    edit(world, { service: 0, node: 0 }, 'Before');
    world.minutes(step);
    world.serviceAhead(-step);
    expect(found(await world.sync())).toEqual(BOTH);
    edit(world, { service: -step, node: 0 }, 'After');
    world.minutes(-step);
    world.serviceAhead(0);
    await expectRepaired(world);
  },
);

describe.each([-10, 10])('the service %i minutes ahead', (ahead) => {
  test.each(['dropAfter', 'cut'])(
    'an import in doubt (%s) is found in what changed since, and not made twice',
    async (kind) => {
      const world = await openWorld(COMPANY);
      world.serviceAhead(ahead);
      world.sandbox.setFaults(`seed=1,rate=1,kinds=${kind},ops=importOrganizations,max=1`);
      const ran = await world.sync();
      expect([ran.exitCode, ran.listed]).toEqual([0, []]);
      expect(ran.calls.filter(({ operation }) => operation === 'organizationBySerial')).toEqual([]);
      expect(world.state().units).toHaveLength(4);
    },
  );
});

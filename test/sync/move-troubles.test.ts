import { describe, expect, test } from 'vitest';
import { RefusedError } from '../../src/domain/errors.ts';
import type { Service } from '../../src/domain/ports/service.ts';
import { at, loadedWorld, person, unit, type World } from './world.ts';

const UNITS = [unit('a'), unit('b', 'a'), unit('c', 'b')];
const MOVED = [unit('a'), unit('b'), unit('c', 'b')];
const PEOPLE = [
  person('1', { positions: [at('b')] }),
  person('2', { positions: [at('c')] }),
  person('3', { positions: [at('a')] }),
];
const ALL_MOVED = {
  units: ['/Root #', '/Root/Unit a #a', '/Root/Unit b #b', '/Root/Unit b/Unit c #c'],
  people: ['l1 Name 1 b[primary]', 'l2 Name 2 c[primary]', 'l3 Name 3 a[primary]'],
};

/** Loaded; the source has moved b and what is below it since. */
async function moving(): Promise<World> {
  const world = await loadedWorld({ units: UNITS, people: PEOPLE });
  world.change(() => ({ units: MOVED }));
  world.minutes(1);
  return world;
}

/** As the service, but for these calls of it. */
const through =
  (change: (service: Service) => Partial<Service>) =>
  (service: Service): Service => ({ ...service, ...change(service) });

describe('a move that is refused', () => {
  test('at its first call leaves everything as it was, with what waits for it named', async () => {
    const world = await moving();
    const before = world.state();
    const refusing = through(() => ({
      modifyOrganization: () => Promise.reject(new RefusedError('no such right', 403)),
    }));
    const ran = await world.sync({ through: refusing });
    expect([ran.exitCode, ran.changing]).toEqual([4, []]);
    expect(ran.listed).toEqual([
      '1: waits for unit b: it could not be moved',
      '2: waits for unit b: it could not be moved',
      'c: waits for unit b: it is not in its place',
      expect.stringMatching(/^b: .*no such right/u),
    ]);
    expect(world.state()).toEqual(before);
    const next = await world.sync({ later: 24 * 60 });
    expect([next.exitCode, next.listed]).toEqual([0, []]);
    expect(world.state()).toEqual(ALL_MOVED);
  });

  test('by a service that says yes and does not do it has changed nothing either', async () => {
    const world = await moving();
    const before = world.state();
    const lying = through(() => ({ modifyOrganization: () => Promise.resolve() }));
    const ran = await world.sync({ through: lying });
    expect([ran.exitCode, ran.changing]).toEqual([4, []]);
    expect(ran.listed.join('\n')).toMatch(/b: not moved: node \d+ does not show the serial number b~\d+/u);
    expect(world.state()).toEqual(before);
  });
});

test('a new node that a crashed run made and no list shows yet is not made twice', async () => {
  const world = await moving();
  const dying = through((service) => ({
    importOrganizations: async (bodies, signal) => {
      await service.importOrganizations(bodies, signal);
      throw new Error('the process has died');
    },
  }));
  expect((await world.sync({ through: dying })).exitCode).toBe(1);
  const made = world.organization('b').id;
  const blind = through((service) => ({
    async *organizations(since, signal) {
      for await (const page of service.organizations(since, signal)) {
        const records = page.records.filter(({ id }) => id !== made);
        yield { ...page, records, totalCount: page.totalCount - page.records.length + records.length };
      }
    },
  }));
  const second = await world.sync({ through: blind });
  expect([second.exitCode, second.listed]).toEqual([0, []]);
  expect(world.organization('b').id).toBe(made);
  expect(world.state()).toEqual(ALL_MOVED);
});

describe('an old node', () => {
  test('where somebody else sits waits, is listed, and goes when it is empty', async () => {
    const world = await moving();
    const old = world.organization('b').id;
    const { edit } = world.sandbox;
    edit.addEmployee({ username: 'guest', name: 'Guest', positions: [{ org_id: old }] });
    for (const full of [false, true]) {
      const ran = await world.sync({ full });
      const waits = `b: its old node ${old} waits to be removed, still there: employees guest`;
      expect([ran.exitCode, ran.report.end.blocked, ran.listed]).toEqual([4, 1, [waits]]);
      const { plan } = await world.plan();
      expect(plan?.occupied.map(({ id, reason }) => `${id}: ${reason}`)).toEqual([waits]);
      expect(ran.labels).toEqual(['Unit b']);
      expect(world.organization(`b~${old}`).name).toBe(`Unit b~${old}`);
    }
    edit.removeEmployee('guest');
    const ran = await world.sync();
    expect([ran.exitCode, ran.listed, ran.changing]).toEqual([0, [], ['deleteOrganization']]);
    expect(world.state()).toEqual(ALL_MOVED);
  });

  test('whom the service says somebody sits in, though it shows nobody, waits too', async () => {
    const occupied = through(() => ({
      deleteOrganization: () => Promise.reject(new RefusedError('occupied', 1, { named: 'hasEmployees' })),
    }));
    const world = await moving();
    const ran = await world.sync({ through: occupied });
    const waits = expect.stringMatching(/waits to be removed, still there: employees whom the service does/u);
    expect([ran.exitCode, ran.listed]).toEqual([4, expect.arrayContaining([waits])]);
    expect((await world.sync()).exitCode).toBe(0);
  });

  test('is never adopted after a lost ledger, and swept by the first run, which is full', async () => {
    const refusing = through(() => ({
      deleteOrganization: () => Promise.reject(new RefusedError('not now', 500)),
    }));
    const world = await moving();
    const old = world.organization('b').id;
    await world.sync({ through: refusing });
    expect(world.sandbox.state.organization(old)?.serialNo).toBe(`b~${old}`);
    world.loseLedger();
    const adopted = await world.sync();
    expect([adopted.exitCode, adopted.listed]).toEqual([0, []]);
    expect(world.sandbox.state.organization(old)).toBeUndefined();
    expect(world.state()).toEqual(ALL_MOVED);
  });
});

test('a node of somebody else that has the name in the new place blocks the move', async () => {
  const world = await moving();
  const { edit, rootId } = world.sandbox;
  const theirs = edit.addOrganization(rootId, 'Unit b');
  const ran = await world.sync();
  expect([ran.exitCode, ran.changing]).toEqual([4, []]);
  expect(ran.listed.join('\n')).toContain(
    `b: node ${theirs.id} has the same name below its new parent already`,
  );
  expect(world.sandbox.state.organization(theirs.id)).toEqual(theirs);
});

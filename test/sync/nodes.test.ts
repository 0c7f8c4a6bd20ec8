import { describe, expect, test } from 'vitest';
import { RefusedError } from '../../src/domain/errors.ts';
import type { Organization, Service } from '../../src/domain/ports/service.ts';
import { Crash, crashing } from '../doubles/crashing-ledger.ts';
import { loadedWorld, openWorld, unit, type Ran, type World } from './world.ts';

test.each([['own'], ['codes'], ['null']])(
  'a node that somebody deleted before we do is gone, whatever an unknown id is called (notFound=%s)',
  async (notFound) => {
    const world = await loadedWorld({ readings: [`notFound=${notFound}`] });
    world.change(({ units, people }) => ({
      units: units.filter((one) => !('id' in one) || one.id !== 'u2'),
      people: people.filter((one) => one.id !== '2'),
    }));
    world.sandbox.edit.removeOrganization(world.organization('u2').id);
    for (const full of [false, true]) await world.sync({ full });
    expect((await world.sync()).listed.filter((line) => line.startsWith('u2'))).toEqual([]);
  },
);

test('of an import of nodes in doubt only what is not there is sent again', async () => {
  const units = Array.from({ length: 10 }, (_, index) => unit(`u${index}`));
  const world = await openWorld({ units, people: [] });
  const bodies: number[] = [];
  world.sandbox.onCall = (call, body) => {
    if (call.operation === 'importOrganizations') bodies.push((JSON.parse(body) as unknown[]).length);
  };
  const ran = await world.sync({
    through: (service) => {
      let first = true;
      return {
        ...service,
        importOrganizations: async (all, signal) => {
          if (!first) return service.importOrganizations(all, signal);
          first = false;
          // Half of it is done when the connection goes.
          await service.importOrganizations(all.slice(0, 5), signal);
          world.sandbox.setFaults('seed=1,rate=1,kinds=dropBefore,max=1,ops=importOrganizations');
          return service.importOrganizations(all, signal);
        },
      };
    },
  });
  expect([ran.exitCode, ran.listed]).toEqual([0, []]);
  expect(bodies).toEqual([5, 10, 5]);
  expect(world.state().units).toHaveLength(11);
});

const UNITS = [unit('a'), ...Array.from({ length: 8 }, (_, index) => unit(`a${index}`, 'a'))];
const COMPANY = { units: UNITS, people: [] } as const;
const times = ({ changing }: Ran, name: string): number => changing.filter((one) => one === name).length;
const IMPORT = 'importOrganizations';
const CREATE = 'createOrganization';

describe.each([['http200'], ['http4xx']])('a service that refuses imports of units (errors=%s)', (errors) => {
  const readings = ['importOrgs=off', `errors=${errors}`];

  test('gets them one by one, and each once', async () => {
    const world = await openWorld({ ...COMPANY, readings });
    const ran = await world.sync();
    expect([ran.exitCode, ran.listed, ran.report.end.failed]).toEqual([0, [], 0]);
    expect([times(ran, IMPORT), times(ran, CREATE)]).toEqual([1, UNITS.length]);
    expect(world.state().units).toHaveLength(UNITS.length + 1);
    const second = await world.sync({ full: true });
    expect([second.exitCode, second.planned, second.changing]).toEqual([0, [], []]);
  });

  test('of many at once: one is tried alone, which is created, and all others are too', async () => {
    const world = await openWorld({ units: UNITS.slice(1).map(({ id }) => unit(id)), people: [], readings });
    const ran = await world.sync();
    expect([ran.exitCode, times(ran, IMPORT), times(ran, CREATE)]).toEqual([0, 2, UNITS.length - 1]);
  });

  test('where a creation is in doubt, it is read first and not made twice', async () => {
    const world = await openWorld({ ...COMPANY, readings });
    world.sandbox.setFaults(`seed=1,rate=1,kinds=dropAfter,max=2,ops=${CREATE}`);
    const ran = await world.sync();
    expect([ran.exitCode, times(ran, IMPORT), times(ran, CREATE)]).toEqual([0, 1, UNITS.length]);
    expect(world.state().units.length).toEqual(UNITS.length + 1);
  });
});

async function inDoubt(): Promise<World> {
  const world = await openWorld({ units: [unit('a')], people: [], readings: ['importOrgs=off'] });
  expect((await world.sync()).exitCode).toBe(0);
  world.sandbox.setFaults(`seed=1,rate=1,kinds=html,ops=${CREATE}`);
  const ran = await world.syncAfter(() => ({ units: [unit('a'), unit('b')] }));
  expect([ran.exitCode, ran.listed]).toEqual([4, [expect.stringMatching(/^b: .*Whether it was done/u)]]);
  world.sandbox.setFaults(undefined);
  world.change(() => ({ units: [unit('a')] }));
  return world;
}

describe('a unit whose creation was in doubt, and that the source has no more', () => {
  test('is listed no more where the service has no such node', async () => {
    const world = await inDoubt();
    const ran = await world.sync();
    expect([ran.exitCode, ran.listed, ran.changing]).toEqual([0, [], []]);
    const back = await world.syncAfter(() => ({ units: [unit('a'), unit('b')] }));
    expect([back.exitCode, world.state().units.length]).toEqual([0, 3]);
  });

  test('is removed where the service has made its node meanwhile', async () => {
    const world = await inDoubt();
    world.sandbox.edit.addOrganization(world.sandbox.rootId, 'Unit b', { serialNo: 'b' });
    const ran = await world.sync({ full: true });
    expect([ran.exitCode, ran.listed, ran.planned]).toEqual([0, [], ['remove unit b']]);
    expect(world.state().units).toHaveLength(2);
    expect((await world.sync({ full: true })).changing).toEqual([]);
  });
});

const refuseThis = (): never => {
  throw new RefusedError('not this one', 990_400);
};

const refusingThis = (service: Service): Service => ({ ...service, importOrganizations: refuseThis });

const shownBy =
  (id: string) =>
  <T extends Organization | null>(node: T): T =>
    node?.id === id ? { ...node, disabled: true } : node;

/** Shows a node as not valid (interface, Organization node: `disabled`). */
const disabling =
  (id: string) =>
  (service: Service): Service => ({
    ...service,
    organizations: async function* (...asked) {
      for await (const page of service.organizations(...asked))
        yield { ...page, records: page.records.map((node) => shownBy(id)(node)) };
    },
    organization: async (...asked) => shownBy(id)(await service.organization(...asked)),
    organizationBySerial: async (...asked) => shownBy(id)(await service.organizationBySerial(...asked)),
  });

const refusingOne = (service: Service): Service => ({
  ...service,
  importOrganizations: async () => ({ successes: [], failures: [['Unit a/Inside Sales', 'no']] }),
});

describe('a service that takes imports of units', () => {
  test.each([
    ['another name', 'Other', undefined],
    ['another parent', 'Unit b', 'Unit a'],
  ])(
    'and has just got a node of that serial number from others, with %s: it is not ours',
    async (_, name, below) => {
      const world = await loadedWorld({ units: [unit('a')], people: [] });
      const parent = below === undefined ? world.sandbox.rootId : world.organization('a').id;
      const through = (service: Service): Service => ({
        ...service,
        importOrganizations: (all, signal) => {
          world.sandbox.edit.addOrganization(parent, name, { serialNo: 'b' });
          return service.importOrganizations(all, signal);
        },
      });
      const ran = await world.syncAfter(() => ({ units: [unit('a'), unit('b')] }), { through });
      expect([ran.exitCode, ran.listed]).toEqual([4, [expect.stringMatching(/^b: refused by the service/u)]]);
      expect((await world.sync({ full: true })).planned[0]).toMatch(/^(?:adopt|move) unit b/u);
      expect([world.organization('b').name, world.organization('b').parentId]).toEqual([
        'Unit b',
        world.sandbox.rootId,
      ]);
    },
  );

  test('gives a refusal to no unit of another name', async () => {
    const world = await loadedWorld({ units: [unit('a')], people: [] });
    const units = ['Sales', 'Inside Sales'].map((name, at) => unit(`${at + 1}`, 'a', { name }));
    const ran = await world.syncAfter(() => ({ units: [unit('a'), ...units] }), { through: refusingOne });
    const refused = ran.listed.filter((line) => line.includes('refused'));
    expect([ran.exitCode, refused]).toEqual([4, ['2: refused by the service: no']]);
  });

  test('and shows a node as disabled: the unit is refused in its words, each time', async () => {
    const world = await loadedWorld({ units: [unit('a')], people: [] });
    const through = disabling(world.organization('a').id);
    for (let run = 1; run <= 2; run += 1) {
      const ran = await world.sync({ full: true, through });
      expect([ran.exitCode, ran.listed]).toEqual([4, [expect.stringMatching(/^a: refused by the service/u)]]);
    }
  });

  test('is not asked either where it later refuses a whole import of one', async () => {
    const world = await loadedWorld({ units: [unit('a')], people: [] });
    const ran = await world.syncAfter(() => ({ units: [unit('a'), unit('b')] }), { through: refusingThis });
    expect([ran.exitCode, ran.changing, ran.listed]).toEqual([4, [], ['b: not this one']]);
  });
});

test('where creating is refused as well, the words of the import are told, and few are tried', async () => {
  const world = await openWorld({ units: UNITS.slice(1).map(({ id }) => unit(id)), people: [] });
  const asked: string[] = [];
  const refuse = (words: string) => (): never => {
    asked.push(words);
    throw new RefusedError(words, 990_403);
  };
  const ran = await world.sync({
    through: (service) => ({
      ...service,
      importOrganizations: refuse('no imports'),
      createOrganization: refuse('no creations'),
    }),
  });
  const asking = (words: string): number => asked.filter((one) => one === words).length;
  expect([ran.exitCode, asking('no imports'), asking('no creations')]).toEqual([1, 5, 4]);
  expect(ran.error).toContain('no imports');
});

describe('an adoption by name', () => {
  test.each(['before', 'after'] as const)(
    'that dies %s any write of the journal still ends with the serial number',
    async (when) => {
      for (let write = 1; ; write += 1) {
        const world = await openWorld();
        const { id } = world.sandbox.edit.addOrganization(world.sandbox.rootId, 'Unit u1');
        const died = await world.sync({ wrap: (ledger) => crashing(ledger, write, when) }).then(
          () => false,
          (error: unknown) => error instanceof Crash,
        );
        if (!died) break;
        expect([write, (await world.sync({ later: 2 })).listed]).toEqual([write, []]);
        expect([write, world.organization('u1').id]).toEqual([write, id]);
        expect([write, (await world.sync({ later: 2, full: true })).changing]).toEqual([write, []]);
      }
    },
  );
});

describe('a serial number that somebody', () => {
  test.each([
    ['took away', undefined],
    ['changed', 'X-9'],
  ])('%s is set again', async (_, serialNo) => {
    const world = await loadedWorld();
    const { id } = world.organization('u2');
    world.sandbox.edit.changeOrganization(id, { serialNo });
    const ran = await world.sync();
    expect([ran.exitCode, ran.planned, world.organization('u2').id]).toEqual([0, ['update unit u2'], id]);
    expect((await world.sync()).changing).toEqual([]);
  });
});

/** A service that lists no node of this id, and refuses to tell about it. */
function hiding(status: number): { id: string; readonly through: (service: Service) => Service } {
  const hidden = { id: '', through };
  return hidden;

  function through(service: Service): Service {
    return {
      ...service,
      organizations: async function* (...asked) {
        for await (const page of service.organizations(...asked)) {
          const records = page.records.filter(({ id }) => id !== hidden.id);
          yield { ...page, totalCount: page.totalCount - (page.records.length - records.length), records };
        }
      },
      organization: (id, signal) => {
        if (id === hidden.id) throw new RefusedError('no answer for this one', status);
        return service.organization(id, signal);
      },
    };
  }
}

describe('a unit that is not listed, and about which the service does not answer', () => {
  test.each([
    ['has trouble', 500],
    ['refuses for another reason', 429],
  ])('is blocked, and the rest goes on (%s)', async (_, status) => {
    const hidden = hiding(status);
    const world = await openWorld({ units: [unit('a'), unit('b')], people: [] });
    expect((await world.sync()).exitCode).toBe(0);
    hidden.id = world.organization('b').id;
    world.change(() => ({ units: [unit('a'), unit('b'), unit('c')] }));
    const ran = await world.sync({ full: true, through: hidden.through });
    expect([ran.exitCode, ran.planned]).toEqual([4, ['create unit c']]);
    expect(ran.listed).toEqual([
      expect.stringMatching(/^b: .*could not be asked for: no answer for this one/u),
    ]);
    const second = await world.sync({ full: true });
    expect([second.exitCode, second.listed, second.changing]).toEqual([0, [], []]);
  });

  test('stays if it is missing in the source, and is removed once the service tells', async () => {
    const hidden = hiding(500);
    const world = await openWorld({ units: [unit('a'), unit('b')], people: [] });
    await world.sync();
    hidden.id = world.organization('b').id;
    world.change(() => ({ units: [unit('a')] }));
    const ran = await world.sync({ full: true, through: hidden.through });
    expect([ran.exitCode, ran.planned]).toEqual([4, []]);
    expect(ran.listed).toEqual([
      expect.stringMatching(/^b: missing in the source, and its node is not in the list/u),
    ]);
    expect((await world.sync({ full: true })).planned).toEqual(['remove unit b']);
  });
});

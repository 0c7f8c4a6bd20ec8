import { describe, expect, test } from 'vitest';
import { RefusedError } from '../../src/domain/errors.ts';
import type { Organization, Service } from '../../src/domain/ports/service.ts';
import { Crash, crashing } from '../doubles/crashing-ledger.ts';
import { but, refuse } from '../doubles/service-parts.ts';
import { SYNC } from '../plan/build.ts';
import { codesOf } from './said.ts';
import {
  at,
  having,
  loadedWorld,
  ofUnits,
  openWorld,
  person,
  unit,
  without,
  type Ran,
  type World,
} from './world.ts';

const IMPORT = 'importOrganizations';
const CREATE = 'createOrganization';
const UNITS = [unit('a'), ...Array.from({ length: 8 }, (_, index) => unit(`a${index}`, 'a'))];
const times = ({ changing }: Ran, name: string): number => changing.filter((one) => one === name).length;
const WITH_B = ofUnits(unit('a'), unit('b'));
const ofA = (): Promise<World> => loadedWorld({ units: [unit('a')], people: [] });

test.each(['own', 'codes', 'null'])(
  'a node that somebody deleted before we do is gone (notFound=%s)',
  async (notFound) => {
    const world = await loadedWorld({ readings: [`notFound=${notFound}`] });
    world.change(without('2'));
    world.change(ofUnits(unit('u1')));
    world.sandbox.edit.removeOrganization(world.organization('u2').id);
    for (const full of [false, true]) await world.sync({ full, later: 10 });
    await world.rests();
  },
);

test('of an import of nodes in doubt only what is not there is sent again', async () => {
  const world = await openWorld({
    units: Array.from({ length: 10 }, (_, index) => unit(`u${index}`)),
    people: [],
  });
  const bodies: number[] = [];
  world.sandbox.onCall = (call, body) => {
    if (call.operation === IMPORT) bodies.push((JSON.parse(body) as unknown[]).length);
  };
  let first = true;
  const through = but(({ importOrganizations }) => ({
    importOrganizations: async (all, signal) => {
      if (!first) return importOrganizations(all, signal);
      first = false;
      // Half of it is done when the connection goes.
      await importOrganizations(all.slice(0, 5), signal);
      world.sandbox.setFaults(`seed=1,rate=1,kinds=dropBefore,max=1,ops=${IMPORT}`);
      return importOrganizations(all, signal);
    },
  }));
  await world.run({ through }, { listed: '' });
  expect(bodies).toEqual([5, 10, 5]);
  await world.rests();
});

describe.each(['http200', 'http4xx'])('a service that refuses imports of units (errors=%s)', (errors) => {
  const readings = ['importOrgs=off', `errors=${errors}`];

  test.each([
    ['one by one, each once', UNITS, undefined, 1],
    ['of many at once: one is tried alone', UNITS.slice(1).map(({ id }) => unit(id)), undefined, 2],
    ['in doubt: they are read first', UNITS, `seed=1,rate=1,kinds=dropAfter,max=2,ops=${CREATE}`, 1],
  ])('has them created %s', async (_, units, faults, imports) => {
    const world = await openWorld({ units, people: [], readings });
    world.sandbox.setFaults(faults);
    const ran = await world.run({}, { listed: '' });
    expect([ran.report.end.failed, times(ran, IMPORT), times(ran, CREATE)]).toEqual([
      0,
      imports,
      units.length,
    ]);
    await world.rests();
  });
});

describe('a unit whose creation was in doubt, and that the source has no more', () => {
  async function inDoubt(): Promise<World> {
    const world = await loadedWorld({ units: [unit('a')], people: [], readings: ['importOrgs=off'] });
    world.sandbox.setFaults(`seed=1,rate=1,kinds=html,ops=${CREATE}`);
    await world.run(WITH_B, { exit: 4, listed: 'b noEnvelope' });
    world.sandbox.setFaults(undefined);
    world.change(ofUnits(unit('a')));
    return world;
  }

  test('is listed no more where the service has no such node', async () => {
    const world = await inDoubt();
    await world.run({}, { listed: '', sent: '' });
    await world.run(WITH_B);
    await world.rests();
  });

  test('is removed where the service has made its node meanwhile', async () => {
    const world = await inDoubt();
    world.sandbox.edit.addOrganization(world.sandbox.rootId, 'Unit b', { serialNo: 'b' });
    await world.run({ full: true }, { listed: '', planned: 'remove b' });
    await world.rests();
  });
});

describe('a service that takes imports of units', () => {
  test.each([
    ['another name', 'Other', false],
    ['another parent', 'Unit b', true],
  ])(
    'and has just got a node of that number from others, with %s: it is not ours',
    async (_, name, isBelow) => {
      const world = await ofA();
      const parent = isBelow ? world.organization('a').id : world.sandbox.rootId;
      const through = but(({ importOrganizations }) => ({
        importOrganizations: (...call) => {
          world.sandbox.edit.addOrganization(parent, name, { serialNo: 'b' });
          return importOrganizations(...call);
        },
      }));
      await world.run({ change: WITH_B, through }, { exit: 4, listed: 'b refused' });
      await world.run({ full: true }, { planned: isBelow ? 'move b' : 'adopt b' });
      await world.rests();
    },
  );

  test('gives a refusal to no unit of another name', async () => {
    const world = await ofA();
    const units = ['Sales', 'Inside Sales'].map((name, index) => unit(`${index + 1}`, 'a', { name }));
    const importOrganizations: Service['importOrganizations'] = async () => ({
      successes: [],
      failures: [['Unit a/Inside Sales', 'no']],
    });
    const ran = await world.sync({
      change: ofUnits(unit('a'), ...units),
      through: but({ importOrganizations }),
    });
    expect(ran.listed.filter((line) => line.endsWith('service: no'))).toEqual([
      '2: refused by the service: no',
    ]);
  });

  test('and shows a node as not valid: the unit is refused, each time', async () => {
    const world = await ofA();
    const { id } = world.organization('a');
    const shown = <T extends Organization | null>(node: T): T =>
      node?.id === id ? { ...node, disabled: true } : node;
    const through = but((service) => ({
      organizations: async function* (...asked) {
        for await (const page of service.organizations(...asked))
          yield { ...page, records: page.records.map((node) => shown(node)) };
      },
      organization: async (...asked) => shown(await service.organization(...asked)),
      organizationBySerial: async (...asked) => shown(await service.organizationBySerial(...asked)),
    }));
    await world.runs({ through }, { exit: 4, listed: 'a refused' }, [true, true]);
  });

  test('and refuses a whole import of one later is not asked to create it', async () => {
    const world = await ofA();
    const through = but({ importOrganizations: refuse('no') });
    await world.run({ change: WITH_B, through }, { exit: 4, sent: '', listed: 'b no' });
  });

  test('and refuses to create as well is tried with few, and its words of the import are told', async () => {
    const world = await openWorld({ units: UNITS.slice(1).map(({ id }) => unit(id)), people: [] });
    const asked: string[] = [];
    const refused = (words: string) => (): never => {
      asked.push(words);
      throw new RefusedError(words, 990_403);
    };
    const through = but({ importOrganizations: refused('import'), createOrganization: refused('create') });
    const { error } = await world.run({ through }, { exit: 1 });
    expect(asked.toSorted()).toEqual([
      ...Array<string>(4).fill('create'),
      ...Array<string>(5).fill('import'),
    ]);
    expect(error).toContain('import');
  });
});

test.each(['before', 'after'] as const)(
  'an adoption by name that dies %s any write still ends with the serial number',
  async (when) => {
    for (let write = 1; ; write += 1) {
      const world = await openWorld();
      const { id } = world.sandbox.edit.addOrganization(world.sandbox.rootId, 'Unit u1');
      const died = await world.sync({ wrap: (ledger) => crashing(ledger, write, when) }).then(
        () => false,
        (error: unknown) => error instanceof Crash,
      );
      if (!died) break;
      await world.run({ later: 2 }, { listed: '' });
      expect(world.organization('u1').id).toBe(id);
      await world.rests({ later: 2 });
    }
  },
);

/** A service that lists no node of this id, and refuses to tell about it. */
function hiding(status: number): { id: string; readonly through: (service: Service) => Service } {
  const hidden: ReturnType<typeof hiding> = {
    id: '',
    through: but((service) => ({
      organizations: async function* (...asked) {
        for await (const page of service.organizations(...asked)) {
          const records = page.records.filter(({ id }) => id !== hidden.id);
          yield { ...page, totalCount: page.totalCount - (page.records.length - records.length), records };
        }
      },
      organization: (id, signal) =>
        id === hidden.id ? refuse('no answer', status)() : service.organization(id, signal),
    })),
  };
  return hidden;
}

test.each([
  [500, ofUnits(unit('a'), unit('b'), unit('c')), 'create c', 'nodeUnread', ''],
  [429, ofUnits(unit('a'), unit('b'), unit('c')), 'create c', 'nodeUnread', ''],
  [500, ofUnits(unit('a')), '', 'missingUnread', 'remove b'],
] as const)(
  'a unit that is not listed, and about which the service does not answer (%i), is blocked',
  async (...[status, change, planned, code, then]) => {
    const hidden = hiding(status);
    const world = await loadedWorld({ units: [unit('a'), unit('b')], people: [] });
    hidden.id = world.organization('b').id;
    await world.run(
      { change, full: true, through: hidden.through },
      { exit: 4, planned, listed: `b ${code}` },
    );
    await world.run({ full: true }, { planned: then, listed: '' });
    await world.rests();
  },
);

describe('a serial number that the source maps', () => {
  const coded = (id: string, code: string, parent: string | null = null) =>
    unit(id, parent, { serial_no: code });
  const CODED = [coded('a', 'A'), coded('b', 'B'), coded('c', 'C', 'a'), coded('d', 'D', 'c')];
  const open = (): Promise<World> =>
    loadedWorld({
      units: CODED,
      people: ['a', 'b', 'c', 'd'].map((id) => person(id, { positions: [at(id)] })),
    });

  test('and that a unit has given up is free for a new one', async () => {
    const world = await open();
    const [a, , ...rest] = CODED;
    await world.run({ change: ofUnits(a!, coded('b', 'B2'), ...rest), later: 1 });
    world.change(having(person('n', { positions: [at('new')] })));
    await world.run(({ units }) => ({ units: [...units, coded('new', 'B')] }), { listed: '' });
    await world.rests();
  });

  test.each([
    ['is another unit’s', 'B', 'rivalSerial'],
    ['others made', 'X', 'serialOfNode'],
  ])('takes no unit onto the node that has it, which %s', async (_, code, why) => {
    const world = await open();
    world.sandbox.edit.addOrganization(world.sandbox.rootId, 'Theirs', { serialNo: 'X' });
    const moved = ofUnits(...CODED.slice(0, 2), coded('c', code), coded('d', 'D', 'c'));
    const ran = await world.run({ change: moved, later: 1 }, { exit: 4 });
    expect(codesOf(ran)).toContain(`c ${why}`);
    await world.run(ofUnits(...CODED.slice(0, 2), coded('c', 'C'), CODED[3]!), { listed: '' });
    const besides = { units: ['/Root/Theirs #X'] };
    await world.rests({}, besides);
  });

  test('and was typed onto the node of another unit takes it not for a new one', async () => {
    const world = await open();
    const { id } = world.organization('B');
    world.sandbox.edit.changeOrganization(id, { serialNo: 'N' });
    const change = ofUnits(...CODED, coded('n', 'N'));
    await world.run({ change, later: 1 }, { exit: 4, listed: 'n serialOfUnit' });
    expect(world.organization('B').id).toBe(id);
    await world.run({}, { planned: 'create n' });
    await world.rests();
  });
});

describe('a node with a known id that shows another number and another name', () => {
  async function theirs(): Promise<World & { readonly node: string }> {
    const world = await loadedWorld({
      units: [unit('a'), unit('c', 'a')],
      people: [],
      sync: { guard: SYNC.guard },
    });
    const { id: node } = world.organization('c');
    world.sandbox.edit.changeOrganization(node, { serialNo: 'X', name: 'Theirs' });
    return { ...world, node };
  }

  test('is left alone, and its unit asks before it is made anew', async () => {
    const world = await theirs();
    const held = await world.run({ full: true }, { exit: 3, sent: '', held: 'adopted 1/0' });
    const values = { serial: 'X', name: 'Theirs' };
    expect(held.changes.map(({ why }) => why)).toMatchObject([{ code: 'othersNode', values }]);
    await world.run({ approve: held, full: true });
    expect(world.organization('c').id).not.toBe(world.node);
    await world.rests({}, { units: ['/Root/Unit a/Theirs #X'] });
  });

  test('is the unit’s again as soon as it shows its number', async () => {
    const world = await theirs();
    await world.run({ full: true }, { exit: 3 });
    world.sandbox.edit.changeOrganization(world.node, { serialNo: 'c' });
    await world.run({ full: true }, { planned: 'update c' });
    await world.rests();
  });
});

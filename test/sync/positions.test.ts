import { describe, expect, test } from 'vitest';
import type { EmployeeModification, Service } from '../../src/domain/ports/service.ts';
import type { MemoryWorld } from '../doubles/memory-source.ts';
import { but, refuse } from '../doubles/service-parts.ts';
import { NO_GUARD, SYNC } from '../plan/build.ts';
import { codesOf } from './said.ts';
import {
  at,
  having,
  loadedWorld,
  ofPeople,
  ofUnits,
  person,
  refusal,
  unit,
  withFields,
  type Edit,
  type World,
  type WorldOptions,
} from './world.ts';

const UNITS = [unit('u1'), unit('u2', 'u1'), unit('u3', 'u1')];
const RENAMED = withFields((id) => ({ name: `New ${id}` }));
const U2_AT_TOP = ofUnits(unit('u1'), unit('u2'), unit('u3', 'u1'));

interface Seat {
  readonly org_id: string;
  readonly job_title?: string;
  readonly primary?: boolean;
  readonly chief?: boolean;
}

/** Loaded, with a node of others beside the company's. */
async function opened(options: WorldOptions = {}): Promise<World & { readonly project: string }> {
  const people = [person('1', { positions: [at('u1'), at('u2')] }), person('2')];
  const world = await loadedWorld({ units: UNITS, people, ...options });
  return { ...world, project: world.sandbox.edit.addOrganization(world.sandbox.rootId, 'Project X').id };
}

/** What somebody does in the service: seats beside those that the person has. */
function seat(world: World, username: string, ...seats: readonly Seat[]): void {
  const has = world.employee(username).positions.map(({ orgId, jobTitle = '', primary, chief }) => ({
    org_id: orgId,
    job_title: jobTitle,
    primary,
    chief,
  }));
  const others = has.filter(({ org_id: id }) => seats.every((one) => one.org_id !== id));
  world.sandbox.edit.changeEmployee(username, {
    positions: [...others, ...seats].map((one) => ({ ...one })),
  });
}

const seatsOf = (world: World, username: string): readonly string[] =>
  world
    .employee(username)
    .positions.map(({ orgId, jobTitle, primary, chief }) => {
      const name = world.sandbox.state.organization(orgId)?.name;
      return [name, jobTitle, primary && 'primary', chief && 'chief'].filter(Boolean).join(' ');
    })
    .toSorted();

describe('a position that others gave a person in a node of theirs', () => {
  test.each([[[]], [['positions=merge']], [['absent=clear']]])(
    'is nobody’s edit, and goes along in every write (%j)',
    async (readings) => {
      const world = await opened({ readings });
      seat(world, 'l1', { org_id: world.project, job_title: 'Adviser', chief: true });
      await world.isSilent();
      await world.run(RENAMED);
      expect(world.employee('l1').name).toBe('New 1');
      expect(seatsOf(world, 'l1')).toEqual(['Project X Adviser chief', 'Unit u1 primary', 'Unit u2']);
      await world.isSilent();
    },
  );

  test('stays through moves of the person and of the unit, whose old places go', async () => {
    const world = await opened();
    seat(world, 'l1', { org_id: world.project });
    world.change(having(person('1', { positions: [at('u2'), at('u3')] })));
    await world.run(U2_AT_TOP);
    expect(seatsOf(world, 'l1')).toEqual(['Project X', 'Unit u2 primary', 'Unit u3']);
    await world.isSilent();
  });

  test('in a node of ours is an edit all the same', async () => {
    const world = await opened();
    seat(world, 'l2', { org_id: world.organization('u3').id });
    await world.run({}, { planned: 'update 2' });
    await world.rests({}, { units: ['/Root/Project X #'] });
  });
});

test.each<readonly [string, Edit, WorldOptions, readonly string[]]>([
  ['stay through a change of name', RENAMED, {}, ['Unit u1 Lead primary', 'Unit u2 Deputy chief']],
  ['move with the unit', U2_AT_TOP, {}, ['Unit u1 Lead primary', 'Unit u2 Deputy chief']],
  [
    'are an edit in the position that maps them, and stay in the one that does not',
    () => ({}),
    { people: [person('1', { positions: [at('u1', { job_title: null }), at('u2')] }), person('2')] },
    ['Unit u1 primary', 'Unit u2 Deputy chief'],
  ],
])('fields of a position that nobody has mapped %s', async (_, change, options, seats) => {
  const world = await opened(options);
  const lead = { org_id: world.organization('u1').id, job_title: 'Lead', primary: true };
  seat(world, 'l1', lead, { org_id: world.organization('u2').id, job_title: 'Deputy', chief: true });
  await world.run(change);
  expect(seatsOf(world, 'l1')).toEqual(seats);
  await world.isSilent();
});

describe('an old position that an import leaves', () => {
  type Modify = Service['modifyEmployee'];
  const modifying = (modify: (real: Modify) => Modify) =>
    but(({ modifyEmployee }) => ({ modifyEmployee: modify(modifyEmployee) }));
  const to = (parts: Parameters<typeof person>[1] = {}) =>
    having(person('1', { positions: [at('u3')], ...parts }));

  /** Person 1 is in `u2`, and then in `u3`. */
  async function moved(readings = ['positions=merge']): Promise<World> {
    const people = [person('1', { positions: [at('u2')] }), person('3', { positions: [at('u2')] })];
    const world = await loadedWorld({ units: UNITS, people, readings });
    world.change(to());
    return world;
  }

  test('is taken away in the same run by a modification', async () => {
    const world = await moved();
    await world.run({}, { sent: 'importEmployees, modifyEmployee' });
    await world.rests();
  });

  test('and cannot be taken away is tried once in a run, and the person is listed as failed', async () => {
    const world = await moved(['positions=stay']);
    const code = 'oldPositions';
    for (let runs = 0; runs < 2; runs += 1)
      await world.run(
        {},
        { exit: 4, sent: 'importEmployees, modifyEmployee', failed: code, listed: `1 ${code}` },
      );
  });

  test('and is refused to be taken away is listed with the service’s words', async () => {
    const world = await moved();
    const through = modifying(() => refuse('not now'));
    const ran = await world.run({ through }, { exit: 4, failed: 'oldPositions', listed: '1 oldPositions' });
    expect(ran.listed.join()).toMatch(/; not now$/u);
    await world.run({}, { listed: '' });
    await world.rests();
  });

  test.each([true, false])(
    'is looked at again by the run after one that was killed at the call (sent: %s)',
    async (isSent) => {
      const world = await moved();
      const through = modifying((real) => async (...call) => {
        if (isSent) await real(...call);
        throw new Error('killed');
      });
      await world.run({ through }, { exit: 1, error: 'killed' });
      await world.run({});
      await world.rests();
    },
  );

  test('is taken away with all that is wanted of the person, secrets of this run included', async () => {
    const world = await moved();
    const fields = { email: 'ann@example.com', mobile: null, properties: { '12': ['x'] } };
    const secrets = { id_card: '4711', password: 'x', source_identifiers: { A: 'b' } };
    const sent: EmployeeModification[] = [];
    const through = modifying((real) => (id, body, signal) => {
      sent.push(body);
      return real(id, body, signal);
    });
    await world.run({ change: to({ fields, secrets }), through });
    expect(sent).toMatchObject([{ fields: { ...fields, mobile: '', name: 'Name 1', id_card: '4711' } }]);
    expect(world.employee('l1').profile).toMatchObject({ email: 'ann@example.com', id_card: '4711' });
    await world.rests();
  });
});

const FLAT = { units: ['u1', 'u2', 'u3'].map((id) => unit(id)) };
const inUnits = (...refs: readonly string[]) =>
  having(person('1', { positions: refs.map((ref) => at(ref)) }));

describe('a reference', () => {
  test('that means no unit stops only itself: places follow the others, and none piles up', async () => {
    const world = await loadedWorld({ ...FLAT, people: [person('1', { positions: [at('u1'), at('u2')] })] });
    for (const ref of ['u3', 'u1', 'u2']) {
      await world.run(inUnits(ref, '-7'), { exit: 4 });
      expect(seatsOf(world, 'l1')).toEqual([`Unit ${ref} primary`]);
      await world.run({}, { exit: 4, sent: '' });
    }
    await world.run(inUnits('u3'));
    await world.rests();
  });

  test.each(['the record', 'rows of their own'])(
    'in %s to a unit that is gone takes nobody’s place without approval',
    async (by) => {
      const { unexplained } = SYNC.guard;
      const places = [at('u1', { primary: true }), at('u2', { primary: false })];
      const isOwn = by === 'the record';
      const ids = ['1', '2', '3'];
      const world = await loadedWorld({
        ...FLAT,
        people: ids.map((id) => person(id, { positions: isOwn ? places : [] })),
        sync: { guard: { ...NO_GUARD, unexplained } },
        ...(!isOwn && {
          positions: ids.flatMap((id) => places.map((position) => ({ person: id, position }))),
        }),
      });
      const before = seatsOf(world, 'l1');
      const held = await world.run(ofUnits(unit('u1'), unit('u3')), { held: 'unexplained 3/1', exit: 3 });
      expect(seatsOf(world, 'l1')).toEqual(before);
      await world.run({ approve: held }, { exit: 4 });
      expect(seatsOf(world, 'l1')).toEqual(['Unit u1 primary']);
    },
  );

  test.each<readonly [string, MemoryWorld['units'], readonly string[]]>([
    ['cannot be used', [unit('u1'), unit('u3'), { ...refusal('unit', 'u2', 'name'), unitRefs: ['u2'] }], []],
    ['is named twice', [unit('u1'), unit('u2'), { ...unit('u3'), refs: ['u2', 'u3'] }], ['Unit u3']],
  ])('to a unit of which the record %s keeps a person in it, who leaves others', async (_, units, also) => {
    const world = await loadedWorld({ ...FLAT, people: [person('1', { positions: [at('u2'), at('u3')] })] });
    world.change(inUnits('u1', 'u2'));
    await world.run(ofUnits(...units), { exit: 4 });
    expect(seatsOf(world, 'l1')).toEqual(['Unit u1', 'Unit u2 primary', ...also]);
  });
});

describe('a row of positions of which the person cannot be told', () => {
  const rowsOf = (id: string) => [
    { person: id, position: at('u1', { primary: true }) },
    { person: id, position: at('u2', { primary: false }) },
    { person: '9', position: at('u2', { primary: true }) },
  ];
  const open = (id = '1', positions = rowsOf(id)): Promise<World> =>
    loadedWorld({ people: [id, '9'].map((one) => person(one, { positions: [] })), positions });

  test('takes nobody’s position in its unit, and what else changed flows', async () => {
    const world = await open();
    const rows = rowsOf('1');
    const positions = [rows[0]!, { ...refusal('position', null, 'person'), unitRefs: ['u2'] }, rows[2]!];
    world.change(having(person('9', { positions: [], fields: { name: 'Renamed' } })));
    const listed = '1 mayBeTheirs, row of null unusable person';
    await world.run(() => ({ positions }), { exit: 4, planned: 'update 9', listed });
    expect(seatsOf(world, 'l1')).toEqual(['Unit u1 primary', 'Unit u2']);
    await world.run({ full: true }, { exit: 4, sent: '', listed });
  });

  test.each([
    ['1.0', '1'],
    ['01', '1'],
    ['１', '1'],
    ['ab', 'AB'],
  ])(
    'but that is near one (%j for %j) takes nobody’s position, and is listed with what is near',
    async (near, id) => {
      const world = await open(id);
      const before = world.state();
      const [first, second, last] = rowsOf(id);
      const ran = await world.runs(
        () => ({ positions: [first!, { ...second!, person: near }, last!] }),
        { exit: 4, sent: '' },
        [false, true],
      );
      expect([ran.listed.join().includes(`"${id}" is there`), world.state()]).toEqual([true, before]);
    },
  );

  test.each([
    ['p 1', 'p1'],
    ['01', '1'],
  ])('is that of the person of just that id, if there is one: %j beside %j', async (joins, id) => {
    const [first, , last] = rowsOf(id);
    const world = await open(id, [first!, last!]);
    world.change(having(person(joins, { username: 'joiner', positions: [] })));
    await world.run(
      () => ({ positions: [first!, last!, { person: joins, position: at('u2', { primary: true }) }] }),
      { listed: '' },
    );
    expect(seatsOf(world, 'joiner')).toEqual(['Unit u2 primary']);
    await world.rests();
  });
});

describe('people of whom no unit is known', () => {
  const homeless = [
    person('1', { positions: [at('nowhere')] }),
    person('2', { positions: [] }),
    person('4', { positions: [at('nowhere', { job_title: 'New' })] }),
    person('5', { positions: [] }),
  ];

  test('live at the root where that is configured, who was there before too, and stay in step', async () => {
    const world = await loadedWorld({ sync: { orphans: 'root' } });
    await world.run(ofPeople(...homeless, person('3')), { listed: '' });
    await world.rests();
    await world.run(having(person('1', { positions: [at('u2')] })), { planned: 'update 1' });
    await world.rests();
  });

  test('wait where it is not', async () => {
    const world = await loadedWorld();
    const ran = await world.run(ofPeople(...homeless, person('3')), { exit: 4, sent: '' });
    expect(codesOf(ran)).toEqual(['1 unknownUnit', '2 noUnit', '4 unknownUnit', '5 noUnit']);
  });
});

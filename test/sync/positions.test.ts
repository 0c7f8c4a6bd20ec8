import { describe, expect, test } from 'vitest';
import { expectSilence } from './reverting.ts';
import { at, openWorld, person, unit, type World, type WorldOptions } from './world.ts';

const UNITS = [unit('u1'), unit('u2', 'u1'), unit('u3', 'u1')];
const PEOPLE = [person('1', { positions: [at('u1'), at('u2')] }), person('2')];

interface Seat {
  readonly org_id: string;
  readonly job_title?: string;
  readonly primary?: boolean;
  readonly chief?: boolean;
}

/** Loaded, and a node of others beside the company's. */
async function loaded(options: WorldOptions = {}): Promise<World & { readonly project: string }> {
  const world = await openWorld({ units: UNITS, people: PEOPLE, ...options });
  const { id: project } = world.sandbox.edit.addOrganization(world.sandbox.rootId, 'Project X');
  await world.sync();
  return { ...world, project };
}

/** What somebody does in the service: seats beside those that the person has. */
function seat(world: World, username: string, seats: readonly Seat[]): void {
  const has = world.employee(username).positions.map(({ orgId, jobTitle = '', primary, chief }) => ({
    org_id: orgId,
    job_title: jobTitle,
    primary,
    chief,
  }));
  const taken = new Set(seats.map(({ org_id }) => org_id));
  const positions = [...has.filter(({ org_id }) => !taken.has(org_id)), ...seats].map((one) => ({ ...one }));
  world.sandbox.edit.changeEmployee(username, { positions });
}

function seatsOf(world: World, username: string): readonly string[] {
  const { state } = world.sandbox;
  const texts = world.employee(username).positions.map(({ orgId, jobTitle, primary, chief }) => {
    const marks = [jobTitle, primary && 'primary', chief && 'chief'].filter(Boolean);
    return [state.organization(orgId)?.name, ...marks].join(' ');
  });
  return texts.toSorted();
}

const renamed = (world: World): void =>
  world.change(({ people }) => ({
    people: people.map((one) =>
      'reason' in one ? one : { ...one, fields: { ...one.fields, name: `New ${one.id}` } },
    ),
  }));

describe('a position that others gave a person in a node of theirs', () => {
  test.each([[[]], [['positions=merge']], [['absent=clear']]])(
    'is nobody’s edit, and goes along in every write (%j)',
    async (readings) => {
      const world = await loaded({ readings });
      seat(world, 'l1', [{ org_id: world.project, job_title: 'Adviser', chief: true }]);
      await expectSilence(world);
      renamed(world);
      expect((await world.sync()).exitCode).toBe(0);
      expect(world.employee('l1').name).toBe('New 1');
      expect(seatsOf(world, 'l1')).toEqual(['Project X Adviser chief', 'Unit u1 primary', 'Unit u2']);
      await expectSilence(world);
    },
  );

  test('stays through moves of the person and of the unit, whose old places go', async () => {
    const world = await loaded();
    seat(world, 'l1', [{ org_id: world.project }]);
    world.change(() => ({
      units: [unit('u1'), unit('u2'), unit('u3', 'u1')],
      people: [person('1', { positions: [at('u2'), at('u3')] }), person('2')],
    }));
    expect((await world.sync()).exitCode).toBe(0);
    expect(seatsOf(world, 'l1')).toEqual(['Project X', 'Unit u2 primary', 'Unit u3']);
    expect(world.state().units).toHaveLength(5);
    await expectSilence(world);
  });

  test('in a node of ours is an edit all the same', async () => {
    const world = await loaded();
    seat(world, 'l2', [{ org_id: world.organization('u3').id }]);
    await world.sync();
    expect(seatsOf(world, 'l2')).toEqual(['Unit u1 primary']);
  });
});

async function titled(options: WorldOptions = {}): Promise<World> {
  const world = await loaded(options);
  seat(world, 'l1', [
    { org_id: world.organization('u1').id, job_title: 'Lead', primary: true },
    { org_id: world.organization('u2').id, job_title: 'Deputy', chief: true },
  ]);
  return world;
}

describe('fields of a position that nobody has mapped', () => {
  const TITLED = ['Unit u1 Lead primary', 'Unit u2 Deputy chief'];

  test('stay through a change of name in the source', async () => {
    const world = await titled();
    renamed(world);
    expect((await world.sync()).exitCode).toBe(0);
    expect([world.employee('l1').name, seatsOf(world, 'l1')]).toEqual(['New 1', TITLED]);
    await expectSilence(world);
  });

  test('move with the unit', async () => {
    const world = await titled();
    world.change(() => ({ units: [unit('u1'), unit('u2'), unit('u3', 'u1')] }));
    expect((await world.sync()).exitCode).toBe(0);
    expect(seatsOf(world, 'l1')).toEqual(TITLED);
    await expectSilence(world);
  });

  test('are an edit in the position that maps them, and stay in the one that does not', async () => {
    const mapped = [person('1', { positions: [at('u1', { job_title: null }), at('u2')] }), person('2')];
    const world = await titled({ people: mapped });
    await world.sync();
    expect(seatsOf(world, 'l1')).toEqual(['Unit u1 primary', 'Unit u2 Deputy chief']);
    await expectSilence(world);
  });
});

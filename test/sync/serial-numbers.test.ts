import { describe, expect, test } from 'vitest';
import { at, loadedWorld, person, unit, type World } from './world.ts';

/** A unit with a code that the source maps to its serial number. */
const coded = (id: string, code: string, parent: string | null = null) =>
  unit(id, parent, { serial_no: code });

const UNITS = [coded('a', 'A'), coded('b', 'B'), coded('c', 'C', 'a'), coded('d', 'D', 'c')];
const PEOPLE = ['a', 'b', 'c', 'd'].map((id, index) => person(String(index), { positions: [at(id)] }));

const peopleIn = ({ sandbox }: World, orgId: string): readonly string[] =>
  sandbox.state
    .employees()
    .filter(({ positions }) => JSON.stringify(positions).includes(orgId))
    .map(({ username }) => username);

const open = async (): Promise<World> => {
  const world = await loadedWorld({ units: UNITS, people: PEOPLE });
  world.minutes(1);
  return world;
};

test('a serial number that a unit has given up is free for a new unit', async () => {
  const world = await open();
  await world.syncAfter(() => ({ units: [coded('a', 'A'), coded('b', 'B2'), ...UNITS.slice(2)] }));
  const ran = await world.syncAfter(({ units }) => ({
    units: [...units, coded('new', 'B')],
    people: [...PEOPLE, person('n', { positions: [at('new')] })],
  }));
  expect([ran.exitCode, ran.listed]).toEqual([0, []]);
  expect([world.organization('B').name, world.organization('B2').name]).toEqual(['Unit new', 'Unit b']);
  expect((await world.sync({ full: true })).changing).toEqual([]);
});

describe('a unit does not move onto the node that has its serial number', () => {
  test.each([
    ['which is another unit’s', 'c', [coded('c', 'B'), coded('d', 'D', 'c')], 'unit b'],
    ['which others made', 'c', [coded('c', 'X'), coded('d', 'D', 'c')], 'node'],
  ])('%s', async (_, waits, moved, whose) => {
    const world = await open();
    const { edit, rootId } = world.sandbox;
    const theirs = edit.addOrganization(rootId, 'Theirs', { serialNo: 'X' });
    const ran = await world.syncAfter(() => ({ units: [...UNITS.slice(0, 2), ...moved] }));
    expect(ran.exitCode).toBe(4);
    expect(ran.listed.find((line) => line.startsWith(`${waits}: `))).toMatch(
      new RegExp(`${whose}.* has the same serial number (?:B|X)`, 'u'),
    );
    expect(world.state().people).toContain('l1 Name 1 B[primary]');
    expect(world.sandbox.state.organization(theirs.id)).toEqual(theirs);
    expect(peopleIn(world, theirs.id)).toEqual([]);
    const next = await world.syncAfter(() => ({
      units: [...UNITS.slice(0, 2), coded('c', 'C'), UNITS[3] ?? unit('d')],
    }));
    expect([next.exitCode, next.listed]).toEqual([0, []]);
    expect((await world.sync({ full: true })).changing).toEqual([]);
  });
});

test('a new unit does not take a unit’s node onto which its serial number was typed', async () => {
  const world = await open();
  const { id } = world.organization('B');
  world.sandbox.edit.changeOrganization(id, { serialNo: 'N' });
  const ran = await world.syncAfter(({ units }) => ({ units: [...units, coded('n', 'N')] }));
  expect([ran.exitCode, ran.listed]).toEqual([4, ['n: unit b has the same serial number N in the service']]);
  expect([world.organization('B').id, world.organization('B').name]).toEqual([id, 'Unit b']);
  const next = await world.sync();
  expect([next.exitCode, next.planned]).toEqual([0, ['create unit n']]);
});

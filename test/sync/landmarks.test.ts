import { describe, expect, test } from 'vitest';
import type { Service } from '../../src/domain/ports/service.ts';
import { at, inactive, loadedWorld, openWorld, person, unit, type Ran, type World } from './world.ts';

const UNITS = [unit('a'), unit('b'), unit('c', 'a')];
const PEOPLE = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => person(id, { positions: [at('a')] }));

const kindOf = ({ lines }: Ran): unknown =>
  lines.map(({ fields }) => fields).findLast(({ event }) => event === 'run.end')?.['kind'];

/** Whether what we changed last is why a run looked at all. */
const doubts = ({ lines }: Ran): boolean =>
  lines.some(({ fields }) => String(fields['reason']).includes('is not told of as changed'));

type Day = (world: World) => void;

/** Of a day that is lost, an edit in the hours before its end included; everything of it was seen. */
async function restored(day: Day, readings: readonly string[] = []): Promise<World> {
  const world = await loadedWorld({ units: UNITS, people: PEOPLE, readings });
  const restore = world.sandbox.edit.backup();
  world.minutes(60);
  day(world);
  await world.sync();
  expect((await world.sync({ later: 60 })).exitCode).toBe(0);
  world.minutes(60);
  restore();
  return world;
}

const leaves: Day = (world) => world.change(inactive('e'));

const changes: Day = (world) =>
  world.change(({ people }) => ({
    people: people.map((one) => (one.id === 'f' ? person('f', { positions: [at('b')] }) : one)),
  }));

const joins: Day = (world) =>
  world.change(({ people }) => ({ people: [...people, person('x', { positions: [at('a')] })] }));

const renames: Day = (world) =>
  world.change(({ units }) => ({ units: [...units.slice(0, 2), unit('c', 'a', { name: 'Other' })] }));

const goes: Day = (world) => world.change(({ units }) => ({ units: units.slice(0, 2) }));

const edits: Day = ({ sandbox }) => void sandbox.edit.changeEmployee('la', { mobile: '123' });
const adds: Day = ({ sandbox }) =>
  void sandbox.edit.addEmployee({
    username: 'guest',
    name: 'Guest',
    positions: [{ org_id: sandbox.rootId }],
  });

/** One node that is asked for alone. */
const spelledOtherwise = (service: Service): Service => ({
  ...service,
  organization: async (id, signal) => {
    const node = await service.organization(id, signal);
    return node && { ...node, name: `/${node.name}` };
  },
});

describe('somebody edits the restored service before the next run', () => {
  test.each([
    ['an account', edits],
    [
      'the account of the latest change',
      ({ sandbox }) => void sandbox.edit.changeEmployee('lf', { mobile: '1' }),
    ],
    ['by a new one', adds],
  ] satisfies [string, Day][])('%s: who has left is locked again at once', async (_, after) => {
    const world = await restored((it) => {
      leaves(it);
      changes(it);
    });
    after(world);
    expect(world.employee('le').locked).toBe(false);
    const ran = await world.sync();
    expect([ran.exitCode, kindOf(ran), world.employee('le').locked]).toEqual([0, 'full', true]);
    expect(world.employee('lf').positions[0]?.orgId).toBe(world.organization('b').id);
    expect(kindOf(await world.sync({ later: 60 }))).toBe('incremental');
  });

  test('as many new accounts as we had made: ours are made again', async () => {
    const world = await restored(joins);
    const { edit, rootId } = world.sandbox;
    edit.removeOrganization(edit.addOrganization(rootId, 'Takes an id').id);
    adds(world);
    const ran = await world.sync();
    expect([ran.exitCode, kindOf(ran), world.employee('lx').locked]).toEqual([0, 'full', false]);
  });

  test('a unit that was renamed is renamed again', async () => {
    const world = await restored(renames);
    edits(world);
    world.sandbox.edit.changeOrganization(world.organization('b').id, { sn: '7' });
    expect(kindOf(await world.sync())).toBe('full');
    expect(world.organization('c').name).toBe('Other');
  });

  test.each(['hidesLocked', 'usersRefreshBlind', 'namesRead=3'])('%s: the same', async (reading) => {
    const world = await restored(leaves, [reading]);
    edits(world);
    await world.sync();
    expect(world.employee('le').locked).toBe(true);
  });
});

describe('nothing was restored', () => {
  test.each([
    '',
    'hidesLocked',
    'usersRefreshBlind',
    'asyncImport=500ms',
    'lockLater=500ms',
    'normalizes',
    'namesRead=3',
  ])('%s: what we changed is as it was left, and no run looks at all for it', async (reading) => {
    const world = await loadedWorld({
      units: UNITS,
      people: PEOPLE,
      readings: reading === '' ? [] : [reading],
    });
    for (const day of [leaves, joins, renames, goes]) {
      world.minutes(60);
      day(world);
      const ran = await world.sync();
      expect(doubts(ran)).toBe(false);
      const next = await world.sync({ later: 60 });
      expect([doubts(next), next.changing]).toEqual([false, []]);
    }
  });

  test('what somebody edits is shown as changed, and is no reason to look at all', async () => {
    const world = await loadedWorld({ units: UNITS, people: PEOPLE });
    world.minutes(60);
    world.sandbox.edit.lockEmployee('la');
    world.sandbox.edit.changeEmployee('lb', { name: 'Other' });
    world.sandbox.edit.changeOrganization(world.organization('c').id, { name: 'Other' });
    expect(kindOf(await world.sync())).toBe('incremental');
  });

  test('a service that tells of no edit: one full run for each, and none for fields of nobody', async () => {
    const world = await openWorld({ units: UNITS, people: PEOPLE, readings: ['usersRefreshBlind'] });
    for (let runs = 0; runs < 2; runs += 1) {
      await world.sync();
      world.minutes(60);
    }
    const kinds: unknown[] = [];
    for (const edit of [{ name: 'Other' }, null, null, { mobile: '1' }]) {
      if (edit !== null) world.sandbox.edit.changeEmployee('la', edit);
      kinds.push(kindOf(await world.sync()));
      world.minutes(60);
    }
    expect(kinds).toEqual(['full', 'incremental', 'incremental', 'incremental']);
    expect(world.employee('la').name).toBe('Name a');
  });

  test('a node that is shown otherwise alone than in the list costs one full run, not each of them', async () => {
    const world = await openWorld({ units: UNITS, people: PEOPLE });
    const kinds: unknown[] = [];
    await world.sync();
    for (let runs = 0; runs < 4; runs += 1)
      kinds.push(kindOf(await world.sync({ later: 60, through: spelledOtherwise })));
    expect(kinds).toEqual(['full', 'incremental', 'incremental', 'incremental']);
  });

  test.each(['', 'hidesLocked'])('%s: a quiet run costs as much with many as with few', async (reading) => {
    const people = Array.from({ length: 120 }, (_, n) => person(`${n}`, { positions: [at('a')] }));
    const world = await loadedWorld({ units: UNITS, people, readings: reading === '' ? [] : [reading] });
    world.change((it) => ({
      people: it.people.map((one, n) => (n % 2 === 0 && 'active' in one ? { ...one, active: false } : one)),
    }));
    for (let runs = 0; runs < 2; runs += 1) await world.sync({ later: 60 });
    const ran = await world.sync({ later: 60 });
    expect([kindOf(ran), ran.changing]).toEqual(['incremental', []]);
    expect(ran.calls.length).toBeLessThanOrEqual(12);
  });
});

import { describe, expect, test } from 'vitest';
import type { Service } from '../../src/domain/ports/service.ts';
import type { Fields } from '../../src/domain/records/fields.ts';
import { showing } from '../doubles/showing.ts';
import { NO_GUARD } from '../plan/build.ts';
import { loadedWorld, person, SMALL, type World } from './world.ts';

const people = (fields: Fields) => ({
  people: SMALL.people.map((one) => person(one.id, { ...one, fields })),
});
const tagged = (tags: Fields['tag_names'], more: Fields = {}) => people({ ...more, tag_names: tags ?? null });
const VIP = { Staff: ['VIP', 'Board'], Site: ['Kiel'] };
const stored = (world: World, username = 'l1'): unknown => world.employee(username).profile['tag_names'];
const ALL = [
  { group: 'Staff', tag: 'VIP' },
  { group: 'Staff', tag: 'Board' },
  { group: 'Site', tag: 'Kiel' },
];

test('tags by name go out with their groups, are read back, and a second run sends nothing', async () => {
  const world = await loadedWorld(tagged(VIP));
  expect(stored(world)).toEqual(ALL);
  const second = await world.sync({ full: true });
  expect([second.exitCode, second.planned, second.changing]).toEqual([0, [], []]);
});

test('tags by id that an account shows do not go along: the service would read them first', async () => {
  const world = await loadedWorld({ ...people({}), sync: { guard: NO_GUARD, unmapped: 'keep' } });
  for (const { username } of SMALL.people) world.sandbox.edit.changeEmployee(username, { tags: [7] });
  expect((await world.syncAfter(() => tagged(VIP, { name: 'New' }))).exitCode).toBe(0);
  expect([stored(world), world.employee('l1').profile['tags']]).toEqual([ALL, undefined]);
});

test('tags that nobody mapped go along by their ids, and never by names without groups', async () => {
  const world = await loadedWorld({ ...people({}), readings: ['absent=clear'], sync: { unmapped: 'keep' } });
  world.sandbox.edit.changeEmployee('l1', { tag_names: ALL });
  const bodies: string[] = [];
  world.sandbox.onCall = ({ operation }, body) => {
    if (operation === 'importEmployees') bodies.push(body);
  };
  expect((await world.syncAfter(() => people({ name: 'New' }))).exitCode).toBe(0);
  expect(bodies.join('')).toMatch(/"tags":\[\d+,\d+,\d+\]/u);
  expect(bodies.join('')).not.toContain('tag_names');
});

test('one group that turns empty for many is held, with what else changes of the tags', async () => {
  const guard = { ...NO_GUARD, emptied: { percent: 0, count: 1 } };
  const world = await loadedWorld({ ...tagged(VIP), sync: { guard } });
  const ran = await world.syncAfter(() => tagged({ Site: ['Bonn'] }));
  expect(ran.plan?.held).toMatchObject([{ guard: 'emptied', count: 3 }]);
  const before = stored(world);
  expect(before).toContainEqual({ group: 'Staff', tag: 'VIP' });
  expect((await world.sync({ approve: [ran.plan?.held[0]?.hash ?? ''] })).exitCode).toBe(0);
  expect(stored(world)).toEqual([{ group: 'Site', tag: 'Bonn' }]);
});

test('where a group cannot be read, all tags stay as they were sent, and go along with the rest', async () => {
  const world = await loadedWorld({ ...tagged(VIP), readings: ['absent=clear'], sync: { guard: NO_GUARD } });
  const losses = [{ field: 'tag_names.Site', reason: 'cannot be read' }];
  const renamed = SMALL.people.map((one) => ({
    ...person(one.id, { ...one, fields: { name: 'New' } }),
    losses,
  }));
  const ran = await world.syncAfter(() => ({ people: renamed }));
  expect([ran.exitCode, world.employee('l1').name, stored(world)]).toEqual([4, 'New', ALL]);
});

/** A service whose lists leave a field out, of everybody or of some. */
const without =
  (name: string, of: (username: string) => boolean = () => true) =>
  (service: Service): Service =>
    showing(service, (employee) => {
      const { [name]: _, ...fields } = employee.fields;
      return of(employee.username) ? { ...employee, fields } : employee;
    });

describe('a field that lists no longer show', () => {
  const guard = { ...NO_GUARD, updates: { percent: 0, count: 0 } };

  test.each(['tag_names', 'email'])('of anybody was emptied by nobody: %s', async (field) => {
    const world = await loadedWorld({ ...tagged(VIP, { email: 'a@example.com' }), sync: { guard } });
    const ran = await world.sync({ later: 15, full: true, through: without(field) });
    expect([ran.exitCode, ran.planned, ran.changing]).toEqual([0, [], []]);
    const told = ran.lines.filter(({ message }) => message.includes('no longer shows a field'));
    expect(told).toMatchObject([{ fields: { field } }]);
    const next = await world.sync({ later: 15, full: true, through: without(field) });
    expect([next.exitCode, next.planned]).toEqual([0, []]);
  });
});

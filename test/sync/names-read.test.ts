import { describe, expect, test } from 'vitest';
import type { Service } from '../../src/domain/ports/service.ts';
import type { Line } from '../runtime/memory-log.ts';
import { openWorld, person, SMALL, type Ran } from './world.ts';

const people = Array.from({ length: 120 }, (_, n) => person(String(1000 + n)));
const readings = ['namesRead=37'];
/** Questions for employees by their usernames. */
const questions = ({ calls }: Ran): number =>
  calls.filter(({ operation }) => operation === 'listEmployees').length;
const saidOf = ({ lines }: Ran): readonly Line[] =>
  lines.filter(({ message }) => message.includes('this short'));

const noUsers = (service: Service): Service => ({
  ...service,
  employees: (...args) => service.employees(...args),
  async *users() {
    yield await Promise.resolve({ skip: 0, totalCount: 0, records: [] });
  },
});

describe('a service that looks only at the first names of a question, and says nothing', () => {
  test('is found out: who is there is adopted, and nobody is taken for new', async () => {
    const world = await openWorld({ readings, people });
    const loaded = await world.sync();
    expect([loaded.exitCode, loaded.listed]).toEqual([0, []]);
    world.loseLedger();
    const ran = await world.plan();
    expect(ran.planned.filter((words) => words.includes('person'))).toEqual(
      people.map(({ id }) => `adopt person ${id}`),
    );
  });

  test('is found out once: the next runs ask that short, and no more often', async () => {
    const world = await openWorld({ readings, people });
    await world.sync();
    expect(saidOf(await world.sync({ full: true }))).toMatchObject([
      { level: 'info', fields: { namesPerQuery: 37 } },
    ]);
    const next = await world.sync({ full: true });
    expect([next.exitCode, next.changing, questions(next)]).toEqual([0, [], 4]);
    expect(saidOf(next)).toEqual([]);
  });

  test('also where one alone is there, who comes last in the first question', async () => {
    const world = await openWorld({ readings: ['namesRead=2'] });
    world.sandbox.edit.addEmployee({
      username: 'l3',
      name: 'Name 3',
      positions: [{ org_id: world.sandbox.rootId }],
    });
    expect((await world.plan()).planned).toContain('adopt person 3');
  });

  test('also where the first who is found comes after many: who was asked for before is asked for again', async () => {
    const many = Array.from({ length: 2001 }, (_, n) => person(String(1000 + n)));
    const world = await openWorld({ readings, people: many });
    for (const username of ['l1099', 'l3000'])
      world.sandbox.edit.addEmployee({
        username,
        name: 'There',
        positions: [{ org_id: world.sandbox.rootId }],
      });
    const { planned } = await world.plan({ through: noUsers });
    expect(planned.filter((words) => words.startsWith('adopt'))).toEqual([
      'adopt person 1099',
      'adopt person 3000',
    ]);
  });

  test('nobody is asked for more often where a service looks at all names', async () => {
    const world = await openWorld({ people });
    expect(questions(await world.sync())).toBe(1);
    expect(questions(await world.sync({ full: true }))).toBe(1);
    world.loseLedger();
    expect(questions(await world.plan())).toBe(1);
  });

  test('the name that is asked along may leave', async () => {
    const world = await openWorld();
    await world.sync();
    for (const { username } of SMALL.people.slice(0, 2)) world.sandbox.edit.removeEmployee(username);
    const ran = await world.sync({ full: true });
    expect(ran.planned).toEqual(['create person 1', 'create person 2']);
    expect(questions(ran)).toBeLessThan(12);
  });
});

import { describe, expect, test } from 'vitest';
import { RefusedError } from '../../src/domain/errors.ts';
import type { Employee, Service } from '../../src/domain/service.ts';
import { openWorld, person, SMALL } from './world.ts';

/** The employees list leaves one out; what its own record shows is up to the test. */
const hiding =
  (username: string, show: (employee: Employee | null) => Employee | null = (employee) => employee) =>
  (service: Service): Service => ({
    ...service,
    employees: async (usernames, signal) =>
      (await service.employees(usernames, signal)).filter((employee) => employee.username !== username),
    employee: async (id, signal) => show(await service.employee(id, signal)),
  });

const unclear = (): never => {
  throw new RefusedError('trouble of its own', 500);
};

const renamed = (employee: Employee): Employee =>
  employee.username === 'l1' ? { ...employee, username: 'new' } : employee;

/** `l1` is called `new` by now. */
const renaming = (service: Service): Service => ({
  ...service,
  employees: async (usernames, signal) => {
    const asked = usernames.map((username) => (username === 'new' ? 'l1' : username));
    const found = await service.employees(
      asked.filter((_, n) => usernames[n] !== 'l1'),
      signal,
    );
    return found.map(renamed);
  },
  employee: async (id, signal) => {
    const employee = await service.employee(id, signal);
    return employee && renamed(employee);
  },
});

const gets = (calls: readonly { readonly operation: string }[]): number =>
  calls.filter(({ operation }) => operation === 'getEmployee').length;

describe('an account that the employees list does not have', () => {
  test('is not gone while its own id is known: nothing is sent, and nothing of it counts as an edit', async () => {
    const world = await openWorld({ people: [person('1', { fields: { mobile: '1234567' } }), person('2')] });
    await world.sync();
    const through = hiding('l1');
    for (const full of [true, false, true]) {
      const ran = await world.sync({ full, through });
      expect(ran.planned).toEqual([]);
      expect(ran.changing).toEqual([]);
      expect(ran.exitCode).toBe(0);
    }
    expect((await world.sync({ full: true })).changing).toEqual([]);
  });

  test('is asked for once, by its id, and nobody else is', async () => {
    const world = await openWorld();
    await world.sync();
    expect(gets((await world.sync({ full: true })).calls)).toBe(0);
    const { calls } = await world.sync({ full: true, through: hiding('l1') });
    const asked = calls.filter(({ operation }) => operation === 'getEmployee').map(({ path }) => path);
    expect(asked).toEqual([expect.stringContaining(world.employee('l1').id)]);
  });

  test.each([['codes'], ['own'], ['null']])(
    'is gone where nothing has its id (notFound=%s): made anew',
    async (notFound) => {
      const world = await openWorld({ readings: [`notFound=${notFound}`] });
      await world.sync();
      world.sandbox.edit.removeEmployee('l1');
      const ran = await world.sync({ full: true });
      expect(ran.planned).toEqual(['create person 1']);
      expect(gets(ran.calls)).toBe(1);
      expect(world.employee('l1').locked).toBe(false);
    },
  );

  test('is not gone where the answer is unclear: nothing is sent', async () => {
    const world = await openWorld();
    await world.sync();
    world.sandbox.edit.removeEmployee('l1');
    const ran = await world.sync({ full: true, through: hiding('l1', unclear) });
    expect(ran.exitCode).toBe(1);
    expect(ran.changing).toEqual([]);
    expect((await world.sync()).planned).toEqual(['create person 1']);
  });

  test('and whose username was changed in the service is neither made twice nor left, and listed', async () => {
    const world = await openWorld();
    await world.sync();
    const through = hiding('l1', (employee) => employee && { ...employee, username: 'other' });
    for (const full of [true, false]) {
      const ran = await world.sync({ full, through });
      expect(ran.changing).toEqual([]);
      expect(ran.listed).toEqual([expect.stringMatching(/^1: .*changed in the service to other/u)]);
      expect(ran.exitCode).toBe(4);
    }
    world.change(({ people }) => ({ people: people.filter(({ id }) => id !== '1') }));
    for (const minutes of [0, 11, 11]) {
      world.minutes(minutes);
      expect((await world.sync({ through })).changing).toEqual([]);
    }
    world.change(() => SMALL);
    const back = await world.sync();
    expect(back.changing).toEqual([]);
    expect(back.exitCode).toBe(0);
  });

  test('and the new username of a renamed account is not adopted for somebody else', async () => {
    const world = await openWorld();
    await world.sync();
    await world.sync({ full: true, through: renaming });
    world.change(({ people }) => ({
      people: [...people, { ...SMALL.people[0], id: '9', username: 'new' }],
    }));
    const ran = await world.sync({ through: renaming });
    expect(ran.changing).toEqual([]);
    expect(ran.listed.join('\n')).toMatch(/9: username new belongs to source id 1/u);
  });
});

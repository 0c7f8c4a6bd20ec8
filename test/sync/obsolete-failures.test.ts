import { expect, test } from 'vitest';
import { RefusedError } from '../../src/domain/errors.ts';
import type { Employee, Service } from '../../src/domain/ports/service.ts';
import type { Unit } from '../../src/domain/records/records.ts';
import { SYNC } from '../plan/build.ts';
import { openWorld, person, SMALL, unit, type Ran } from './world.ts';

const open = (employee: Employee): Employee => ({ ...employee, locked: false });

/** Disables, and shows everybody as active all the same. */
const showsNobodyLocked = (service: Service): Service => ({
  ...service,
  employees: async (...args) => {
    const { found, unclear } = await service.employees(...args);
    return { found: new Map([...found].map(([name, one]) => [name, open(one)])), unclear };
  },
  employee: async (...args) => {
    const employee = await service.employee(...args);
    return employee === null ? null : open(employee);
  },
});

const refusesImports = (service: Service): Service => ({
  ...service,
  employees: (...args) => service.employees(...args),
  importEmployees: () => Promise.reject(new RefusedError('not allowed', 990_001)),
});

const refusesNames = (service: Service): Service => ({
  ...service,
  modifyOrganization: () => Promise.reject(new RefusedError('the name is taken', 990_409)),
});

const u2 = (name: string): Unit => unit('u2', null, { name });

/** Whether something is listed says the same as the exit code. */
const agrees = ({ exitCode, listed }: Ran): boolean => exitCode === (listed.length > 0 ? 4 : 0);

test('accounts that are never shown as disabled: what is listed as failing and the exit code agree, until they are back', async () => {
  const world = await openWorld({ sync: { leavers: { ...SYNC.leavers, misses: 1 } } });
  await world.sync();
  const through = showsNobodyLocked;
  world.change(() => ({ people: [person('1', { active: false }), ...SMALL.people.slice(2)] }));
  for (let runs = 0; runs < 5; runs += 1) {
    world.minutes(15);
    const ran = await world.sync({ through, full: runs === 3 });
    expect([agrees(ran), ran.exitCode]).toEqual([true, 4]);
  }
  world.change(() => ({ people: SMALL.people }));
  for (let runs = 0; runs < 3; runs += 1) {
    world.minutes(15);
    const ran = await world.sync({ through });
    expect([agrees(ran), ran.exitCode]).toEqual([true, 0]);
  }
});

test('a record that was refused and is wanted no longer is failing no longer', async () => {
  const world = await openWorld();
  await world.sync();
  world.change(() => ({ people: [...SMALL.people, person('9'), person('8')] }));
  const refused = await world.sync({ through: refusesImports });
  expect([refused.exitCode, refused.listed.length]).toEqual([4, 2]);
  world.minutes(1);
  world.change(() => ({ people: SMALL.people }));
  const ran = await world.sync();
  expect([ran.exitCode, ran.listed]).toEqual([0, []]);
});

test('a unit whose name was refused and is wanted no longer is failing no longer, also while its old node waits', async () => {
  const world = await openWorld();
  await world.sync();
  const { id: left } = world.organization('u2');
  world.sandbox.edit.addEmployee({
    username: 'guest',
    name: 'Guest',
    positions: [{ org_id: left, primary: true }],
  });
  const becomes = (name: string): void =>
    world.change(({ units }) => ({ units: units.map((one) => (one.id === 'u2' ? u2(name) : one)) }));
  becomes('Unit u2');
  const waits = expect.stringMatching(/^u2: its old node .* waits to be removed/u);
  expect((await world.sync()).listed).toEqual([waits]);
  becomes('Another name');
  world.minutes(15);
  const refused = await world.sync({ through: refusesNames });
  expect([refused.exitCode, refused.listed]).toEqual([
    4,
    [waits, expect.stringMatching(/^u2: .*the name is taken/u)],
  ]);
  becomes('Unit u2');
  world.minutes(15);
  const ran = await world.sync();
  expect([ran.exitCode, ran.listed]).toEqual([0, [waits]]);
});

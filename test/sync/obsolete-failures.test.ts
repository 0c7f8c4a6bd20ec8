import { expect, test } from 'vitest';
import { RefusedError } from '../../src/domain/errors.ts';
import type { Service } from '../../src/domain/ports/service.ts';
import type { Unit } from '../../src/domain/records/records.ts';
import { openWorld, person, SMALL, unit } from './world.ts';

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

import { expect, test } from 'vitest';
import { ServiceError } from '../../src/domain/errors.ts';
import type { Service } from '../../src/domain/ports/service.ts';
import { at, openWorld, person, unit, type World } from './world.ts';

const COMPANY = {
  units: [unit('u1'), unit('u2', 'u1'), unit('u3')],
  people: [person('1'), person('2', { positions: [at('u3')] })],
};
const down = (): Promise<never> => Promise.reject(new ServiceError('no answer to this one'));

async function withoutUnit(): Promise<World> {
  const world = await openWorld(COMPANY);
  await world.sync();
  world.change(({ people }) => ({
    units: COMPANY.units.slice(0, 2).filter(({ id }) => id !== 'u2'),
    people: people.map((one) => ('username' in one ? { ...one, positions: [at('u1')] } : one)),
  }));
  return world;
}

test('a node whose view never comes waits, named, and the other one goes', async () => {
  const world = await withoutUnit();
  const { id } = world.organization('u2');
  const ran = await world.sync({
    through: (service: Service) => ({
      ...service,
      contents: (orgId, signal) => (orgId === id ? down() : service.contents(orgId, signal)),
    }),
  });
  expect([ran.exitCode, ran.error, ran.changing.at(-1)]).toEqual([0, '', 'deleteOrganization']);
  expect(ran.listed).toEqual(['u2: waits to be removed, still there: unknown (no answer to this one)']);
  expect((await world.sync()).listed).toEqual([]);
});

test('a service that is down ends the run', async () => {
  const world = await withoutUnit();
  let isDown = false;
  const ran = await world.sync({
    through: (service: Service) => ({
      ...service,
      contents: () => {
        isDown = true;
        return down();
      },
      root: (signal) => (isDown ? down() : service.root(signal)),
    }),
  });
  expect([ran.exitCode, ran.error]).toEqual([1, 'no answer to this one']);
});

test('children who keep a node are named', async () => {
  const world = await withoutUnit();
  world.sandbox.edit.addOrganization(world.organization('u2').id, 'Guests');
  const ran = await world.sync();
  expect(ran.listed.join()).toMatch(/u2: waits to be removed, still there: units Guests \(\d+\)$/u);
});

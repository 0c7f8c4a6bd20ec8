import { describe, expect, test } from 'vitest';
import { AmbiguousError, RefusedError } from '../../src/domain/errors.ts';
import type { Service } from '../../src/domain/ports/service.ts';
import { openWorld, person, unit, type World } from './world.ts';

const IDS = Array.from({ length: 16 }, (_, index) => String(index + 1));
const CULPRIT = 'l11';

interface Trap {
  readonly through: (service: Service) => Service;
  /** Sizes of the imports that were sent, in order. */
  readonly sizes: number[];
}

/** A service that fails every import that the culprit is in, as long as it is set. */
function trap(fail: () => Error): Trap {
  const sizes: number[] = [];
  const through = (service: Service): Service => ({
    ...service,
    importEmployees: (bodies, signal) => {
      sizes.push(bodies.length);
      const inside = bodies.some(({ username }) => username === CULPRIT);
      return inside ? Promise.reject(fail()) : service.importEmployees(bodies, signal);
    },
  });
  return { through, sizes };
}

const company = (): Promise<World> => openWorld({ units: [unit('u1')], people: IDS.map((id) => person(id)) });
const here = (world: World): readonly string[] => world.state().people;

describe('an import that fails whole', () => {
  test('by a refusal is halved at once: the others go, the culprit is told, in 1 + 2·⌈log2 n⌉ more calls', async () => {
    const world = await company();
    const { through, sizes } = trap(() => new RefusedError('the service says no', 990401));
    const ran = await world.sync({ through });
    expect([ran.exitCode, here(world).length]).toEqual([4, 15]);
    expect(sizes.length).toBeLessThanOrEqual(2 + 2 * Math.ceil(Math.log2(16)));
    expect(ran.listed).toEqual([expect.stringMatching(/^11: .*the service says no/u)]);
    expect((await world.sync()).exitCode).toBe(0);
    expect(here(world)).toHaveLength(16);
  });

  test('without a clear word is halved after three tries, when the service answers otherwise', async () => {
    const world = await company();
    const { through, sizes } = trap(() => new AmbiguousError('no JSON came back'));
    const ran = await world.sync({ through });
    expect([ran.exitCode, here(world).length]).toEqual([4, 15]);
    expect(sizes.slice(0, 3)).toEqual([16, 16, 16]);
    expect(sizes.slice(3, 4)).toEqual([8]);
    expect((await world.sync()).exitCode).toBe(0);
    expect(here(world)).toHaveLength(16);
    expect((await world.sync({ full: true })).changing).toEqual([]);
  });
});

const refusing = (service: Service): Service => ({
  ...service,
  importEmployees: async (bodies, signal) => {
    const outcomes = await service.importEmployees(
      bodies.filter(({ username }) => username !== CULPRIT),
      signal,
    );
    const rest = [...outcomes];
    return bodies.map(({ username }) =>
      username === CULPRIT
        ? { outcome: 'refused', reason: 'too long' }
        : (rest.shift() ?? { outcome: 'unknown' }),
    );
  },
});

describe('a record that the service refuses', () => {
  const asked = { through: refusing };

  test('is tried again with back-off, and at once when the record changes', async () => {
    const world = await company();
    for (const times of [1, 2]) {
      expect((await world.sync(asked)).planned, `try ${times}`).toContain('create person 11');
    }
    const waiting = await world.sync(asked);
    expect([waiting.exitCode, waiting.planned]).toEqual([4, []]);
    expect(waiting.listed.join()).toMatch(
      /11: refused by the service: too long \(2 times; tried again after/u,
    );
    world.minutes(16);
    expect((await world.sync(asked)).planned).toEqual(['create person 11']);
    expect((await world.sync(asked)).planned).toEqual([]);
    world.change(({ people }) => ({
      people: people.map((record) =>
        'id' in record && record.id === '11' ? person('11', { fields: { name: 'X' } }) : record,
      ),
    }));
    expect((await world.sync()).exitCode).toBe(0);
    expect(world.employee(CULPRIT).name).toBe('X');
    expect((await world.sync()).listed).toEqual([]);
  });
});

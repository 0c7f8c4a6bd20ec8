import { describe, expect, test } from 'vitest';
import { RefusedError } from '../../src/domain/errors.ts';
import type { EmployeeBody, OrganizationBody, Service } from '../../src/domain/ports/service.ts';
import { openWorld, person, unit } from './world.ts';

const PEOPLE = Array.from({ length: 1_000 }, (_, index) => person(String(index)));
const WORDS = 'this application may not manage employees';
const refuse = (): never => {
  throw new RefusedError(WORDS, 990_403);
};

/** Refuses whole imports with one of these in it; all of them without. */
function refusing(isBad: (body: EmployeeBody) => boolean = () => true) {
  const asked: number[] = [];
  const through = (service: Service): Service => ({
    ...service,
    importEmployees: async (bodies, signal) => {
      asked.push(bodies.length);
      return bodies.some((body) => isBad(body)) ? refuse() : service.importEmployees(bodies, signal);
    },
  });
  return { asked, through };
}

describe('a service that refuses everything alike', () => {
  test('is asked with one batch and a few single records, and the run ends with its words', async () => {
    const world = await openWorld({ people: PEOPLE });
    for (let runs = 0; runs < 2; runs += 1) {
      const { asked, through } = refusing();
      const ran = await world.sync({ through });
      expect([ran.exitCode, asked.slice(-5)]).toEqual([1, [200, 1, 1, 1, 1]]);
      // The first batch once more, down to each of its records.
      expect(asked).toHaveLength(runs === 0 ? 5 : 404);
      expect(ran.error).toContain(WORDS);
      world.minutes(15);
    }
    const ran = await world.sync();
    expect([ran.exitCode, ran.listed, world.state().people.length]).toEqual([0, [], 1_000]);
  });

  test('and then refuses some alone lets all others in', async () => {
    const world = await openWorld({ people: PEOPLE });
    await world.sync({ through: refusing().through });
    world.minutes(15);
    const { through } = refusing(({ username }) => username === 'l9');
    const ran = await world.sync({ through });
    expect([ran.exitCode, world.state().people.length]).toEqual([4, 999]);
  });

  test('and of units likewise', async () => {
    const units = Array.from({ length: 30 }, (_, index) => unit(`n${index}`));
    const world = await openWorld({ units, people: [] });
    const asked: number[] = [];
    const importOrganizations = (bodies: readonly OrganizationBody[]): never => {
      asked.push(bodies.length);
      return refuse();
    };
    const ran = await world.sync({
      through: (service) => ({ ...service, importOrganizations, createOrganization: refuse }),
    });
    expect([ran.exitCode, asked]).toEqual([1, [30, 1, 1, 1, 1]]);
  });
});

describe('culprits that are refused alike', () => {
  test.each([
    ['one', ['l7']],
    ['the ends of the first batch', ['l0', 'l276']],
    ['many', PEOPLE.slice(0, 60).map(({ username }) => username)],
  ])('%s: stop only themselves', async (_, bad) => {
    const world = await openWorld({ people: PEOPLE });
    const { through } = refusing(({ username }) => bad.includes(username));
    const ran = await world.sync({ through });
    expect([ran.exitCode, ran.listed.length, world.state().people.length]).toEqual([
      4,
      bad.length,
      PEOPLE.length - bad.length,
    ]);
  });

  test('that are all there is to do keep nobody out who comes after them', async () => {
    const world = await openWorld({ people: PEOPLE.slice(0, 40) });
    await world.sync();
    const bad = PEOPLE.slice(0, 12).map((one) => ({ ...one, fields: { name: `BAD ${one.id}` } }));
    const { through } = refusing(({ fields }) => JSON.stringify(fields['name']).includes('BAD'));
    world.change(() => ({ people: [...bad, ...PEOPLE.slice(12, 40)] }));
    world.minutes(15);
    await world.sync({ through });
    world.change(() => ({ people: [...bad, ...PEOPLE.slice(12, 41)] }));
    world.minutes(15);
    const ran = await world.sync({ through });
    expect([ran.exitCode, ran.listed.length, world.state().people.length]).toEqual([4, 12, 41]);
    world.minutes(15);
    world.change(() => ({ people: [...bad, ...PEOPLE.slice(12, 44)] }));
    expect((await world.sync({ through, full: true })).exitCode).toBe(4);
    expect(world.state().people).toHaveLength(44);
  });
});

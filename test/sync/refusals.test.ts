import { FailuresInARow } from '../../src/sync/state/failures-in-a-row.ts';
import { describe, expect, test } from 'vitest';
import type { Change } from '../../src/domain/changes.ts';
import { AmbiguousError, RefusedError } from '../../src/domain/errors.ts';
import type { EmployeeBody, Service } from '../../src/domain/ports/service.ts';
import { personChange, SYNC } from '../plan/build.ts';
import { at, SMALL, loadedWorld, openWorld, person, unit, type World } from './world.ts';

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

const refusingCulprit = (service: Service): Service => ({
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
  const asked = { through: refusingCulprit };

  test('is tried again with back-off, and at once when the record changes', async () => {
    const world = await company();
    for (const times of [1, 2])
      expect((await world.sync(asked)).planned, `try ${times}`).toContain('create person 11');
    const waiting = await world.sync(asked);
    expect([waiting.exitCode, waiting.planned]).toEqual([4, []]);
    expect(waiting.listed.join()).toMatch(
      /11: refused by the service: too long \(2 times; tried again after/u,
    );
    // In its pause it still fails: nothing says that all is well.
    expect(waiting.report.end).toMatchObject({ result: 'partial', failed: 1, blocked: 0 });
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

test('a record that was refused fails until it is done, also while it is blocked or held', async () => {
  const world = await company();
  expect((await world.sync({ through: refusingCulprit })).exitCode).toBe(4);
  const place = (to: string): void => {
    const moved = person('11', { positions: [at(to)] });
    world.change(({ people }) => ({ people: people.map((one) => (one.id === '11' ? moved : one)) }));
  };
  place('nowhere');
  const blocked = await world.sync();
  expect([blocked.exitCode, blocked.report.end]).toMatchObject([4, { failed: 1, blocked: 1 }]);
  place('u1');
  world.configure({ guard: { ...SYNC.guard, joiners: { percent: 0, count: 0 } } });
  const held = await world.sync();
  expect([held.exitCode, held.report.end]).toMatchObject([3, { failed: 1, held: 1 }]);
  const done = await world.sync({ approve: [held.plan?.held[0]?.hash ?? ''] });
  expect([done.exitCode, done.report.end.failed]).toEqual([0, 0]);
});

const call = (...ids: readonly string[]): readonly Change[] => ids.map((id) => personChange(id));

test('the fifth different call ends the run, and its words are told', () => {
  const failures = new FailuresInARow();
  for (const id of ['1', '2', '3', '4']) failures.failed(call(id), 'no');
  expect(() => failures.failed(call('5'), 'POST /x: HTTP 500.')).toThrow(
    /failed 5 different calls in a row.*The last: POST \/x: HTTP 500\./u,
  );
});

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
});

describe('culprits that are refused alike', () => {
  test('stop only themselves', async () => {
    const bad = PEOPLE.slice(0, 60).map(({ username }) => username);
    const world = await openWorld({ people: PEOPLE });
    const { through } = refusing(({ username }) => bad.includes(username));
    const ran = await world.sync({ through });
    expect([ran.exitCode, ran.listed.length]).toEqual([4, bad.length]);
    expect(world.state().people.length).toEqual(PEOPLE.length - bad.length);
  });

  test('that are all there is to do keep nobody out who comes after them', async () => {
    const world = await loadedWorld({ people: PEOPLE.slice(0, 40) });
    const bad = PEOPLE.slice(0, 12).map((one) => ({ ...one, fields: { name: `BAD ${one.id}` } }));
    const { through } = refusing(({ fields }) => JSON.stringify(fields['name']).includes('BAD'));
    await world.syncAfter(() => ({ people: [...bad, ...PEOPLE.slice(12, 40)] }), { later: 15, through });
    world.change(() => ({ people: [...bad, ...PEOPLE.slice(12, 41)] }));
    const ran = await world.sync({ later: 15, through });
    expect([ran.exitCode, ran.listed.length, world.state().people.length]).toEqual([4, 12, 41]);
    world.minutes(15);
    world.change(() => ({ people: [...bad, ...PEOPLE.slice(12, 44)] }));
    expect((await world.sync({ through, full: true })).exitCode).toBe(4);
    expect(world.state().people).toHaveLength(44);
  });
});

const refusesImports = (service: Service): Service => ({
  ...service,
  importEmployees: () => Promise.reject(new RefusedError('not allowed', 990_001)),
});

test('a record that was refused and is wanted no longer is failing no longer', async () => {
  const world = await loadedWorld();
  world.change(() => ({ people: [...SMALL.people, person('9'), person('8')] }));
  const refused = await world.sync({ through: refusesImports });
  expect([refused.exitCode, refused.listed.length]).toEqual([4, 2]);
  const ran = await world.syncAfter(() => ({ people: SMALL.people }), { later: 1 });
  expect([ran.exitCode, ran.listed]).toEqual([0, []]);
});

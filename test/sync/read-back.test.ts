import { describe, expect, test } from 'vitest';
import type { SandboxCall } from '../../src/sandbox/http/call-log.ts';
import type { Service } from '../../src/domain/ports/service.ts';
import { at, guest, openWorld, person, unit, type Ran, type World, type WorldOptions } from './world.ts';

const MANY = 450;
const SECONDS = 1 / 60;
const COMPANY = {
  units: [unit('u1')],
  people: Array.from({ length: MANY }, (_, n) => person(String(1_000 + n), { positions: [at('u1')] })),
};

/** Each import takes some seconds, so that the reading back begins later than the last write. */
const slowly =
  (world: World) =>
  (service: Service): Service => ({
    ...service,
    importEmployees: async (bodies, signal) => {
      const outcomes = await service.importEmployees(bodies, signal);
      world.minutes(5 * SECONDS);
      return outcomes;
    },
  });

async function loaded(options: WorldOptions = {}): Promise<World> {
  const world = await openWorld({ ...COMPANY, ...options });
  expect((await world.sync({ through: slowly(world) })).exitCode).toBe(0);
  world.minutes(1);
  return world;
}

const questionsIn = (calls: readonly SandboxCall[]): readonly (readonly string[])[] =>
  calls
    .filter(({ operation }) => operation === 'listEmployees')
    .map(({ path }) => (new URL(path, 'http://x').searchParams.get('query') ?? '').split(','));
const questions = ({ calls }: Ran): number => questionsIn(calls).length;

describe('right after many were written and read back', () => {
  test.each([[[]], [['totals=all']], [['usersRefreshBlind']]])(
    'nobody is asked for but a few landmarks (%j)',
    async (readings) => {
      const world = await loaded({ readings });
      for (let run = 0; run < 2; run += 1) {
        const next = await world.sync();
        expect([next.exitCode, next.planned, questions(next)]).toEqual([0, [], 1]);
        expect(next.calls.length).toBeLessThan(12);
        world.minutes(1);
      }
    },
  );

  test('an edit since then is found by the next run, and by the one after the repair', async () => {
    const world = await loaded();
    for (const name of ['Once', 'Again']) {
      world.sandbox.edit.changeEmployee('l1007', { name });
      world.minutes(1);
      expect((await world.sync({ through: slowly(world) })).planned).toEqual(['update person 1007']);
      world.minutes(1);
    }
    expect(world.employee('l1007').name).toBe('Name 1007');
  });

  test('an edit between the last write and the end of the reading back is found', async () => {
    const world = await openWorld(COMPANY);
    let asked = 0;
    const edited = (service: Service): Service => ({
      ...slowly(world)(service),
      employees: async (usernames, signal) => {
        const answer = await service.employees(usernames, signal);
        if (answer.found.size > 0 && asked === 0)
          world.sandbox.edit.changeEmployee('l1007', { name: 'Edited' });
        asked += answer.found.size;
        return answer;
      },
    });
    expect((await world.sync({ through: edited })).exitCode).toBe(0);
    expect((await world.sync({ later: 1 })).planned).toEqual(['update person 1007']);
  });

  test('whom a late part of the service tells of with an earlier time is found all the same', async () => {
    const world = await loaded();
    world.serviceAhead(-5);
    guest(world, 'stranger', { at: world.organization('u1').id });
    world.serviceAhead(0);
    const next = await world.sync();
    expect([next.report.end.unmanaged, questions(next)]).toEqual([1, 1]);
  });

  test('who is not shown as written is asked for', async () => {
    const people = COMPANY.people.map((one) =>
      one.id === '1007' ? person('1007', { fields: { mobile: '138 000' } }) : one,
    );
    const world = await loaded({ people, readings: ['normalizes'] });
    const next = await world.sync();
    const asked = questionsIn(next.calls).flat();
    expect([next.planned, asked.includes('l1007'), asked.length < 100]).toEqual([[], true, true]);
  });
});

test('an organization that counts nobody is loaded without asking for anybody who is no user', async () => {
  const world = await openWorld(COMPANY);
  world.sandbox.edit.addUser('L1003', 'Somebody of another organization');
  const first = await world.sync();
  expect(first.exitCode).toBe(0);
  const before = first.calls.findIndex(({ operation }) => operation === 'importEmployees');
  const asked = questionsIn(first.calls.slice(0, before)).flat();
  expect([...new Set(asked)].toSorted()).toEqual(['L1003', 'l1003']);
});

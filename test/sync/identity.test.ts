import { describe, expect, test } from 'vitest';
import { at, loadedWorld, person, unit, type World } from './world.ts';
import type { MemoryWorld } from '../doubles/memory-source.ts';

interface Case {
  readonly why: string;
  /** What the source has next. */
  readonly next: (world: MemoryWorld) => Partial<MemoryWorld>;
  readonly planned: readonly string[];
  readonly changing: readonly string[];
  readonly state: (state: ReturnType<World['state']>) => void;
}

const CASES: readonly Case[] = [
  {
    why: 'a joiner joins, also in a unit that is as new',
    next: (world) => ({
      units: [...world.units, unit('u3', 'u2')],
      people: [...world.people, person('4', { positions: [at('u3')] })],
    }),
    planned: ['create person 4', 'create unit u3'],
    changing: ['importOrganizations', 'importEmployees'],
    state: ({ people }) => expect(people).toContain('l4 Name 4 u3[primary]'),
  },
  {
    why: 'a renamed unit keeps its node, and nobody in it is touched',
    next: () => ({ units: [unit('u1', null, { name: 'New/Name' }), unit('u2', 'u1')] }),
    planned: ['update unit u1'],
    changing: ['modifyOrganization'],
    state: ({ units }) => expect(units).toContain('/Root/New/Name #u1'),
  },
];

describe('identity is the source id', () => {
  test.each(CASES)('$why', async ({ next, planned, changing, state }) => {
    const world = await loadedWorld();
    const ids = new Map(world.sandbox.state.employees().map((one) => [one.username, one.id]));
    world.change(next);
    const foreseen = await world.plan();
    expect(foreseen.changing).toEqual([]);
    const ran = await world.sync();
    expect(ran.listed).toEqual([]);
    expect([ran.exitCode, ran.planned]).toEqual([0, planned]);
    expect(foreseen.plan).toEqual(ran.plan);
    expect(ran.changing).toEqual(changing);
    state(world.state());
    for (const [username, id] of ids) expect(world.employee(username).id).toBe(id);
    expect((await world.sync()).changing).toEqual([]);
    expect((await world.sync({ full: true })).changing).toEqual([]);
  });

  test('identifiers beyond 2^53 keep their digits everywhere', async () => {
    const big = '9223372036854775807';
    const world = await loadedWorld({
      units: [unit(big)],
      people: [person('9007199254740993', { username: '9007199254740995', positions: [at(big)] })],
    });
    const node = world.organization(big);
    expect(Number.isSafeInteger(Number(node.id))).toBe(false);
    expect(world.employee('9007199254740995').positions[0]?.orgId).toBe(node.id);
    const left = await world.syncAfter(() => ({
      people: [
        person('9007199254740993', {
          username: '9007199254740995',
          positions: [at(big)],
          fields: { sort_order: '9007199254740993' },
          active: false,
        }),
      ],
    }));
    const id = world.employee('9007199254740995').id;
    expect(left.calls.find(({ operation }) => operation === 'disableEmployee')?.path).toContain(
      `/${id}/disable`,
    );
    expect(world.employee('9007199254740995').locked).toBe(true);
  });
});

import { describe, expect, test } from 'vitest';
import type { SyncSettings } from '../../src/domain/settings.ts';
import type { MemoryWorld } from '../doubles/memory-source.ts';
import { SYNC } from '../plan/build.ts';
import { loadedWorld, person, unit, type World } from './world.ts';

const IDS = Array.from({ length: 12 }, (_, index) => String(index + 1));
const COMPANY = {
  units: [unit('u1'), ...IDS.map((id) => unit(`d${id}`, 'u1'))],
  people: IDS.map((id) => person(id, { fields: { email: `${id}@example.com` } })),
} as const satisfies MemoryWorld;

/** Trips above 3 of anything. */
const TIGHT: SyncSettings['guard'] = {
  ...SYNC.guard,
  leavers: { percent: 5, count: 3 },
  joiners: { percent: 5, count: 3 },
  updates: { percent: 5, count: 3 },
  emptied: { percent: 5, count: 3 },
  unitsRemoved: { percent: 5, count: 3 },
  gone: { percent: 5, count: 3 },
};

interface Case {
  readonly guard: string;
  readonly why: string;
  readonly next?: (count: number) => Partial<MemoryWorld>;
  readonly edit?: (world: World, count: number) => void;
}

const first = (count: number, change: (id: string) => ReturnType<typeof person>) => ({
  people: IDS.map((id, index) =>
    index < count ? change(id) : person(id, { fields: { email: `${id}@example.com` } }),
  ),
});

const CASES: readonly Case[] = [
  {
    guard: 'leavers',
    why: 'many inactive',
    next: (count) => first(count, (id) => person(id, { active: false })),
  },
  {
    guard: 'joiners',
    why: 'many new',
    next: (count) => ({
      people: [...COMPANY.people, ...IDS.slice(0, count).map((id) => person(`n${id}`))],
    }),
  },
  {
    guard: 'updates',
    why: 'many renamed',
    next: (count) => first(count, (id) => person(id, { fields: { name: 'X', email: `${id}@example.com` } })),
  },
  {
    guard: 'unitsRemoved',
    why: 'many units missing',
    next: (count) => ({ units: COMPANY.units.slice(0, COMPANY.units.length - count) }),
  },
  {
    guard: 'gone',
    why: 'many accounts vanished from the service',
    edit: (world, count) => {
      for (const id of IDS.slice(0, count)) world.sandbox.edit.removeEmployee(`l${id}`);
    },
  },
];

const SLACK = { percent: 100, count: 1_000 };

describe('a guard', () => {
  test.each(CASES)(
    '$guard holds everything at one more than its limit ($why)',
    async ({ guard, next, edit }) => {
      const loose = Object.fromEntries(Object.keys(TIGHT).map((name) => [name, SLACK]));
      const guards = { ...loose, [guard]: TIGHT[guard as keyof typeof TIGHT] } as SyncSettings['guard'];
      const world = await loadedWorld({ ...COMPANY, sync: { guard: guards } });
      world.change(() => next?.(4) ?? {});
      edit?.(world, 4);
      const before = world.state();
      const held = await world.sync({ full: true });
      expect([held.exitCode, held.changing]).toEqual([3, []]);
      expect(held.plan?.held.map(({ guard: name, count, limit }) => [name, count, limit])).toEqual([
        [guard, 4, 3],
      ]);
      expect(held.lines.some(({ fields }) => fields['event'] === 'guard.held')).toBe(true);
      expect(world.state()).toEqual(before);
      const hash = held.plan?.held[0]?.hash ?? '';
      expect((await world.sync({ approve: ['000000000000'] })).exitCode).toBe(2);
      const again = await world.plan();
      expect(again.plan?.held[0]?.hash).toBe(hash);
      const released = await world.sync({ approve: [hash] });
      expect(released.exitCode).toBe(0);
      expect(released.changing.length).toBeGreaterThan(0);
      expect((await world.sync({ full: true })).changing).toEqual([]);
    },
  );
});

describe('a field that turned empty', () => {
  const full = person('1', { fields: { email: 'a@example.com', sort_order: '7', tags: ['1', '2'] } });
  const empty = person('1', { fields: { email: null, sort_order: null, tags: [] } });

  test.each([
    ['empty', [], { email: '', tags: [], sort_order: null }],
    ['omit', [], {}],
    ['omit', ['absent=clear'], {}],
  ] as const)(
    'goes out as clear: %s says, with %j, and is not fought over',
    async (clear, readings, sent) => {
      const world = await loadedWorld({ units: [unit('u1')], people: [full], readings, sync: { clear } });
      expect(world.employee('l1').profile['email']).toBe('a@example.com');
      world.change(() => ({ people: [empty] }));
      const bodies: string[] = [];
      world.sandbox.onCall = (call, body) => {
        if (call.operation === 'importEmployees') bodies.push(body);
      };
      const ran = await world.sync();
      expect(ran.exitCode).toBe(0);
      const isKept = clear === 'omit' && readings.length === 0;
      expect((world.employee('l1').profile['sort_order'] ?? null) !== null).toBe(isKept);
      const [body] = JSON.parse(bodies[0] ?? '[]') as Record<string, unknown>[];
      expect(body).toMatchObject(sent);
      expect(Object.hasOwn(body ?? {}, 'email')).toBe(clear !== 'omit');
      for (const whole of [false, true, false])
        expect((await world.sync({ full: whole })).changing).toEqual([]);
    },
  );
});

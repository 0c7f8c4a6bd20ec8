import { describe, expect, test } from 'vitest';
import type { Ledger } from '../../src/domain/ports/ledger/ledger.ts';
import type { Person, Unit } from '../../src/domain/records/records.ts';
import { Chance } from '../chaos/chance.ts';
import { Crash, crashing } from '../doubles/crashing-ledger.ts';
import type { MemoryWorld } from '../doubles/memory-source.ts';
import { at, openWorld, person, unit, type World } from '../sync/world.ts';
import { company } from './company.ts';
import { expectedState } from './expected-state.ts';

/** Every position has the same fields, as a mapping yields them. */
const ONLY = { job_title: null, primary: true, chief: null } as const;

interface Records {
  readonly units: readonly Unit[];
  readonly people: readonly Person[];
}

const recordsOf = ({ units, people }: MemoryWorld): Records => ({
  units: units.filter((one): one is Unit => 'refs' in one),
  people: people.filter((one): one is Person => 'username' in one),
});

/** One thing that happens in HR. */
type Event = (now: Records, chance: Chance, turn: number) => Partial<Records>;

const onePerson = (now: Records, chance: Chance, change: (one: Person) => Person): Partial<Records> => {
  const chosen = chance.of(now.people).id;
  return { people: now.people.map((one) => (one.id === chosen ? change(one) : one)) };
};

const EVENTS: Readonly<Record<string, Event>> = {
  renamed: (now, chance, turn) =>
    onePerson(now, chance, (one) => ({ ...one, fields: { ...one.fields, name: `Renamed ${turn}` } })),
  moved: (now, chance) =>
    onePerson(now, chance, (one) => ({
      ...one,
      positions: [at(chance.of(now.units).id, ONLY)],
    })),
  second: (now, chance) =>
    onePerson(now, chance, (one) => {
      const [first, second] = [now.units[0]!.id, now.units[1]!.id];
      return {
        ...one,
        positions: [at(first, { ...ONLY, job_title: 'T' }), at(second, { ...ONLY, primary: false })],
      };
    }),
  left: (now, chance) => onePerson(now, chance, (one) => ({ ...one, active: false })),
  returned: (now) => ({ people: now.people.map((one) => ({ ...one, active: true })) }),
  missing: (now, chance) => {
    const chosen = chance.of(now.people).id;
    return now.people.length < 5 ? {} : { people: now.people.filter(({ id }) => id !== chosen) };
  },
  joined: (now, chance, turn) => ({
    people: [...now.people, person(`j${turn}`, { positions: [at(chance.of(now.units).id, ONLY)] })],
  }),
  founded: (now, chance, turn) => ({ units: [...now.units, unit(`n${turn}`, chance.of(now.units).id)] }),
  unitRenamed: (now, chance, turn) => {
    const chosen = chance.of(now.units).id;
    const rename = (one: Unit): Unit => ({ ...one, fields: { ...one.fields, name: `Unit / ${turn}` } });
    return { units: now.units.map((one) => (one.id === chosen ? rename(one) : one)) };
  },
  closed: (now) => {
    const parents = new Set(now.units.map(({ parent }) => parent));
    const gone = now.units.slice(2).findLast(({ id }) => !parents.has(id))?.id;
    if (gone === undefined) return {};
    const people = now.people.map((one) =>
      one.positions.some((position) => position.unit === gone)
        ? { ...one, positions: [at(now.units[0]!.id, ONLY)] }
        : one,
    );
    return { units: now.units.filter(({ id }) => id !== gone), people };
  },
};

/** Some turns with trouble, then three quiet runs far enough apart for everybody who is missing. */
async function live(world: World, chance: Chance, turns: number): Promise<readonly string[]> {
  const history: string[] = [];
  for (let turn = 1; turn <= turns; turn += 1) {
    for (let events = chance.below(4); events > 0; events -= 1) {
      const name = chance.of(Object.keys(EVENTS));
      history.push(name);
      world.change((now) => EVENTS[name]!(recordsOf(now), chance, turn * 10 + events));
    }
    const trouble = chance.below(4);
    if (trouble === 0) world.sandbox.setFaults(`seed=${chance.below(1e6)},rate=0.3,slowMs=1`);
    const wrap = (ledger: Ledger): Ledger =>
      trouble === 1 ? crashing(ledger, 1 + chance.below(6), 'before') : ledger;
    world.minutes(3 + chance.below(12));
    const ran = world.sync({ wrap, full: chance.below(5) === 0 });
    history.push(
      await ran.then(
        ({ exitCode, error }) => `run ${exitCode} ${error.slice(0, 60)}`,
        (error: unknown) => {
          if (error instanceof Crash) return 'crash';
          throw error;
        },
      ),
    );
    world.sandbox.setFaults(undefined);
  }
  return history;
}

const usernameOf = (line: string): string => line.split(' ')[0] ?? '';

describe('any history, with spoilt answers and crashes in it', () => {
  test.each(Array.from({ length: 24 }, (_, index) => index + 1))(
    '%i ends as the source has it',
    async (seed) => {
      const chance = new Chance(seed);
      const start = company({ units: 6, people: 12 });
      const world = await openWorld({
        ...start,
        limits: { unitsPerImport: 2, peoplePerImport: 3, concurrency: 2 },
      });
      const history = await live(world, chance, 8);
      for (let runs = 0; runs < 4; runs += 1) {
        world.minutes(60);
        await world.sync({ full: runs === 3 });
      }
      world.minutes(60);
      const last = await world.sync({ full: true });
      expect([seed, last.exitCode, last.changing, history]).toEqual([seed, 0, [], history]);
      const { units, people } = world.state();
      const wanted = expectedState(world.source.world);
      const active = new Set(wanted.people.map(usernameOf));
      expect(people.filter((line) => active.has(usernameOf(line)))).toEqual(wanted.people);
      const others = people.filter((line) => !active.has(usernameOf(line)));
      expect(others.filter((line) => !line.includes(' locked'))).toEqual([]);
      // A unit that is gone from the source stays where somebody who left still sits in it.
      const waiting = last.listed.filter((line) => line.includes('waits to be removed')).length;
      expect(units.filter((line) => !wanted.units.includes(line))).toHaveLength(waiting);
      expect(wanted.units.filter((line) => !units.includes(line))).toEqual([]);
    },
  );
});

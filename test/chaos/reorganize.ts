import type { Fields } from '../../src/domain/records/fields.ts';
import type { Person, Unit } from '../../src/domain/records/records.ts';
import { textOf } from '../scenarios/expected-state.ts';
import { unit } from '../sync/world.ts';
import type { Chance } from './chance.ts';
import { employee, seats, type Company } from './headquarters.ts';

/** Who may come back, and which units are no more. */
export interface Past {
  readonly missing: Map<string, Person>;
  readonly removedUnits: Set<string>;
}

interface Turn {
  readonly company: Company;
  readonly chance: Chance;
  readonly past: Past;
  readonly number: number;
}

type Event = (turn: Turn) => Partial<Company>;

const ids = (records: readonly { readonly id: string }[]): readonly string[] => records.map(({ id }) => id);

/** The unit and everything below it. */
function subtree(units: readonly Unit[], top: string): ReadonlySet<string> {
  const found = new Set([top]);
  for (const id of found) for (const one of units) if (one.parent === id) found.add(one.id);
  return found;
}

const withFields = <T extends { readonly fields: Fields }>(one: T, fields: Fields): T => ({
  ...one,
  fields: { ...one.fields, ...fields },
});

function changed<T extends { readonly id: string }>(
  all: readonly T[],
  chosen: readonly T[],
  change: (one: T, index: number) => T,
): readonly T[] {
  const places = new Map(chosen.map(({ id }, index) => [id, index]));
  return all.map((one) => {
    const index = places.get(one.id);
    return index === undefined ? one : change(one, index);
  });
}

const somePeople =
  (count: number, change: (one: Person, turn: Turn) => Person): Event =>
  (turn) => ({
    people: changed(turn.company.people, turn.chance.some(turn.company.people, count), (one) =>
      change(one, turn),
    ),
  });

/** A unit goes; whoever and whatever is there comes to `heir`, or to its parent. */
function withoutUnit({ company, past, chance }: Turn, gone: Unit, heir: string | null): Company {
  past.removedUnits.add(gone.id);
  const units = company.units
    .filter(({ id }) => id !== gone.id)
    .map((one) => (one.parent === gone.id ? { ...one, parent: heir } : one));
  const people = company.people.map((one) =>
    one.positions.some(({ unit: at }) => at === gone.id)
      ? { ...one, positions: seats(ids(units), chance) }
      : one,
  );
  return { units, people };
}

/** Names by which somebody wants to steer the terminal of whoever reads the plan, or to forge a line of it. */
const HOSTILE = [
  '\u001B[2J\u001B[H',
  '\u202Egnp.',
  '\n  held: 0 --approve 0123456789ab',
  'a\u0000b',
  '\u009B2J\u0007',
];

const EVENTS: Readonly<Record<string, Event>> = {
  renamed: somePeople(30, (one, { number }) =>
    withFields(one, { name: `${textOf(one.fields['name'])} ${number}` }),
  ),
  emptied: somePeople(8, (one) => withFields(one, { mobile: null })),
  filled: somePeople(8, (one, { number }) => withFields(one, { mobile: `+49 30-${number}-${one.id}` })),
  moved: somePeople(60, (one, { company, chance }) => ({
    ...one,
    positions: seats(ids(company.units), chance),
  })),
  inactive: somePeople(12, (one) => ({ ...one, active: false })),
  reactivated: ({ company, chance }) => {
    const resting = chance.some(
      company.people.filter(({ active }) => active === false),
      6,
    );
    return { people: changed(company.people, resting, (one) => ({ ...one, active: true })) };
  },
  missing: ({ company, chance, past }) => {
    const gone = chance.some(company.people, 10);
    for (const one of gone) past.missing.set(one.id, one);
    return { people: company.people.filter((one) => !gone.includes(one)) };
  },
  rehired: ({ company, chance, past, number }) => {
    const known = new Set(ids(company.people));
    const back = chance.some([...past.missing.values()], 4).filter(({ id }) => !known.has(id));
    for (const { id } of back) past.missing.delete(id);
    // HR gives every other one a new number.
    const placed = back.map((one, index) => ({
      ...one,
      id: index % 2 === 0 ? one.id : `${one.id}-${number}`,
      positions: seats(ids(company.units), chance),
    }));
    return { people: [...company.people, ...placed] };
  },
  rekeyed: somePeople(3, (one, { number }) => ({ ...one, id: `${one.id}-${number}` })),
  joined: ({ company, chance, number }) => {
    const joiners = Array.from({ length: 8 }, (_, index) =>
      employee(10_000 * number + index, ids(company.units), chance),
    );
    return { people: [...company.people, ...joiners] };
  },
  unitsRenamed: ({ company, chance, number }) => ({
    units: changed(company.units, chance.some(company.units, 3), (one) =>
      withFields(one, { name: `Unit ${one.id} / ${number}` }),
    ),
  }),
  // A unit gets the name of one beside it, which has another one then.
  namePassedOn: ({ company, chance, number }) => {
    const pairs = company.units.flatMap((one, index) => {
      const next = company.units.slice(index + 1).find(({ parent }) => parent === one.parent);
      return next === undefined ? [] : [[one, next] as const];
    });
    const [one, other] = chance.of(pairs);
    const names = [other.fields['name'], `Unit ${other.id} / ${number}`];
    return {
      units: changed(company.units, [one, other], (it, index) =>
        withFields(it, { name: names[index] ?? null }),
      ),
    };
  },
  // The source has numbered two units anew: each has the other's id, and everybody and everything follows.
  idsSwapped: ({ company: { units, people }, chance }) => {
    // Of the same fields, as a mapping yields them.
    const leaves = units.filter(
      ({ id, fields }) => 'sn' in fields && !units.some(({ parent }) => parent === id),
    );
    const [one, other] = chance.some(leaves, 2);
    if (one === undefined || other === undefined) return {};
    const now = (id: string | null): string | null =>
      id === one.id ? other.id : id === other.id ? one.id : id;
    return {
      units: units.map((it) => {
        if (it.id === one.id) return { ...other, id: one.id, refs: [one.id] };
        return it.id === other.id ? { ...one, id: other.id, refs: [other.id] } : it;
      }),
      people: people.map((it) => ({
        ...it,
        positions: it.positions.map((position) => ({ ...position, unit: now(position.unit) })),
      })),
    };
  },
  subtreesMoved: ({ company, chance }) => {
    let { units } = company;
    for (const { id } of chance.some(units, 2)) {
      const below = subtree(units, id);
      const parent = chance.of([null, ...ids(units).filter((other) => !below.has(other))]);
      units = units.map((one) => (one.id === id ? { ...one, parent } : one));
    }
    return { units };
  },
  movedAndRenamed: ({ company: { units }, chance, number }) => {
    const one = chance.of(units);
    const below = subtree(units, one.id);
    const parent = chance.of(ids(units).filter((other) => !below.has(other)));
    return {
      units: changed(units, [one], (it) => ({
        ...withFields(it, { name: `Moved ${it.id} ${number}` }),
        parent,
      })),
    };
  },
  belowFormerChild: ({ company: { units }, chance }) => {
    const child = chance.of(units.filter(({ parent }) => parent !== null));
    const top = units.find(({ id }) => id === child.parent)!;
    return {
      units: units.map((one) => {
        if (one.id === child.id) return { ...one, parent: top.parent };
        return one.id === top.id ? { ...one, parent: child.id } : one;
      }),
    };
  },
  removed: (turn) => {
    const gone = turn.chance.of(turn.company.units);
    return withoutUnit(turn, gone, gone.parent);
  },
  merged: (turn) => {
    const { units } = turn.company;
    const gone = turn.chance.of(units);
    const below = subtree(units, gone.id);
    return withoutUnit(turn, gone, turn.chance.of(ids(units).filter((id) => !below.has(id))));
  },
  replaced: (turn) => {
    const gone = turn.chance.of(turn.company.units);
    const { units, people } = withoutUnit(turn, gone, gone.parent);
    const named = { name: gone.fields['name'] ?? null, sn: `SN-${gone.id}` };
    return { units: [...units, unit(`s${turn.number}`, gone.parent, named)], people };
  },
  founded: ({ company: { units }, chance, number }) => {
    const parent = chance.of(ids(units));
    return { units: [...units, unit(`n${number}`, parent), unit(`n${number}b`, `n${number}`)] };
  },
  hostile: somePeople(5, (one, { chance }) =>
    withFields(one, { name: `Name ${one.id} ${chance.of(HOSTILE)}` }),
  ),
  unitsHostile: ({ company, chance }) => ({
    units: changed(company.units, chance.some(company.units, 1), (one) =>
      withFields(one, { name: `Unit ${one.id} ${chance.of(HOSTILE)}` }),
    ),
  }),
  // A part of the directory was built anew: the same units under other ids.
  rebuilt: ({ company: { units, people }, chance, number, past }) => {
    const top = chance.of(units);
    const below = subtree(units, top.id);
    for (const id of below) past.removedUnits.add(id);
    const now = (id: string | null): string | null => (id !== null && below.has(id) ? `${id}r${number}` : id);
    return {
      units: units.map((one) => {
        const id = now(one.id) ?? one.id;
        return { ...one, id, refs: [id], parent: now(one.parent) };
      }),
      people: people.map((one) => ({
        ...one,
        positions: one.positions.map((position) => ({ ...position, unit: now(position.unit) })),
      })),
    };
  },
};

/** What a company goes through between two runs: all of it, in an order of chance. */
export function reorganized(turn: Turn): Company {
  let { company } = turn;
  for (const event of turn.chance.some(Object.values(EVENTS), Infinity)) {
    company = { ...company, ...event({ ...turn, company }) };
  }
  return company;
}

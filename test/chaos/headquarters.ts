import type { Person, Position, Unit } from '../../src/domain/records/records.ts';
import { at, person, unit } from '../sync/world.ts';
import type { Chance } from './chance.ts';

/** What the company's directory holds. */
export interface Company {
  readonly units: readonly Unit[];
  readonly people: readonly Person[];
}

/** Units below the root, and below each unit of the levels after it: 5 + 15 + 30 + 30 = 80 on 4 levels. */
const WIDTHS = [5, 3, 2, 1];
/** `npm run chaos` has 2,000. */
const PEOPLE = Number(process.env['CHAOS_PEOPLE'] ?? 400);

export function headquarters(chance: Chance): Company {
  const units: Unit[] = [];
  let parents: readonly (string | null)[] = [null];
  for (const width of WIDTHS) {
    parents = parents.flatMap((parent) =>
      Array.from({ length: width }, () => {
        const id = `u${units.length + 1}`;
        units.push(unit(id, parent, { sn: `SN-${id}` }));
        return id;
      }),
    );
  }
  const ids = units.map(({ id }) => id);
  return { units, people: Array.from({ length: PEOPLE }, (_, index) => employee(index, ids, chance)) };
}

/** Every person has the same fields, as a mapping yields them. */
export function employee(index: number, units: readonly string[], chance: Chance): Person {
  const id = `p${index}`;
  // Written as a service may not keep it: with two blanks in a row, and dashes in the number.
  const name = index % 50 === 0 ? `Name  ${id}` : `Name ${id}`;
  const mobile = index % 3 === 0 ? `+49 151-${1_000_000 + index}` : null;
  return person(id, {
    username: index % 4 === 0 ? `User.${id}` : `user.${id}`,
    fields: { name, email: `${id}@example.com`, mobile },
    positions: seats(units, chance),
  });
}

/** One unit, for every eighth two; the first is primary. */
export function seats(units: readonly string[], chance: Chance): readonly Position[] {
  const [first, second] = chance.some(units, 2);
  const title = `Title ${chance.below(5)}`;
  const own = at(first ?? null, { job_title: title, primary: true, chief: chance.below(10) === 0 });
  if (second === undefined || chance.below(8) > 0) return [own];
  return [own, at(second, { job_title: 'Also', primary: false, chief: false })];
}

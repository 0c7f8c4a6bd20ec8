import { expect, test } from 'vitest';
import type { Unit } from '../../src/domain/records/records.ts';
import { Chance } from '../chaos/chance.ts';
import { at, openWorld, person, unit, type Ran } from './world.ts';

const called = (id: string, ...refs: readonly string[]): Unit => ({ ...unit(id), refs });

const UNITS = [called('a', 'ra'), called('b', 'rb'), called('c', 'rc', 'rc2')];

const REFS = ['ra', 'rb', 'rc', 'rd', 're'];

/** Gives up to five units their refs and parents by chance: some claim a ref together, some have a parent that is none. */
function someUnits(chance: Chance): readonly Unit[] {
  return ['a', 'b', 'c', 'd', 'e'].flatMap((id) => {
    if (chance.share() < 0.2) return [];
    const refs = REFS.filter(() => chance.share() < 0.3);
    const parent = chance.share() < 0.2 ? chance.of(REFS) : null;
    return [{ ...unit(id), refs, parent }];
  });
}

const somePerson = (chance: Chance, id: string) =>
  person(id, { positions: REFS.filter(() => chance.share() < 0.3).map((ref) => at(ref)) });

const found = ({ exitCode, changes, listed }: Ran): unknown => ({ exitCode, changes, listed });

test.each([1, 2, 3, 4])(
  'a run wants what a full one wants, whatever becomes of units (life %i)',
  async (seed) => {
    const chance = new Chance(seed);
    const ids = Array.from({ length: 12 }, (_, n) => `${n + 1}`);
    const orphans = seed % 2 === 0 ? 'root' : 'block';
    const world = await openWorld({
      units: [...UNITS, called('d', 'rd'), called('e', 're')],
      people: ids.map((id) => somePerson(chance, id)),
      sync: { orphans },
    });
    await world.sync();
    for (let step = 0; step < 8; step += 1) {
      world.change(({ units, people }) => ({
        units: chance.share() < 0.8 ? someUnits(chance) : units,
        people: people.map((one) => (chance.share() < 0.1 ? somePerson(chance, one.id ?? '') : one)),
      }));
      world.source.breakage = chance.share() < 0.2 ? { part: 'people', after: chance.below(6) } : null;
      await world.sync();
      world.source.breakage = null;
      expect(found(await world.plan())).toEqual(found(await world.plan({ full: true })));
      await world.sync();
    }
  },
);

import { foldUsername } from '../../src/domain/text/fold.ts';
import type { Person, Refusal } from '../../src/domain/records/records.ts';
import type { MemoryWorld } from '../doubles/memory-source.ts';
import { refusal } from '../sync/world.ts';
import type { Chance } from './chance.ts';
import type { Company } from './headquarters.ts';

/** Reasons that a company's directory gives rollcall to list somebody, for as long as they stand there. */
export const BAD_RECORDS =
  /: (?:id: cannot be used|id: several records share this id|mobile: no number|its record has the username)/u;

/** How a directory writes down what is true of its people: some rows cannot be used as they are. */
export class Spoiled {
  /** Usernames of those whose rows contradict each other: left as they are. */
  readonly undecided = new Set<string>();
  /** Source ids of colleagues, and the login of a leaver that each was given. */
  readonly #given = new Map<string, string>();
  readonly #chance: Chance;
  readonly #isHere: (username: string) => boolean;

  /** @param isHere who has an account that works */
  constructor(chance: Chance, isHere: (username: string) => boolean) {
    this.#chance = chance;
    this.#isHere = isHere;
  }

  /** What happened since, leavers included whose logins go to others. */
  after(before: Company, after: Company): Company {
    const chance = this.#chance;
    const known = new Set(before.people.map(({ id }) => id));
    const works = ({ id, username, active }: Person): boolean =>
      active === true && known.has(id) && !this.#given.has(id) && this.#isHere(username);
    const present = new Set(after.people.map(({ id }) => id));
    for (const id of this.#given.keys()) if (!present.has(id)) this.#given.delete(id);
    const pairs = chance.some(after.people.filter(works), 4);
    const [leavers, colleagues] = [pairs.slice(0, 2), pairs.slice(2)];
    for (const [index, { id }] of colleagues.entries()) {
      const login = leavers[index]?.username;
      if (login !== undefined) this.#given.set(id, index === 0 ? login : login.toUpperCase());
    }
    return { ...after, people: after.people.filter((one) => !leavers.includes(one)) };
  }

  /** The rows of a turn. */
  rows({ units, people }: Company, before: Company): MemoryWorld {
    const chance = this.#chance;
    const old = new Set(before.people);
    const has = ({ id, username }: Person): boolean => !this.#given.has(id) && this.#isHere(username);
    const left = chance.some(
      people.filter(({ active }) => active === false),
      6,
    );
    const same = chance.some(
      people.filter((one) => one.active === true && old.has(one) && has(one)),
      9,
    );
    this.undecided.clear();
    for (const { username } of [...same.slice(0, 2), ...same.slice(6)])
      this.undecided.add(foldUsername(username));
    // Three who have each other's ids by now, as after a source has numbered its people anew; one is called otherwise.
    const given = same.slice(6);
    const bad = new Map<string, readonly (Person | Refusal)[]>([
      ...left.slice(0, 2).map((one) => [one.id, [nameless(one)]] as const),
      ...left.slice(2, 4).map((one) => [one.id, [one, one]] as const),
      ...left.slice(4).map((one) => [one.id, [withoutMobile(one)]] as const),
      ...same.slice(0, 2).map((one) => [one.id, [one, { ...one, active: false }]] as const),
      ...same.slice(2, 6).map((one) => [one.id, [withoutMobile(one)]] as const),
    ]);
    for (const [index, { id }] of given.length === 3 ? given.entries() : []) {
      const from = given[(index + 1) % given.length];
      if (from === undefined) continue;
      const fields = index === 0 ? { ...from.fields, name: `Married ${from.id}` } : from.fields;
      bad.set(id, [{ ...from, id, fields }]);
    }
    const rows = people.flatMap((one) => bad.get(one.id) ?? [this.#named(one)]);
    return { units, people: [...rows, ...SERVICES] };
  }

  #named(one: Person): Person {
    const username = this.#given.get(one.id);
    return username === undefined ? one : { ...one, username };
  }
}

/** Rows without an id: one with a login that nobody has, one with nothing at all. */
const SERVICES: readonly Refusal[] = [
  { ...refusal('person', null, 'id'), place: 'row 1', label: 'svc.backup', active: true },
  { ...refusal('person', null, 'id'), place: 'row 2', active: null },
];

function nameless({ id, username }: Person): Refusal {
  return { ...refusal('person', id, 'name'), label: username, active: false };
}

function withoutMobile(one: Person): Person {
  const { mobile: _, ...fields } = one.fields;
  return { ...one, fields, losses: [{ field: 'mobile', reason: 'no number' }] };
}

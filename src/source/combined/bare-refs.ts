import type { Person, PositionRow, Reading } from '../../domain/records/records.ts';
import { printable } from '../../domain/text/printable.ts';
import type { Member } from './members.ts';

/**
 * Counts positions of a source without units that name a unit without the prefix that the ids of all units have: none of
 * these can be found.
 */
export class BareRefs {
  readonly #trees: readonly Pick<Member, 'name' | 'idPrefix'>[];
  #count = 0;
  #first = '';

  /** @param trees the sources that have units */
  constructor(trees: readonly Pick<Member, 'name' | 'idPrefix'>[]) {
    this.#trees = trees;
  }

  person(reading: Reading<Person>): void {
    if (!reading.ok || reading.record.outOfScope !== undefined) return;
    for (const { unit } of reading.record.positions) this.#look(unit);
  }

  row(reading: Reading<PositionRow>): void {
    if (reading.ok) this.#look(reading.record.position.unit);
  }

  /** Returns a sentence for each source that has them; none: there are none. */
  get warnings(): readonly string[] {
    const [tree] = this.#trees;
    if (this.#count === 0 || tree === undefined) return [];
    const prefixes = this.#trees.map(
      ({ name, idPrefix }) => `"${idPrefix}" (sources.${name ?? ''}.idPrefix)`,
    );
    const positions =
      this.#count === 1
        ? 'one position names a unit that is'
        : `${this.#count.toLocaleString('en')} positions name units that are`;
    return [
      `${positions} unknown, as "${printable(this.#first)}": the ids of ` +
        `all units begin with ${prefixes.join(' or ')}, and people of another source have to name them so: ` +
        `unit: { expr: "'${tree.idPrefix}' + …" }`,
    ];
  }

  #look(unit: string | null): void {
    if (unit === null || this.#trees.some(({ idPrefix }) => unit.startsWith(idPrefix))) return;
    if (this.#count === 0) this.#first = unit;
    this.#count += 1;
  }
}

/** Returns what counts such positions of a source; `null`: it has units itself, or some units have no prefix. */
export function bareRefsOf(member: Member, all: readonly Member[]): BareRefs | null {
  const trees = all.filter(({ has }) => has.units);
  const isOwn = trees.some(({ name }) => name === member.name);
  if (isOwn || trees.length === 0 || trees.some(({ idPrefix }) => idPrefix === '')) return null;
  return new BareRefs(trees);
}

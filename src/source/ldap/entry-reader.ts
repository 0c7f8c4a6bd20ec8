import type { SearchEntry } from 'ldapts';

import type { Cell, RawRecord } from '../mapping/raw-record.ts';
import { cellOf, decoderOf } from './attributes.ts';
import { parentDn } from './dn.ts';

interface Target {
  readonly slot: number;
  readonly decoder: ReturnType<typeof decoderOf>;
  /** Name of an attribute that came as a `;range=` of its values. */
  readonly partial: string | undefined;
}

const VIRTUAL: ReadonlySet<string> = new Set(['dn', 'parentdn']);

/** Puts the attributes of entries where the rules look for them; names in any case. */
export class EntryReader {
  readonly #slots: ReadonlyMap<string, number>;
  readonly #targets = new Map<string, Target | null>();
  readonly #blank: readonly Cell[];

  constructor(names: readonly string[]) {
    this.#slots = new Map(names.map((name, slot) => [name.toLowerCase(), slot]));
    this.#blank = names.map(() => undefined);
  }

  /** Attributes to ask the server for: named, a read takes a third of the time. `1.1` is none (RFC 4511, 4.5.1.8). */
  static attributesFor(names: readonly string[]): readonly string[] {
    const real = names.filter((name) => !VIRTUAL.has(name.toLowerCase()));
    return real.length === 0 ? ['1.1'] : real;
  }

  read(entry: SearchEntry): RawRecord {
    const cells: Cell[] = [...this.#blank];
    let partial: string | undefined;
    for (const attribute of entry.attributes) {
      const target = this.#targetOf(attribute.type);
      if (target === null) continue;
      cells[target.slot] = cellOf(attribute, target.decoder);
      partial ??= target.partial;
    }
    this.#fillVirtual(cells, entry.name);
    return { cells, place: entry.name, partial };
  }

  #fillVirtual(cells: Cell[], dn: string): void {
    const dnSlot = this.#slots.get('dn');
    if (dnSlot !== undefined) cells[dnSlot] = dn;
    const parentSlot = this.#slots.get('parentdn');
    if (parentSlot !== undefined) cells[parentSlot] = parentDn(dn);
  }

  /** `null`: not asked for, e.g. `cn;lang-de` beside `cn`. */
  #targetOf(type: string): Target | null {
    const known = this.#targets.get(type);
    if (known !== undefined) return known;
    const target = this.#findTarget(type);
    this.#targets.set(type, target);
    return target;
  }

  #findTarget(type: string): Target | null {
    const [name = '', range] = type.toLowerCase().split(/;(?=range=)/);
    const slot = this.#slots.get(name);
    if (slot === undefined || VIRTUAL.has(name)) return null;
    const partial = range === undefined || range.endsWith('-*') ? undefined : name;
    return { slot, decoder: decoderOf(name), partial };
  }
}

import type { SearchEntry } from 'ldapts';

import { PARENT_GROUP, UNIT_GROUPS } from '../../../domain/source-choices.ts';
import { ACCOUNT_ACTIVE } from '../../../domain/directories/vendors.ts';
import { digest } from '../../../lib/digest.ts';
import { groupBy } from '../../../domain/text/group-by.ts';
import type { Mapper } from '../../mapping/mapper.ts';
import type { Cell, RawRecord, RecordProblem } from '../../mapping/values/raw-record.ts';
import { cellOf, decoderOf, hasOtherBytes } from './attributes.ts';
import { parentDn } from '../wire/dn.ts';
import type { Accounts, Attributes } from './known-attributes.ts';
import type { DirectorySchema } from '../wire/schema.ts';

interface Target {
  readonly slots: readonly number[];
  readonly decoder: ReturnType<typeof decoderOf>;
  /** Those of the slots whose bytes have to be UTF-8. */
  readonly texts: readonly number[];
}

type Mapped = Pick<Mapper<unknown>, 'names' | 'places'>;

/** What is known of an entry besides its attributes. */
export interface EntryExtras {
  /** DNs of the groups among the units that a person belongs to. */
  readonly unitGroups?: readonly string[] | undefined;
  /** DN of the unit that a group is in. */
  readonly parentGroup?: string | undefined;
  readonly problem?: RecordProblem | undefined;
}

const VIRTUAL: ReadonlySet<string> = new Set(['dn', 'parentdn', ACCOUNT_ACTIVE, UNIT_GROUPS, PARENT_GROUP]);

/** Places that may take bytes: what identifies, what names units, and pictures. */
const TAKES_BYTES = /\.(?:id|refs|parent|unit|logo|source_identifiers\.[^.]+)$|\.join$/u;

/** Puts the attributes of entries where the rules look for them; names match in any case. */
export class EntryReader {
  readonly #schema: DirectorySchema;
  /** Slots by attribute; one that the rules call by two of its names has two slots. */
  readonly #slots: ReadonlyMap<string, readonly number[]>;
  readonly #unknown: ReadonlySet<number> | undefined;
  readonly #targets = new Map<string, Target | null>();
  readonly #places: Mapped['places'];
  readonly #blank: readonly Cell[];
  /** Slots that are unknown for an account if it is unknown whether it is active. */
  readonly #unknownActive: ReadonlySet<number>;
  readonly #accounts: Accounts | null;

  readonly #at: Date;
  readonly #decides: string;

  /**
   * @param mapped names of the rules, and where each stands; the cells of a record have this order
   * @param at when the read began
   */
  constructor({ names: wanted, places }: Mapped, { schema, unknown, accounts }: Attributes, at: Date) {
    this.#at = at;
    this.#places = places;
    const names = wanted.some(isAccountActive) ? [...wanted, ...(accounts?.reads ?? [])] : wanted;
    this.#schema = schema;
    this.#slots = groupBy([...names.keys()], (slot) => keyIn(schema, names[slot] ?? ''));
    const lacking = new Set(unknown.map(({ name }) => name));
    const slots = [...names.keys()].filter((slot) => lacking.has(names[slot] ?? ''));
    this.#unknown = slots.length === 0 ? undefined : new Set(slots);
    this.#blank = names.map(() => undefined);
    const active = this.#slots.get(ACCOUNT_ACTIVE) ?? [];
    this.#accounts = active.length === 0 ? null : accounts;
    this.#decides = digest(
      JSON.stringify([names, places, spellings(schema), [...lacking], this.#accounts && dayOf(at)]),
    );
    this.#unknownActive = new Set([...(this.#unknown ?? []), ...active]);
  }

  /**
   * Returns the attributes to ask the server for. Naming them cuts the time of a read to a third. `1.1` means
   * none (RFC 4511, 4.5.1.8).
   * @param more names in addition to those of the rules
   */
  static attributesFor(
    names: readonly string[],
    accounts: Accounts | null,
    more: readonly string[] = [],
  ): readonly string[] {
    const hidden = names.some(isAccountActive) ? (accounts?.reads ?? []) : [];
    const real = [...names, ...hidden, ...more].filter((name) => !VIRTUAL.has(name.toLowerCase()));
    return real.length === 0 ? ['1.1'] : [...new Set(real)];
  }

  /** What decides how entries are decoded, as a text. */
  get decides(): string {
    return this.#decides;
  }

  read(entry: SearchEntry, beside: EntryExtras = {}): RawRecord {
    const cells: Cell[] = [...this.#blank];
    let garbled: Set<number> | undefined;
    for (const attribute of entry.attributes) {
      const target = this.#targetOf(attribute.type);
      if (target === null) continue;
      const cell = cellOf(attribute, target.decoder);
      for (const slot of target.slots) cells[slot] = cell;
      if (target.texts.length > 0 && hasOtherBytes(attribute))
        garbled = new Set([...(garbled ?? []), ...target.texts]);
    }
    this.#fillVirtual(cells, entry.name, beside);
    const isPassing = this.#accounts?.expires((name) => this.#firstOf(cells, name));
    const { problem } = beside;
    const more = this.#accounts?.reads;
    const record = { cells, more, at: this.#at, place: entry.name, garbled, problem, isPassing };
    if (this.#tellsActive(cells)) return { unknown: this.#unknown, ...record };
    return { ...record, unknown: this.#unknownActive, whyUnknown: this.#whyUnknown(cells) };
  }

  /** Sets whether the account is active, if that is wanted. Returns false if it is unknown. */
  #tellsActive(cells: Cell[]): boolean {
    if (this.#accounts === null) return true;
    const isActive = this.#accounts.isActive((name) => this.#firstOf(cells, name));
    if (isActive === null) return false;
    for (const slot of this.#slots.get(ACCOUNT_ACTIVE) ?? []) cells[slot] = String(isActive);
    return true;
  }

  /** Returns why it is unknown whether the account is active, by slot. */
  #whyUnknown(cells: readonly Cell[]): ReadonlyMap<number, string> {
    const { reads = [], needs = [] } = this.#accounts ?? {};
    const absent = reads.filter((name) => this.#firstOf(cells, name) === undefined);
    const lacking = absent.filter((name) => needs.includes(name));
    const why =
      lacking.length > 0
        ? `the record does not show ${lacking.join(' and ')}: give the reading account the right to read it`
        : `the record has something else than expected in ${reads.join(' or ')}: correct it there`;
    return new Map((this.#slots.get(ACCOUNT_ACTIVE) ?? []).map((slot) => [slot, `which is unknown: ${why}`]));
  }

  #firstOf(cells: readonly Cell[], name: string): string | undefined {
    const [slot = -1] = this.#slots.get(this.#schema.keyOf(name)) ?? [];
    const cell = cells[slot];
    return typeof cell === 'string' || cell === undefined ? cell : cell[0];
  }

  #fillVirtual(cells: Cell[], dn: string, { unitGroups, parentGroup }: EntryExtras): void {
    for (const slot of this.#slots.get('dn') ?? []) cells[slot] = dn;
    for (const slot of this.#slots.get('parentdn') ?? []) cells[slot] = parentDn(dn);
    for (const slot of this.#slots.get(UNIT_GROUPS) ?? []) cells[slot] = unitGroups;
    for (const slot of this.#slots.get(PARENT_GROUP) ?? []) cells[slot] = parentGroup;
  }

  /** Returns where values of this type go; `null`: it was not asked for, e.g. `cn;lang-de` next to `cn`. */
  #targetOf(type: string): Target | null {
    const known = this.#targets.get(type);
    if (known !== undefined) return known;
    const target = this.#findTarget(type);
    this.#targets.set(type, target);
    return target;
  }

  #findTarget(type: string): Target | null {
    const name = type.toLowerCase();
    const slots = this.#slots.get(this.#schema.keyOf(name));
    if (slots === undefined || VIRTUAL.has(name)) return null;
    const decoder = decoderOf(name);
    const isBinary = decoder === null ? this.#schema.isBinary(name) : true;
    const texts = slots.filter((slot) => !(isBinary ?? this.#mayTakeBytes(slot)));
    return { slots, decoder, texts };
  }

  /** Returns whether the configuration uses a name where bytes make sense; the server does not tell what it is. */
  #mayTakeBytes(slot: number): boolean {
    return this.#places[slot]?.some((place) => TAKES_BYTES.test(place)) === true;
  }
}

/** Returns where a name is looked for. A schema may have ours as another name: 389 calls `distinguishedName` `dn`. */
function keyIn(schema: DirectorySchema, name: string): string {
  const lower = name.toLowerCase();
  return VIRTUAL.has(lower) ? lower : schema.keyOf(name);
}

const spellings = (schema: DirectorySchema): readonly unknown[] =>
  schema.names.map((name) => [name, schema.keyOf(name), schema.isBinary(name)]);

/** Accounts that expire are looked at by the day at least, also if they are only kept. */
const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

export function isAccountActive(name: string): boolean {
  return name.toLowerCase() === ACCOUNT_ACTIVE;
}

import { PARENT_GROUP, UNIT_GROUPS } from '../../../domain/source-choices.ts';
import { ACCOUNT_ACTIVE } from '../../../domain/directories/vendors.ts';
import { digest } from '../../../lib/digest.ts';
import { groupBy } from '../../../domain/text/group-by.ts';
import {
  firstValue,
  Garbled,
  Unknown,
  type Column,
  type RawRecord,
  type RecordProblem,
  type Value,
} from '../../mapping/values/raw-record.ts';
import { cellOf, decoderOf, hasOtherBytes } from './attributes.ts';
import { parentDn } from '../wire/dn.ts';
import type { Entry } from '../wire/entry.ts';
import type { Accounts, Attributes } from './known-attributes.ts';
import type { DirectorySchema } from '../wire/schema.ts';

/** Where the values of an attribute go. */
interface Target {
  /** Names under which the rules read it. */
  readonly names: readonly string[];
  readonly decoder: ReturnType<typeof decoderOf>;
  /** Those of the names whose bytes have to be UTF-8. */
  readonly texts: ReadonlySet<string>;
}

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

/** The server knows no such name. */
const NOT_KNOWN = new Unknown();

/**
 * Returns the attributes to ask the server for. Naming them cuts the time of a read to a third. `1.1` means
 * none (RFC 4511, 4.5.1.8).
 * @param more names in addition to those of the rules
 */
export function attributesFor(
  columns: readonly Column[],
  accounts: Accounts | null,
  more: readonly string[],
): readonly string[] {
  const names = [...columns.map(({ name }) => name), ...hiddenOf(columns, accounts), ...more];
  const real = names.filter((name) => !VIRTUAL.has(name.toLowerCase()));
  return real.length === 0 ? ['1.1'] : [...new Set(real)];
}

/** Puts the attributes of entries under the names that the rules have for them; names match in any case. */
export class EntryReader {
  readonly #schema: DirectorySchema;
  /** Names by attribute; the rules may call one by two of its names. */
  readonly #names: ReadonlyMap<string, readonly string[]>;
  readonly #unknown: readonly string[];
  readonly #targets = new Map<string, Target | null>();
  readonly #columns: readonly Column[];
  /** `null`: `account_active` is not wanted, or cannot be told. */
  readonly #accounts: Accounts | null;
  readonly #at: Date;
  readonly #decides: string;

  /**
   * @param columns what the rules read
   * @param at when the read began
   */
  constructor(columns: readonly Column[], { schema, unknown, accounts }: Attributes, at: Date) {
    this.#at = at;
    this.#columns = columns;
    this.#schema = schema;
    const own = columns.map(({ name }) => name);
    const names = new Set([...own, ...hiddenOf(columns, accounts)]);
    this.#names = groupBy([...names], (name) => keyIn(schema, name));
    const lacking = new Set(unknown.map(({ name }) => name));
    this.#unknown = [...names].filter((name) => lacking.has(name));
    this.#accounts = this.#names.has(ACCOUNT_ACTIVE) ? accounts : null;
    this.#decides = digest(
      JSON.stringify([columns, spellings(schema), [...lacking], this.#accounts && dayOf(at)]),
    );
  }

  /** What decides how entries are decoded, as a text. */
  get decides(): string {
    return this.#decides;
  }

  read(entry: Entry, beside: EntryExtras = {}): RawRecord {
    const values = new Map<string, Value>();
    for (const attribute of entry.attributes) {
      const target = this.#targetOf(attribute.type);
      if (target === null) continue;
      const cell = cellOf(attribute, target.decoder);
      const isGarbled = target.texts.size > 0 && hasOtherBytes(attribute);
      for (const name of target.names)
        values.set(name, isGarbled && target.texts.has(name) ? new Garbled(cell) : cell);
    }
    this.#fillVirtual(values, entry.dn, beside);
    for (const name of this.#unknown)
      if (firstValue(values.get(name)) === undefined) values.set(name, NOT_KNOWN);
    const record = { values, at: this.#at, place: entry.dn, problem: beside.problem };
    return this.#accounts === null
      ? record
      : { ...record, isPassing: this.#tellActive(values, this.#accounts) };
  }

  /** Sets whether the account is active, or why that is unknown. Returns whether time alone will change it. */
  #tellActive(values: Map<string, Value>, accounts: Accounts): boolean {
    const read = (name: string): string | undefined => this.#firstOf(values, name);
    const isActive = accounts.isActive(read);
    const value = isActive === null ? whyUnknown(accounts, read) : String(isActive);
    for (const name of this.#names.get(ACCOUNT_ACTIVE) ?? []) values.set(name, value);
    return accounts.expires(read);
  }

  #firstOf(values: ReadonlyMap<string, Value>, attribute: string): string | undefined {
    const [name = ''] = this.#names.get(this.#schema.keyOf(attribute)) ?? [];
    const value = values.get(name);
    const cell = value instanceof Garbled ? value.cell : value;
    if (cell === undefined || cell instanceof Unknown) return undefined;
    return typeof cell === 'string' ? cell : cell[0];
  }

  #fillVirtual(values: Map<string, Value>, dn: string, { unitGroups, parentGroup }: EntryExtras): void {
    const virtual = { dn, parentdn: parentDn(dn), [UNIT_GROUPS]: unitGroups, [PARENT_GROUP]: parentGroup };
    for (const [key, value] of Object.entries(virtual))
      for (const name of this.#names.get(key) ?? []) values.set(name, value);
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
    const lower = type.toLowerCase();
    const names = this.#names.get(this.#schema.keyOf(lower));
    if (names === undefined || VIRTUAL.has(lower)) return null;
    const decoder = decoderOf(lower);
    const isBinary = decoder === null ? this.#schema.isBinary(lower) : true;
    const texts = names.filter((name) => !(isBinary ?? this.#mayTakeBytes(name)));
    return { names, decoder, texts: new Set(texts) };
  }

  /** Returns whether the configuration uses a name where bytes make sense; the server does not tell what it is. */
  #mayTakeBytes(name: string): boolean {
    const column = this.#columns.find((one) => one.name === name);
    return column?.places.some((place) => TAKES_BYTES.test(place)) === true;
  }
}

/** Returns the attributes that are read for `account_active`. */
const hiddenOf = (columns: readonly Column[], accounts: Accounts | null): readonly string[] =>
  columns.some(({ name }) => isAccountActive(name)) ? (accounts?.reads ?? []) : [];

/** Says why it is unknown whether an account is active. */
function whyUnknown({ reads, needs }: Accounts, read: (name: string) => string | undefined): Unknown {
  const lacking = needs.filter((name) => reads.includes(name) && read(name) === undefined);
  const why =
    lacking.length > 0
      ? `the record does not show ${lacking.join(' and ')}: give the reading account the right to read it`
      : `the record has something else than expected in ${reads.join(' or ')}: correct it there`;
  return new Unknown(`which is unknown: ${why}`);
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

import type { MembersBy, VendorName } from '../../../domain/source-choices.ts';
import type { ColumnFacts } from '../../init/table-facts.ts';

/** A person of a directory, as a sample has it. */
export interface EntryFacts {
  readonly dn: string;
  /** DN of the entry above, as it is spelled. */
  readonly parent: string;
  /** Whether the entry above is an organizational unit. */
  readonly isInUnit: boolean;
  /** Values by attribute in lower case; only those that were asked for. */
  readonly values: ReadonlyMap<string, readonly string[]>;
}

/** The groups right below one entry, that which has most of them. */
export interface GroupFacts {
  readonly base: string;
  readonly objectClass: string;
  /** Attribute that names their members. */
  readonly by: MembersBy;
  readonly count: number;
}

/** What a look at a directory shows. */
export interface DirectoryFacts {
  /** Whose server it is, by its root entry; `null`: it does not say. */
  readonly vendor: VendorName | null;
  /** Entry that the people of the sample who are in units lie below; if none is, all of the sample. */
  readonly base: string;
  /** Filter that finds the people. */
  readonly peopleFilter: string;
  /** The sample. */
  readonly people: readonly EntryFacts[];
  /** Number of people who were found too, and do not lie below the base. */
  readonly outside: number;
  /** Whether these are all there are. */
  readonly isWhole: boolean;
  /** `null`: there are none. */
  readonly groups: GroupFacts | null;
}

/** Returns the first values of an attribute as a column. */
export function columnOf(people: readonly EntryFacts[], name: string): ColumnFacts {
  const key = name.toLowerCase();
  return { name, quoted: name, cells: people.map(({ values }) => values.get(key)?.[0] ?? '') };
}

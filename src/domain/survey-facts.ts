import type { MembersBy, VendorName } from './source-choices.ts';

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

/** A column, before any row is read. */
export interface ColumnShape {
  readonly name: string;
  /** As a query has to write it. */
  readonly quoted: string;
}

/** A table, a view or a file. */
export interface TableShape {
  /** With its schema, if that is not the usual one; the path of a file. */
  readonly name: string;
  /** As a query has to write it; the path of a file. */
  readonly quoted: string;
  readonly columns: readonly ColumnShape[];
}

export interface ColumnFacts extends ColumnShape {
  /** Value of each row of the sample, trimmed; empty: none. */
  readonly cells: readonly string[];
}

/** Returns the first values of an attribute as a column. */
export function columnOf(people: readonly EntryFacts[], name: string): ColumnFacts {
  const key = name.toLowerCase();
  return { name, quoted: name, cells: people.map(({ values }) => values.get(key)?.[0] ?? '') };
}

/** A table with the first of its rows. */
export interface TableFacts extends TableShape {
  readonly columns: readonly ColumnFacts[];
  readonly rows: number;
  /** Whether these are all its rows. */
  readonly isWhole: boolean;
}

/** The tables of a source. */
export interface ChosenTables<T extends TableShape> {
  readonly people: T;
  /** `undefined`: the units are values of people. */
  readonly units: T | undefined;
  /** `undefined`: people name their units themselves. */
  readonly positions: T | undefined;
}

/** The first users and groups of a SCIM server. */
export interface ScimFacts {
  /** Its columns are the attributes that at least one person has, as a configuration names them. */
  readonly users: TableFacts;
  /** Names of the groups. */
  readonly groups: readonly string[];
}

import type { MembersBy, VendorName } from '../source-choices.ts';

/** A person of a directory, as a sample has it. */
export interface EntryFacts {
  readonly dn: string;
  /** DN of the entry above, in canonical spelling. */
  readonly parent: string;
  /** Values by attribute in lower case; only those that were asked for. */
  readonly values: ReadonlyMap<string, readonly string[]>;
}

export interface GroupFacts {
  /** Entry that they lie right below. */
  readonly base: string;
  readonly objectClass: string;
  /** Attribute that names their members. */
  readonly by: MembersBy;
  readonly count: number;
  /** People of the sample who are members of one. */
  readonly people: number;
}

/** What a look at a directory shows. */
export interface DirectoryFacts {
  /** Whose server it is, by its root entry; `null`: it does not say. */
  readonly vendor: VendorName | null;
  /** Naming contexts that may hold people. */
  readonly contexts: readonly string[];
  /** Entry that everybody in scope lies below. */
  readonly base: string;
  /** Filter that finds people there; `null`: none of those that are usual does. */
  readonly peopleFilter: string | null;
  readonly people: readonly EntryFacts[];
  /** Whether `people` are all there are below the base. */
  readonly isWhole: boolean;
  /** DNs of the organizational units below the base, in canonical spelling. */
  readonly units: ReadonlySet<string>;
  /** Units right below the base, as they are spelled, with nobody below them. */
  readonly deserted: readonly string[];
  /** Entries right below the base that are no units, and hold people beside those in units. */
  readonly beside: readonly string[];
  /** Entries beside the base that hold people too. */
  readonly leftOut: readonly string[];
  /** The groups right below one entry, that which has most of them; `null`: there are none. */
  readonly groups: GroupFacts | null;
  /** Attributes that entries of the sample have, in the server's spelling, with the number of entries. */
  readonly present: readonly (readonly [name: string, entries: number])[];
}

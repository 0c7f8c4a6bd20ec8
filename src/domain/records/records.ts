import type { Fields, FieldValue } from './fields.ts';

/** An optional field that cannot be read: the record goes on without it. */
export interface Loss {
  /** Name as in the configuration: `birthday`, `properties.42`, `positions.job_title`. */
  readonly field: string;
  /** What is wrong, without the value of a secret. */
  readonly reason: string;
}

/**
 * Single-valued fields for which the record has several values, `username` and `parent` among them: the one that was
 * sent stays while it is one of these.
 */
export type Choices = Readonly<Record<string, readonly FieldValue[]>>;

/** A record of the source after mapping: an organizational unit as it should be. */
export interface Unit {
  /** Source id: the identity of the record, which stays when anything else changes (promise 4). */
  readonly id: string;
  /**
   * References by which other records name this unit. Canonical text (a DN is parsed and always spelled the
   * same way).
   */
  readonly refs: readonly string[];
  /** A reference of the parent; `null`: the top, below the service's root. */
  readonly parent: string | null;
  /** `name` is always there and not empty. No key: not mapped, or lost. */
  readonly fields: Fields;
  readonly losses?: readonly Loss[];
  readonly choices?: Choices;
  /**
   * The expression `source.units.where`, if it leaves the unit out: only id, refs and name are mapped, and the id is
   * empty if it cannot be read.
   */
  readonly outOfScope?: string;
}

/** One membership of a person in a unit. */
export interface Position {
  /** A reference of the unit; `null`: the service's root. */
  readonly unit: string | null;
  /** `job_title`, `primary`, `chief`, `source_type`, if mapped. */
  readonly fields: Fields;
  readonly choices?: Choices;
}

/** A record of the source after mapping: a person as they should be. */
export interface Person {
  readonly id: string;
  readonly username: string;
  /** Whether the person is active; `null`: the rule for `active` failed to evaluate, so it is unknown. */
  readonly active: boolean | null;
  /** Why that is unknown, as the end of a sentence; absent: it is known, or there is no reason to name. */
  readonly whyUnknown?: string;
  /** Mapped fields that are not secret; `name` is always there and not empty. */
  readonly fields: Fields;
  /** Mapped secrets; see `PERSON_FIELDS`. Never logged, journalled or stored in the clear. */
  readonly secrets: Fields;
  readonly positions: readonly Position[];
  /** Fields that are missing above because they cannot be read. */
  readonly losses?: readonly Loss[];
  readonly choices?: Choices;
  /**
   * The expression `source.people.where`, if it leaves the record out: nothing else is mapped, id and
   * username are empty if they cannot be read, and the person counts as missing.
   */
  readonly outOfScope?: string;
  /** Set if `sync.protect.where` holds. */
  readonly isProtected?: true;
}

/** A row of a separate positions query. */
export interface PositionRow {
  /** Source id of the person. */
  readonly person: string;
  readonly position: Position;
  readonly losses?: readonly Loss[];
}

export type Subject = 'unit' | 'person' | 'position';

/** A record that could not be mapped: it is left as it is, with everything below it (promise 5). */
export interface Refusal {
  readonly subject: Subject;
  /** Source id (for a position: of its person), or `null` if it cannot be read. */
  readonly id: string | null;
  /** Place of the record, for a person: a DN, or the number of its row. */
  readonly place: string;
  /** Field, or position field, that failed. */
  readonly field: string;
  /** What is wrong with the field and what to do, without the value of a secret. */
  readonly reason: string;
  /** Username of the person, or name of the unit, if it can be read; the id of a row whose person may be unknown. */
  readonly label?: string | null;
  /** References of the unit, as far as they can be read; for a row of positions, those of its unit. */
  readonly unitRefs?: readonly string[];
  /** Whether a person's record says active, even if it is otherwise unusable; `null` or absent: not known. */
  readonly active?: boolean | null;
  /** Set if it is unknown whether the person is in scope: the record then counts only if the person is ours. */
  readonly ifOurs?: true;
  /** Set for a person without a record of the other source. People who have left need none. */
  readonly lacksPartner?: true;
  /** Set for a unit that is a group and shows no member: who is in it may be hidden. */
  readonly showsNoMember?: true;
}

/** One record as read: mapped, or refused with a reason. */
export type Reading<T> = PlacedRecord &
  (
    | {
        readonly ok: true;
        readonly record: T;
        /** By which the record is recognized in a later read; absent: it is not, and has to be decoded each time. */
        readonly print?: Print;
      }
    | { readonly ok: false; readonly refusal: Refusal }
  );

interface PlacedRecord {
  /**
   * Of a person: the source, base or group of the scope that brings them, the first of several; absent: there is only one.
   */
  readonly broughtBy?: string;
  /**
   * The values that the record, or its partner, has of the names that decide about it. Of a unit: those of
   * `source.units.where`. Absent: they were not read.
   */
  readonly has?: Decisive;
  /** Set for a unit that is a group and shows no member. */
  readonly showsNoMember?: true;
  /** For a person without a record of the other source: the names by which it would be found. */
  readonly lacksPartner?: readonly string[];
}

/**
 * Hash of a record as the source delivered it, before anything of it is decoded, and of what else decides what becomes
 * of it: 132 bits as base64url.
 */
export type Print = string;

/**
 * Recognizes people whose records are as they were when the ledger last compared them, before anything of these is
 * decoded or mapped.
 */
export interface Recognition {
  /** What decides about a record besides the record itself, as a text. It goes into every print. */
  readonly salt: string;
  /**
   * Returns for each print of a page whether the ledger knows its person. Such a person is marked as seen and
   * not yielded. Records without a print match no person.
   * @param keys of the same records, as `RecordKey`, if increments are wanted; `null`: the record has none
   */
  areKnown(prints: readonly (Print | null)[], keys?: readonly (string | null)[]): readonly boolean[];
}

/**
 * What a record has of what rules decide by: who is active, in scope or protected, which partner a person
 * has, and where they belong. Name of each attribute or column with a value, and a short hash of it. Those of
 * partners are named `NAME.COLUMN`, groups `members of DN`, those that name a place `NAME, for a place`.
 */
export type Decisive = Readonly<Record<string, string>>;

/** A record as it was when the ledger last took it over: nothing of it waited then. */
export interface SeenRecord {
  /** A value that is gone without any effect is still in it, until something is done about its person. */
  readonly has: Decisive;
  /**
   * Digest of the rules that decided about it, and of the tables of `lookups`. Empty: every change that
   * follows from an edit of the rules or tables waits for approval.
   */
  readonly rules: string;
}

/**
 * Why a change follows from no value of its own record:
 * - `absent`: the record had a value of these names, and has none now
 * - `vanished`: the record is new, and no record has a value of these names any more, though some had before
 * - `emptied`: these groups had members, and show none now
 * - `edited`: the rules, the query or filter, or a table of `lookups` changed, and no value of the record did
 * - `unprotected`: `sync.protect` kept the record from this until it was edited
 */
export type Doubt =
  | { readonly is: 'absent' | 'vanished' | 'emptied'; readonly names: readonly string[] }
  | { readonly is: 'edited' }
  | { readonly is: 'unprotected' };

/** A doubt with the number of changes that it is about. */
export interface CountedDoubt {
  readonly doubt: Doubt;
  readonly count: number;
}

/** Begins the reason of a record that `sync.protect` keeps from a change. */
export const PROTECTED = 'protected by sync.protect';

const MEMBERS_OF = 'members of ';

/** Returns what the members of a group are called among names that decide. */
export const membersOf = (group: string): string => `${MEMBERS_OF}${group}`;

/** Returns whether the name stands for the members of a group. */
export const isMembersOf = (name: string): boolean => name.startsWith(MEMBERS_OF);

const FOR_PLACE = ', for a place';

/** Returns what a name is called that says where a person or unit belongs: nothing else rests on it. */
export const forPlace = (name: string): string => `${name}${FOR_PLACE}`;

/** Returns whether the name says where a person or unit belongs. */
export const isForPlace = (name: string): boolean => name.endsWith(FOR_PLACE);

/** Returns the attribute, column or group that the name among those that decide stands for. */
export const plainName = (name: string): string =>
  isForPlace(name) ? name.slice(0, -FOR_PLACE.length) : name;

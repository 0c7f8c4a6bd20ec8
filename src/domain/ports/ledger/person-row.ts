import type { Employee } from '../service.ts';
import type { Shown } from '../shown.ts';
import type { PersonEntry } from './entries.ts';
import type { StagedPerson } from './source-stage.ts';

/** The employee as last seen. */
export interface EmployeeView extends Pick<Employee, 'id' | 'username' | 'locked'> {
  readonly shown: Shown;
}

/** Who else is known under the username of a record. */
export interface UsernameOwner {
  /** Source id; `FORGOTTEN` of a person who was erased. */
  readonly id: string;
  /** `null` of a person who was erased. */
  readonly entry: PersonEntry | null;
  /** What this read has of them: a record, one that says "left", or none. */
  readonly isHere: 'yes' | 'left' | 'no';
}

/** A record of another source id that has the username of this person's account, or the one that the source had. */
export interface UsernameClaim {
  /** Source id. */
  readonly id: string;
  readonly username: string;
  /** Display name in the record; `null`: it has none that can be read. */
  readonly name: string | null;
  /** Whether the record can be used, so that it asks itself whether it is the same person. */
  readonly isUsable: boolean;
  /** Who the ledger knows under that id, as far as they are not removed. */
  readonly entry: PersonEntry | null;
}

/** What source, ledger and service have of one source id and of its usernames: `match` says what that means. */
export interface PersonRow {
  readonly id: string;
  /**
   * What the source has. `null`: a complete read has no record with this id. `unchanged`: its hash is the one in the
   * ledger. `left`: all records with this id say that the person has left, and one of them cannot be used.
   */
  readonly record: StagedPerson | 'unchanged' | 'left' | null;
  /** Whether a person without a record in scope has one that `source.people.where` leaves out. */
  readonly isLeftOut?: boolean;
  /** The username in a record of this id, usable or not; `null`: unchanged or none. */
  readonly inSource: string | null;
  readonly entry: PersonEntry | null;
  /** Whether a complete read has missed the person, or called them inactive, since their last active record. */
  readonly hasSaidLeft: boolean;
  /** The account with the username; of an account that we know, with the username that we know. */
  readonly employee: EmployeeView | null;
  /** Why it is unknown which account that is, or whether there is one. */
  readonly unclear: string | null;
  /** Whether no employee is listed, but the domain has a disabled user of this username in any case. */
  readonly isUserDisabled: boolean;
  readonly owner: UsernameOwner | null;
  readonly claims: readonly UsernameClaim[];
}

import type { Employee } from '../service.ts';
import type { Shown } from '../shown.ts';
import type { PersonEntry } from './entries.ts';
import type { StagedPerson } from './source-stage.ts';

/** The employee as last seen. */
export interface EmployeeView extends Pick<Employee, 'id' | 'username' | 'locked'> {
  readonly shown: Shown;
}

/** An account whose username was changed in the service. */
export type RenamedAccount = Pick<Employee, 'username' | 'locked'>;

/** Whose account a username is. */
export interface Holder {
  readonly name: string | null;
  /** The username that the source has for the person, if it is another one. */
  readonly inSource: string | null;
}

/** One row of the differences: desired state, ledger and service. */
export interface PersonRow {
  readonly id: string;
  /**
   * The state that the source wants. `null`: a complete read has no record with this id. `unchanged`: its
   * hash is the one in the ledger. `left`: all records with this id say that the person has left, even if
   * they are otherwise unusable.
   */
  readonly desired: StagedPerson | 'unchanged' | 'left' | null;
  /** Whether a person without a record in scope has one that `source.people.where` leaves out. */
  readonly isLeftOut?: boolean;
  readonly entry: PersonEntry | null;
  readonly employee: EmployeeView | null;
  /**
   * Our account, found by its id under another username, if the employees list does not have the username
   * that we know.
   */
  readonly renamed: RenamedAccount | null;
  /** Whether the service said yes to our disable but never showed it, and nothing was done since. */
  readonly isDisableUnshown?: boolean;
  /** Whether no employee is listed, but the domain has a disabled user of this username in any case. */
  readonly isUserDisabled: boolean;
  /** Whether a complete read has missed the person, or called them inactive, since their last active record. */
  readonly hasSaidLeft?: boolean;
  /** Why it is unknown which account is this person's, or whether there is one. */
  readonly unclear: string | null;
  /** Source id of another person who has this username already. */
  readonly usernameOwner: string | null;
  /** What is known of that owner's account; absent: there is no such person, or they are forgotten. */
  readonly holder?: Holder | undefined;
  /**
   * Whether that owner has no record in this read, or one that says "left" where this one does not: the same
   * person may have come with another source id.
   */
  readonly ownerMissing: boolean;
  /** Entry in the ledger of an owner who is missing in this way. */
  readonly owner?: PersonEntry | null;
  /**
   * Set if the record has that owner's username and another name than before: the source has given the id to
   * another person. `name`: it has the owner's name; `username`: a name that neither had; `left`: it cannot
   * be used, and says "left".
   */
  readonly ownersRecord?: 'name' | 'username' | 'left' | null;
  /**
   * Source id of a record of this read that has our username and may be the same person: one that we do not
   * know, or one that has our name too.
   */
  readonly claimedBy: string | null;
  /** Whether that record cannot be used, so that rollcall does not ask whether it is the same person. */
  readonly claimIsBad: boolean;
  /** Whether that record says "left". */
  readonly claimHasLeft: boolean;
}

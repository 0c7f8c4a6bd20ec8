import type { Shown } from '../shown.ts';
import type { PersonEntry } from './entries.ts';
import type { StagedPerson } from './source-stage.ts';

/** The employee as last seen. */
export interface EmployeeView {
  readonly id: string;
  readonly username: string;
  readonly locked: boolean;
  readonly shown: Shown;
}

/** An account whose username somebody changed in the service. */
export interface RenamedAccount {
  readonly username: string;
  readonly locked: boolean;
}

/** One row of the differences: desired × ledger × service. */
export interface PersonRow {
  readonly id: string;
  /**
   * `null`: no record with this id in a complete read. `unchanged`: its hash is what the ledger holds. `left`: all its
   * records say that the person has left, whatever else is wrong with them.
   */
  readonly desired: StagedPerson | 'unchanged' | 'left' | null;
  readonly entry: PersonEntry | null;
  readonly employee: EmployeeView | null;
  /** Our account, found by its id under another username where the employees list lacks the one that we know. */
  readonly renamed: RenamedAccount | null;
  /** The service said yes to our disable and never showed it, and nothing was done since. */
  readonly isDisableUnshown?: boolean;
  /** No employee is listed, and the domain has a user of this username, in any case, who is disabled. */
  readonly isUserDisabled: boolean;
  /** Why it cannot be told which account is this person's, or whether there is one. */
  readonly unclear: string | null;
  /** What is known of the username that the source has, where it is another one than that of our account. */
  readonly newAccount: Pick<PersonRow, 'employee' | 'isUserDisabled' | 'unclear'> | null;
  /** Source id of another person to whom this username belongs already. */
  readonly usernameOwner: string | null;
  /**
   * That owner has no record in this read, or one that says "left" where this one does not: the same person may have come
   * with another source id.
   */
  readonly ownerMissing: boolean;
  /** Of an owner who is missing so: what the ledger has. */
  readonly owner?: PersonEntry | null;
  /**
   * The record has that owner's username and not the name of before: the source has given the id again. `name`: it has
   * the owner's name; `username`: a name that neither had; `left`: one that cannot be used, and says "left".
   */
  readonly ownersRecord?: 'name' | 'username' | 'left' | null;
  /**
   * Source id of a record of this read that has our username and may be the same person: one that we do not know, or that
   * has our name as well.
   */
  readonly claimedBy: string | null;
  /** That record cannot be used, so nobody is asked whether it is the same person. */
  readonly claimIsBad: boolean;
  /** That record says "left". */
  readonly claimHasLeft: boolean;
}

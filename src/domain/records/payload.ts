import type { Fields } from './fields.ts';

/** A position whose unit is known: what the ledger keeps and the plan compares. */
export interface PlacedPosition {
  /** Source id of the unit; `null`: the service's root. */
  readonly unit: string | null;
  readonly fields: Fields;
}

/** What a person should be in the service, without username and secrets. */
export interface PersonPayload {
  readonly fields: Fields;
  /** One per unit, sorted by unit id, exactly one of them primary once planned. */
  readonly positions: readonly PlacedPosition[];
}

/** What a person's record comes to, to be compared with what the ledger knows; without secrets. */
export interface ComparedPerson {
  readonly id: string;
  readonly username: string;
  readonly active: boolean | null;
  readonly hash: string;
  readonly secretHash: string | null;
  readonly payload: PersonPayload;
  /** Why the record cannot be used as it is, e.g. an unknown unit; it is left as it is. */
  readonly problem: string | null;
}

/** What a unit should be in the service. */
export interface UnitPayload {
  readonly fields: Fields;
  /** Source id of the parent; `null`: the top. */
  readonly parent: string | null;
}

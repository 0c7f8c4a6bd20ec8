import type { Fields } from './fields.ts';

/** A record of the source, after mapping: an organizational unit that should be. */
export interface Unit {
  /** Source id: the identity of the record, whatever else changes (promise 4). */
  readonly id: string;
  /** How other records name this unit: any of them. Canonical text (a DN is parsed and spelled one way). */
  readonly refs: readonly string[];
  /** A ref of the parent; `null`: the top, below the service's root. */
  readonly parent: string | null;
  /** `name` is always there and not empty. */
  readonly fields: Fields;
}

/** One membership of a person in a unit. */
export interface Position {
  /** A ref of the unit; `null`: the service's root. */
  readonly unit: string | null;
  /** `job_title`, `primary`, `chief`, `source_type`, where mapped. */
  readonly fields: Fields;
}

/** A record of the source, after mapping: a person who should be. */
export interface Person {
  readonly id: string;
  readonly username: string;
  /** `null`: the rule for `active` failed to evaluate, so it is unknown. */
  readonly active: boolean | null;
  /** Mapped fields that are no secrets; `name` is always there and not empty. */
  readonly fields: Fields;
  /** Mapped secrets; see `PERSON_FIELDS`. Never logged, journalled or stored in the clear. */
  readonly secrets: Fields;
  readonly positions: readonly Position[];
}

/** A row of a separate positions query. */
export interface PositionRow {
  /** Source id of the person. */
  readonly person: string;
  readonly position: Position;
}

export type Subject = 'unit' | 'person' | 'position';

/** A record that could not be mapped: it is left as it is, with what hangs below it (promise 5). */
export interface Refusal {
  readonly subject: Subject;
  /** Source id (for a position: of its person), or `null` where not even that can be read. */
  readonly id: string | null;
  /** Where the record stands, for a human: a DN, or the number of its row. */
  readonly place: string;
  /** Field or position field that failed. */
  readonly field: string;
  /** What is wrong with it and what to do, without the value of a secret. */
  readonly reason: string;
}

/** One record as read: mapped, or refused with a reason. */
export type Reading<T> =
  { readonly ok: true; readonly record: T } | { readonly ok: false; readonly refusal: Refusal };

import type { Person, Reading, Unit } from '../../domain/records/records.ts';
import type { SourceEvidence } from '../../domain/reading/source.ts';
import type { FieldCount } from './field-counts.ts';
import type { PropertyValues } from './property-values.ts';
import type { IncrementsTried } from './try-increments.ts';
import type { Group } from './groups.ts';

/** What one complete read of the source has shown. */
export interface Survey {
  readonly evidence: SourceEvidence;
  /** What the account could change in the source, in a few words; `null`: nothing. */
  readonly mayChange: string | null;
  /** `null`: `source.changes` is off. */
  readonly increments: IncrementsTried | null;
  readonly units: Counted;
  readonly people: Counted & { readonly left: number; readonly unknown: number };
  /** `placed`: positions in a unit that can be used, or at the root. */
  readonly positions: Counted & { readonly placed: number };
  readonly samples: readonly (Reading<Unit> | Reading<Person>)[];
  /** Records that are left as they are, grouped by reason. */
  readonly refused: readonly Group[];
  /**
   * Fields that cannot be read, grouped by reason: the field stays as it is, the rest of the record goes on.
   */
  readonly lost: readonly Group[];
  readonly badUnits: readonly Group[];
  /** Ids and usernames that several records share. */
  readonly shared: readonly Group[];
  /** People grouped by the reference that no unit has or several have, or by the unit that cannot be used. */
  readonly unitRefs: readonly Group[];
  /** Active people without any position. */
  readonly withoutUnit: Group;
  /** Rows of positions for somebody who is not among the people. */
  readonly strayRows: Group;
  /** Units and people whom `where` leaves out, by the expression. */
  readonly outOfScope: readonly Group[];
  /** People for whom `sync.protect.where` holds. */
  readonly protectedPeople: Group;
  readonly rootFound: boolean;
}

interface Counted {
  /** Records that could be mapped. */
  readonly count: number;
  readonly fields: readonly FieldCount[];
}

export interface SurveyOptions {
  /** `sync.root`. */
  readonly root: string | null;
  readonly samples: number;
  /** Gets everybody, to compare values with data schemas. */
  readonly values: PropertyValues;
  readonly signal: AbortSignal;
}

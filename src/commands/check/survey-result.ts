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
  readonly people: Counted & { readonly left: number };
  /** `atRoot`: positions that name no unit. */
  readonly positions: Counted & { readonly atRoot: number };
  readonly samples: readonly (Reading<Unit> | Reading<Person>)[];
  /** Those whom rows of positions name and who are not among the people. */
  readonly strangers: Group;
  /** Units and people whom `where` leaves out, by the expression. */
  readonly outOfScope: readonly Group[];
  /** People for whom `sync.protect.where` holds. */
  readonly protectedPeople: Group;
}

interface Counted {
  /** Records that could be mapped. */
  readonly count: number;
  readonly fields: readonly FieldCount[];
}

export interface SurveyOptions {
  readonly samples: number;
  /** Gets everybody, to compare values with data schemas. */
  readonly values: PropertyValues;
}

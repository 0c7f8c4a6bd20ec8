import type { Change } from '../domain/changes.ts';
import type { PositionSample, Sample } from '../domain/reading/source.ts';
import type { Findings, KnownRecord, UnitNames } from './known-record.ts';

/** A record of the source. `excludedBy` says which settings leave it out of scope; absent: none of a directory do. */
export type FoundSample = Sample & { readonly excludedBy?: string };

/** What the source and a plan made now say about one record. */
export interface Live {
  /** Records of the source that name the record; several may share an id or username. */
  readonly samples: readonly FoundSample[];
  /** Rows of a separate positions query. */
  readonly positions: readonly PositionSample[];
  /** `null`: no plan could be made. */
  readonly planned: PlannedLive | null;
  /** Sentences that say why source, service or plan could not be asked. */
  readonly problems: readonly string[];
}

/** The record once a plan was made: the private copy of the ledger says of it what a run would write down. */
export interface PlannedLive {
  readonly record: KnownRecord;
  readonly findings: Findings;
  readonly names: UnitNames;
  /** What a run would do: of two changes of a unit, the one that goes on. */
  readonly change: Change | null;
  readonly isHeld: boolean;
}

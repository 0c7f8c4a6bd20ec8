import type { Fields } from './fields.ts';
import type { UnitPayload } from './payload.ts';

/** A unit that now has a node made anew; its old node is remembered until it is deleted. */
export interface MovedUnit {
  readonly is: 'moved';
  readonly id: string;
  readonly orgId: string;
  readonly serialNo: string;
  readonly sent: UnitPayload;
  readonly accepted: Fields | null;
  /** See `UnitEntry`. */
  readonly made?: Fields;
}

/** A node that a moved unit has left. */
export interface OldNode {
  readonly orgId: string;
  /** Source id of the unit. */
  readonly unit: string;
}

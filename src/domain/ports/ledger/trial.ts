import type { Fields } from '../../records/fields.ts';
import type { Unread } from '../service.ts';

/** An account used to try whether an import clears what it leaves out. */
export interface Trial {
  /** Source id. */
  readonly id: string;
  readonly username: string;
  /** Values that were shown before and that nobody has mapped, by name; `properties.ID` for a property. */
  readonly shown: Fields;
  /** The same for values in a form that cannot be sent back. */
  readonly unread?: Unread;
  /** Time, ms, of an import that a person approved: nothing that it cleared can be given back. */
  readonly approvedAt?: number;
}

import type { Fields } from '../../records/fields.ts';
import type { Unread } from '../service.ts';

/** An account on which it is tried whether an import clears what it leaves out. */
export interface Trial {
  /** Source id. */
  readonly id: string;
  readonly username: string;
  /** Shown before and mapped by nobody: by name, `properties.ID` for one of those. */
  readonly shown: Fields;
  /** Likewise of what is in no form that can be sent back. */
  readonly unread?: Unread;
  /** Imported then, ms, since a person approved it: nothing of it can be given back. */
  readonly approvedAt?: number;
}

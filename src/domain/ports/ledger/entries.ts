import type { Fields } from '../../records/fields.ts';
import type { PersonPayload, UnitPayload } from '../../records/payload.ts';
import type { RecordState } from '../../records/next.ts';
import type { Shown } from '../shown.ts';

export interface UnitEntry {
  readonly id: string;
  readonly state: RecordState;
  /** Organization id; `null` while creating; for a removed unit its last one. */
  readonly orgId: string | null;
  readonly serialNo: string;
  readonly sent: UnitPayload;
  /** Fields of the node as read back after our last write; `null`: not read back yet. */
  readonly accepted: Fields | null;
}

export interface PersonEntry {
  readonly id: string;
  readonly username: string;
  readonly state: RecordState;
  readonly employeeId: string | null;
  readonly sent: PersonPayload;
  /** Organization ids of the nodes that the units of `sent` had then; absent: nothing was sent yet. */
  readonly nodes?: readonly string[];
  /** Hash of the compared secrets as sent. */
  readonly secretHash: string | null;
  /** What the service showed after our last write; `null`: not read back yet. */
  readonly accepted: Shown | null;
  readonly misses: number;
  /** Time of the last miss, ms, or `null`. */
  readonly missedAt: number | null;
  /** When the lock was sent that is shown, or, if the state is another one than `disabled`, is not shown yet; ms. */
  readonly disabledAt: number | null;
  /** Group that had members, and showed none any more when the person was missing for the first time: its DN. */
  readonly missedBy?: string;
  /** The part of the source that last brought the person, see `Placed.broughtBy`; absent: it has one part alone. */
  readonly broughtBy?: string;
  /** The username that the source had last; absent: that of the account. */
  readonly usernameInSource?: string;
}

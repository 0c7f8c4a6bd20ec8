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
  /** What a node showed that was made just now: see `UnitEntry`. */
  readonly made?: Fields;
}

/** A node that a moved unit has left. */
export interface OldNode {
  readonly orgId: string;
  /** Source id of the unit. */
  readonly unit: string;
}

const TAG = '~moved';
const TAGGED = /^(?<serialNo>.*)~moved\d*$/su;

/**
 * Returns the serial number for the old node of a moved unit, so that the unit's own one is free for the new
 * node: `SERIAL~moved`, or `SERIAL~moved2` and so on while an older node of the same unit still waits to be
 * deleted.
 */
export function tagged(serialNo: string, isTaken: (tag: string) => boolean): string {
  for (let count = 1; ; count += 1) {
    const tag = serialNo + TAG + (count === 1 ? '' : String(count));
    if (!isTaken(tag)) return tag;
  }
}

/** Returns the serial number without the tag; `null`: not tagged. */
export function untagged(serialNo: string | null): string | null {
  return (serialNo === null ? undefined : TAGGED.exec(serialNo)?.groups?.['serialNo']) ?? null;
}

import type { PersonPayload, UnitPayload } from './payload.ts';

/** How the hash of a pinned record begins: no record of the source has such a one, so it is compared anew afterwards. */
export const PINNED_HASH = 'pinned ';

/** What a pinned person should be, in place of what the source says. */
export interface PinnedPerson {
  readonly active: boolean;
  readonly payload: PersonPayload;
}

/** What a pinned unit should be; `null`: it is not to be there. */
export type PinnedUnit = UnitPayload | null;

interface PinBase {
  /** Source id. */
  readonly id: string;
  /** Username, or name of the unit. */
  readonly label: string;
  /** Id of the run that was reverted. */
  readonly run: string;
}

/** A record in the state that a revert wants, which replaces the state in the source. */
export type PinnedRecord =
  | (PinBase & { readonly subject: 'person'; readonly wanted: PinnedPerson })
  | (PinBase & { readonly subject: 'unit'; readonly wanted: PinnedUnit });

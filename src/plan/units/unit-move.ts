import type { UnitEntry } from '../../domain/ports/ledger/entries.ts';
import type { UnitPayload } from '../../domain/records/payload.ts';
import type { Organization } from '../../domain/ports/service.ts';
import type { UnitChangeParts } from './unit-change.ts';

/** Why a unit needs another node, and what that follows from. */
export type Move = Required<Pick<UnitChangeParts, 'why' | 'guard' | 'cause' | 'fields'>>;

/** An entry that has a node. */
export type Placed = UnitEntry & { readonly orgId: string };

export interface Moving {
  readonly entry: Pick<Placed, 'id' | 'orgId' | 'serialNo' | 'sent'>;
  readonly node: Organization;
  readonly move: Move;
}

/** A node that becomes the unit's. */
export interface Found {
  readonly node: Organization;
  readonly serialNo: string;
  /** The unit had another one before: what was last sent of it. */
  readonly before: UnitPayload | null;
}

import type { FieldChange, Origin, PersonChange, PersonChangeKind } from '../../domain/changes.ts';
import type { PersonRow } from '../../domain/ports/ledger/person-row.ts';
import type { PersonPayload, PlacedPosition } from '../../domain/records/payload.ts';
import type { Guard, SyncSettings } from '../../domain/settings.ts';
import type { Shown } from '../../domain/ports/shown.ts';
import { stagedOf } from './staged-of.ts';

/**
 * What becomes of one person. `forget`: was ours, is neither in the source nor in the service.
 * `close`: nothing to do; what is shown now is taken as ours. `misses`: complete reads without the person, this one
 * included.
 */
export type PersonDecision =
  | ({ readonly is: 'change'; readonly change: PersonChange; readonly misses?: number } & Beside)
  | { readonly is: 'blocked'; readonly reason: string; readonly misses?: number }
  | { readonly is: 'drift'; readonly fields: readonly FieldChange[]; readonly reason?: string }
  | { readonly is: 'miss'; readonly misses: number }
  | { readonly is: 'close'; readonly accepted: Shown | null }
  | { readonly is: 'forget' }
  | ({ readonly is: 'none' } & Beside);

/** A part of the record that is left as it is, and why: listed, while the rest goes on. */
interface Beside {
  readonly beside?: string;
}

export interface PersonRules {
  readonly sync: SyncSettings;
  /** ms, our clock. */
  readonly now: number;
  /** The earlier of our clock and the service's: what cannot be undone is due by both. */
  readonly surely: number;
  readonly orgIdOf: (unit: string | null) => string | undefined;
  /** The unit of a node, `null` for the service's root; without it the nodes of the person's own units are known. */
  readonly unitOf?: (orgId: string) => string | null | undefined;
  /** Whether a position at this node is ours, so that it goes where it is not wanted; all are without it. */
  readonly isOurs?: ((orgId: string) => boolean) | undefined;
  /** Units that this plan moves, each with the topmost that it follows, or itself. */
  readonly moving: ReadonlyMap<string, string>;
  /** Organization ids of nodes that moved units have left. */
  readonly oldNodes: ReadonlySet<string>;
  /** Organization ids that the ledger has for units, of nodes that are not theirs any more by what they show. */
  readonly lostNodes?: ReadonlySet<string>;
  readonly isProtected: (username: string) => boolean;
}

/** Somebody whom we know, with an account of ours or one in doubt. */
export function hasAccount({ entry }: PersonRow): boolean {
  return entry !== null && entry.state !== 'removed';
}

export const NONE: PersonDecision = { is: 'none' };
export const FORGET: PersonDecision = { is: 'forget' };

export interface ChangeParts {
  readonly row: PersonRow;
  readonly payload: PersonPayload;
  readonly why: string;
  readonly origin?: Origin;
  readonly guard: Guard | null;
  readonly fields?: readonly FieldChange[];
  /** Source id of the moved unit that it follows. */
  readonly cause?: string | null;
  /** Where the person was, in units. */
  readonly before?: readonly PlacedPosition[];
  /** Of another account than we know, which is meant. */
  readonly employeeId?: string;
}

/** Ours is gone by its id, and another account has the username now. */
export function isMadeAnew({ employee, entry }: PersonRow): boolean {
  const known = entry?.employeeId ?? null;
  return employee !== null && known !== null && employee.id !== known;
}

/** The account's username, as the service spells it; who was removed comes back under the one that the source has now. */
function usernameOf(row: PersonRow): string {
  const { entry, employee } = row;
  if (employee !== null) return employee.username;
  if (entry !== null && hasAccount(row)) return entry.username;
  return stagedOf(row)?.username ?? entry?.username ?? '';
}

/** The account that we know: another one that has its username by now is somebody else's. */
function ownEmployeeId({ entry }: PersonRow): string | null {
  return entry === null || entry.state === 'removed' ? null : entry.employeeId;
}

function sentBefore({ entry }: PersonRow): readonly PlacedPosition[] {
  return entry === null || entry.state === 'creating' || entry.state === 'removed'
    ? []
    : entry.sent.positions;
}

/** Positions as the service shows them, those in units. */
export function shownPlaces(shown: Shown | undefined, rules: PersonRules): readonly PlacedPosition[] {
  return (shown?.positions ?? []).flatMap(({ orgId, fields }) => {
    const unit = rules.unitOf?.(orgId);
    return unit === undefined ? [] : [{ unit, fields }];
  });
}

export function change(
  kind: PersonChangeKind,
  {
    row,
    payload,
    why,
    origin,
    guard,
    cause = null,
    fields = [],
    before = sentBefore(row),
    ...parts
  }: ChangeParts,
): PersonDecision {
  const username = usernameOf(row);
  const employeeId = parts.employeeId ?? ownEmployeeId(row) ?? row.employee?.id ?? null;
  return {
    is: 'change',
    change: {
      subject: 'person',
      kind,
      id: row.id,
      username,
      why,
      ...(origin !== undefined && { origin }),
      fields,
      guard,
      cause,
      payload,
      ...(before.length > 0 && { before }),
      employeeId,
    },
  };
}

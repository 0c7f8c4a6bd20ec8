import type { FieldChange, PersonChange, PersonChangeKind } from '../../domain/changes.ts';
import type { Shown } from '../../domain/ports/shown.ts';
import type { PersonPayload, PlacedPosition } from '../../domain/records/payload.ts';
import type { Reason } from '../../domain/reasons/reason.ts';
import type { Doubt } from '../../domain/records/records.ts';
import type { SyncSettings } from '../../domain/settings.ts';
import { nodeLabels } from '../values/compare.ts';
import type { Nodes } from '../values/compare-shown.ts';
import type { Facts } from './match.ts';
import { foldUsername } from '../../domain/text/fold.ts';
import { withPrimary } from './positions.ts';

/**
 * What becomes of one person. `forget`: was only claimed, and is neither in the source nor in the service. `close`:
 * nothing to do; what is shown now is taken as ours. `misses`: complete reads without the person, this one included.
 */
export type PersonDecision =
  | { readonly is: 'change'; readonly change: PersonChange; readonly misses?: number }
  | { readonly is: 'blocked'; readonly reason: Reason; readonly misses?: number }
  | { readonly is: 'drift'; readonly fields: readonly FieldChange[]; readonly reason?: Reason }
  | { readonly is: 'miss'; readonly misses: number }
  | { readonly is: 'close'; readonly accepted: Shown | null }
  | { readonly is: 'forget' }
  | { readonly is: 'none' };

export interface PersonRules {
  readonly sync: SyncSettings;
  /** Our clock, ms. */
  readonly now: number;
  /** The earlier of our clock and the service's, ms: what cannot be undone has to be due by both. */
  readonly surely: number;
  readonly orgIdOf: (unit: string | null) => string | undefined;
  /**
   * Returns the unit of a node, `null` for the service's root. Without it only the nodes of the person's own units are
   * known.
   */
  readonly unitOf?: (orgId: string) => string | null | undefined;
  /**
   * Returns whether a position at this node is ours, and so is taken away if it is not wanted. Without it all are.
   */
  readonly isOurs?: ((orgId: string) => boolean) | undefined;
  /** Units that this plan moves, each with the topmost moved unit that it follows, or with itself. */
  readonly moving: ReadonlyMap<string, string>;
  /** Units that are groups and show no member. Without it there are none. */
  readonly emptied?: ReadonlySet<string>;
  /** Returns whether nothing is decided about a unit in this run. Without it there is none. */
  readonly isBlocked?: (unit: string) => boolean;
  /** Returns whether an account is protected: by its username, or the person by source id. */
  readonly isProtected: (username: string, id: string) => boolean;
  /**
   * Returns whether the service shows a field at all. If it no longer shows the field of any person, that is
   * no edit. Absent: it shows all fields.
   */
  readonly showsField?: (field: string) => boolean;
  /** Whether the first load has ended: until then accounts of others are taken over under any name. */
  readonly isLoaded?: boolean;
}

/** One kind of these. */
type Decided<Is extends PersonDecision['is']> = Extract<PersonDecision, { readonly is: Is }>;

export const NONE: PersonDecision = { is: 'none' };

export const waits = (reason: Reason): Decided<'blocked'> => ({ is: 'blocked', reason });

export interface ChangeParts extends Pick<PersonChange, 'payload' | 'why' | 'guard' | 'isOthers' | 'claims'> {
  readonly fields?: readonly FieldChange[];
  /** Source id of the moved unit that the person follows. */
  readonly cause?: string | null;
  /** The units where the person was. */
  readonly before?: readonly PlacedPosition[];
  readonly doubt?: Doubt | undefined;
}

/** Returns a change of the account that the facts are about. */
export function change(
  kind: PersonChangeKind,
  facts: Facts,
  { cause = null, fields = [], before = sentBefore(facts), doubt, ...parts }: ChangeParts,
): Decided<'change'> {
  const { id, known } = facts;
  const broughtBy = known.entry?.broughtBy;
  return {
    is: 'change',
    change: {
      subject: 'person',
      kind,
      id,
      username: usernameOf(facts, kind),
      ...parts,
      fields,
      cause,
      ...(before.length > 0 && { before }),
      ...(doubt !== undefined && { doubt }),
      ...(broughtBy !== undefined && { broughtBy }),
      employeeId: employeeIdOf(facts, kind),
    },
  };
}

/** Returns the id of the known account; of who has none, that of the account with the username. */
function employeeIdOf({ known, actual }: Facts, kind: PersonChangeKind): string | null {
  const knownId = known.entry?.employeeId ?? null;
  const shownId = actual.employee?.id ?? null;
  if (known.is === 'unknown' || known.is === 'gone') return shownId ?? (kind === 'create' ? null : knownId);
  return knownId ?? shownId;
}

/**
 * Returns the account's username as the service spells it; of one that is to be made, that of the record. Who had an
 * account keeps its spelling: a service that tells upper from lower case would have two users.
 */
function usernameOf({ known, actual, desired }: Facts, kind: PersonChangeKind): string {
  if (actual.employee !== null) return actual.employee.username;
  const [inSource, ours] = [desired.record?.username, known.entry?.username];
  if (ours === undefined || inSource === undefined) return ours ?? inSource ?? '';
  return kind === 'create' && foldUsername(inSource) !== foldUsername(ours) ? inSource : ours;
}

function sentBefore({ known }: Facts): readonly PlacedPosition[] {
  const isSent = known.is !== 'unknown' && known.is !== 'claimed';
  return isSent ? (known.entry?.sent.positions ?? []) : [];
}

/** Returns what the person should be: what the source wants now, or what was last sent. */
export function payloadOf({ desired: { record }, known: { entry } }: Facts): PersonPayload {
  if (record === null) return entry?.sent ?? { fields: {}, positions: [] };
  const { fields, positions } = record.payload;
  return { fields, positions: withPrimary(positions, entry?.sent.positions ?? []) };
}

/** Returns the positions that the service shows, those in units or at the root. */
export function shownPlaces(shown: Shown | undefined, rules: PersonRules): readonly PlacedPosition[] {
  return (shown?.positions ?? []).flatMap(({ orgId, fields }) => {
    const unit = rules.unitOf?.(orgId);
    return unit === undefined ? [] : [{ unit, fields }];
  });
}

/** Returns which nodes are ours, and how a change spells them. */
export function nodesOf(rules: PersonRules, payloads: readonly PersonPayload[]): Nodes {
  return { isOurs: rules.isOurs, nameOf: nodeLabels(rules, payloads) };
}

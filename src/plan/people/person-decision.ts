import type { FieldChange, Origin, PersonChange, PersonChangeKind } from '../../domain/changes.ts';
import type { PersonEntry } from '../../domain/ports/ledger/entries.ts';
import type { EmployeeView, PersonRow } from '../../domain/ports/ledger/person-row.ts';
import { foldName } from '../../domain/text/fold.ts';
import type { StagedPerson } from '../../domain/ports/ledger/source-stage.ts';
import type { Shown } from '../../domain/ports/shown.ts';
import type { PersonPayload, PlacedPosition } from '../../domain/records/payload.ts';
import type { Doubt } from '../../domain/records/records.ts';
import type { Guard, SyncSettings } from '../../domain/settings.ts';

/**
 * What becomes of one person. `forget`: was only claimed, and is neither in the source nor in the service. `close`:
 * nothing to do; what is shown now is taken as ours. `misses`: complete reads without the person, this one included.
 */
export type PersonDecision =
  | ({ readonly is: 'change'; readonly change: PersonChange; readonly misses?: number } & PartialReason)
  | { readonly is: 'blocked'; readonly reason: string; readonly misses?: number }
  | { readonly is: 'drift'; readonly fields: readonly FieldChange[]; readonly reason?: string }
  | { readonly is: 'miss'; readonly misses: number }
  | { readonly is: 'close'; readonly accepted: Shown | null }
  | { readonly is: 'forget' }
  | ({ readonly is: 'none' } & PartialReason);

/** Why a part of the record is left as it is: that is listed, while the rest goes on. */
interface PartialReason {
  readonly partialReason?: string;
}

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
  /** Organization ids of nodes that moved units have left. */
  readonly oldNodes: ReadonlySet<string>;
  /** Organization ids that the ledger has for units, of nodes that show that they are not theirs any more. */
  readonly lostNodes?: ReadonlySet<string>;
  /** Returns whether an account is protected: by its username, or the person by source id. */
  readonly isProtected: (username: string, id: string) => boolean;
  /**
   * Returns whether the service shows a field at all. If it no longer shows the field of any person, that is
   * no edit. Absent: it shows all fields.
   */
  readonly showsField?: (field: string) => boolean;
}

/** Returns whether we know the person, with an account of ours or one in doubt. */
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
  /** Source id of the moved unit that the person follows. */
  readonly cause?: string | null;
  /** The units where the person was. */
  readonly before?: readonly PlacedPosition[];
  /** The id of the account that is meant, if it is another one than we know. */
  readonly employeeId?: string;
  /** As in a `PersonChange`. */
  readonly doubt?: Doubt | undefined;
}

/** What is known of a person, and the account that is shown. */
interface Account {
  readonly entry: Pick<PersonEntry, 'employeeId'> | null;
  readonly employee: Pick<EmployeeView, 'id'> | null;
}

/** Returns whether our account is gone by its id, and another account has the username now. */
export function isMadeAnew({ employee, entry }: Account): boolean {
  const known = entry?.employeeId ?? null;
  return employee !== null && known !== null && employee.id !== known;
}

/**
 * Returns the account's username as the service spells it. A person who was removed comes back under the username that
 * the source has now.
 */
function usernameOf(row: PersonRow): string {
  const { entry, employee } = row;
  if (employee !== null) return employee.username;
  if (entry !== null && hasAccount(row)) return entry.username;
  return stagedOf(row)?.username ?? entry?.username ?? '';
}

/** Returns the id of the known account: another account that now has its username is not ours. */
function ownEmployeeId({ entry }: PersonRow): string | null {
  return entry === null || entry.state === 'removed' ? null : entry.employeeId;
}

function sentBefore({ entry }: PersonRow): readonly PlacedPosition[] {
  return entry === null || entry.state === 'creating' || entry.state === 'removed'
    ? []
    : entry.sent.positions;
}

/** Returns the positions that the service shows, those in units or at the root. */
export function shownPlaces(shown: Shown | undefined, rules: PersonRules): readonly PlacedPosition[] {
  return (shown?.positions ?? []).flatMap(({ orgId, fields }) => {
    const unit = rules.unitOf?.(orgId);
    return unit === undefined ? [] : [{ unit, fields }];
  });
}

const broughtBy = ({ entry }: PersonRow): Pick<PersonChange, 'broughtBy'> =>
  entry?.broughtBy === undefined ? {} : { broughtBy: entry.broughtBy };

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
      ...(parts.doubt !== undefined && { doubt: parts.doubt }),
      ...broughtBy(row),
      employeeId,
    },
  };
}

/** Returns the record of the source, `null` if it is missing, unchanged or cannot be used. */
export function stagedOf({ desired }: PersonRow): StagedPerson | null {
  return typeof desired === 'string' ? null : desired;
}

/** Notes why a part of the record is left as it is. The rest goes on, and the next run compares the record anew. */
export function withReason(decision: PersonDecision, reason: string): PersonDecision {
  if (decision.is === 'change')
    return { is: 'change', change: { ...decision.change, partial: true }, partialReason: reason };
  if (decision.is === 'drift') return { ...decision, reason };
  const isDone = decision.is === 'close' || decision.is === 'none';
  return isDone ? { is: 'none', partialReason: reason } : decision;
}

type Named = Pick<PersonPayload, 'fields'>;

/** Returns whether both have the same name, apart from case and blanks. A name that is not known is never the same. */
export function isSameName(a: Named, b: Named): boolean {
  const [one, other] = [a.fields['name'], b.fields['name']];
  return typeof one === 'string' && typeof other === 'string' && foldName(one) === foldName(other);
}

/** Marks a change of an account that others made under another person's name (promise 2). */
export function markOthersAccount(made: PersonChange, row: PersonRow): PersonChange {
  const { employee, entry } = row;
  if (employee === null || made.guard === 'usernameReuse') return made;
  const isOthers =
    entry === null || entry.state === 'removed' || (entry.state !== 'creating' && isMadeAnew(row));
  if (!isOthers || isSameName(made.payload, employee.shown)) return made;
  const name = employee.shown.fields['name'];
  const whose = typeof name === 'string' ? `has the name ${name}` : 'shows no name';
  return { ...made, why: `${made.why}; the account was made by others and ${whose}`, isOthers: true };
}

import type { FieldValue } from './records/fields.ts';
import type { KeptUsername } from './records/account-named.ts';
import type { PersonPayload, PlacedPosition, UnitPayload } from './records/payload.ts';
import type { Reason, ReasonCode } from './reasons/reason.ts';
import type { Doubt } from './records/records.ts';
import type { Guard } from './guards.ts';
import type { SourceEvidence } from './reading/source.ts';

export const UNIT_CHANGES = ['create', 'update', 'move', 'remove', 'adopt'] as const;
export const PERSON_CHANGES = ['create', 'update', 'adopt', 'disable', 'enable', 'remove'] as const;
export type UnitChangeKind = (typeof UNIT_CHANGES)[number];
/**
 * `forget`: the account vanished from the service and is no longer wanted; nothing is sent, and the counts
 * leave it out.
 */
export type PersonChangeKind = (typeof PERSON_CHANGES)[number] | 'forget';

/** One field of a change, before and after. `from` is `null` if nothing was there or it is not known. */
export interface FieldChange {
  readonly field: string;
  readonly from: FieldValue | null;
  readonly to: FieldValue | null;
}

interface ChangeBase {
  /** Source id. */
  readonly id: string;
  readonly why: Reason;
  readonly fields: readonly FieldChange[];
  /** The guard whose count this change adds to. */
  readonly guard: Guard | null;
  /** Source id of the moved unit that causes this change; the change is held and released with that move. */
  readonly cause: string | null;
  /**
   * Fields that an import clears, or that a move to a new node loses: the service shows them, no rule maps
   * them and no call can set them. `certain`: they will be lost; otherwise the service may keep them.
   */
  readonly loses?: { readonly fields: readonly string[]; readonly certain: boolean };
  /** Set if nothing in the record itself explains the change (promise 14). */
  readonly doubt?: Doubt;
  /**
   * Set if others made the account under another person's name, or the unit's node shows that it is another's: the guard
   * `adopted` always holds it.
   */
  readonly isOthers?: true;
}

export interface UnitChange extends ChangeBase {
  readonly subject: 'unit';
  readonly kind: UnitChangeKind;
  readonly name: string;
  /** What the unit becomes; of a removed unit: what it was. */
  readonly payload: UnitPayload;
  readonly serialNo: string;
  /** Organization id, if the unit has one already. */
  readonly orgId: string | null;
}

export interface PersonChange extends ChangeBase {
  readonly subject: 'person';
  readonly kind: PersonChangeKind;
  readonly username: string;
  /** What is imported; for a leaver: what was last sent. */
  readonly payload: PersonPayload;
  /** Source id of the other person whose username, or account, the record comes with. */
  readonly claims?: string;
  /** Employee id from the employees list, never from an import's answer. */
  readonly employeeId: string | null;
  /** The part of the source that last brought the person, see `Placed.broughtBy`. */
  readonly broughtBy?: string;
  /** Units in which the person was, and those above them; given if the change empties something. */
  readonly unitsAbove?: readonly string[];
  /**
   * Positions of the person before, in units: as last sent, or as shown if the account is adopted or was
   * edited.
   */
  readonly before?: readonly PlacedPosition[];
}

export type Change = UnitChange | PersonChange;

/** Kinds of changes by which a person comes, goes or comes back: only their own record may bring these about (promise 14). */
export const COMES_OR_GOES: readonly Change['kind'][] = ['create', 'enable', 'disable', 'remove'];

/** Reasons of changes that set back edits made in the service. */
export const REPAIRS: readonly ReasonCode[] = ['edited', 'enabledAgain'];

/**
 * Returns whether a change sets back an edit that was made in the service. Repairs are counted, so that
 * rollcall does not set back the same field for ever (promise 9).
 */
export function isRepair({ why }: Change): boolean {
  return REPAIRS.includes(why.code);
}

/** Returns whether a change gives a managed account to another source id; nothing is sent for it. */
export function isRekey(change: Change): boolean {
  return change.kind === 'adopt' && change.fields.some(({ field }) => field === 'id');
}

/** Returns what tells one record from all others: ids of units and of people may be the same. */
export const recordKey = ({ subject, id }: Pick<Blocked, 'subject' | 'id'>): string => `${subject} ${id}`;

/** A record that is left as it is, and what it waits for. */
export interface Blocked {
  readonly subject: 'unit' | 'person';
  readonly id: string;
  /** Username or unit name if known, else the id. */
  readonly label: string;
  /** Display name of a person, if it is known. */
  readonly name?: string;
  readonly reason: string;
  /** Set if only a part of the record is left as it is, and the rest goes on. */
  readonly goesOn?: true;
}

/** Records that were edited in the service and stay edited (`sync.drift: report`). */
export interface Edited {
  readonly units: number;
  readonly people: number;
  /** The first hundred records, with the fields in their reasons. */
  readonly first: readonly Blocked[];
}

export const NO_EDITS: Edited = { units: 0, people: 0, first: [] };

/**
 * People who are missing in the source, and keep their accounts until they have been missing often enough.
 */
export interface WaitingLeavers {
  /** Number of complete reads in a row that did not have them. */
  readonly misses: number;
  /** When they were last missed, ms. */
  readonly missedAt: number;
  readonly count: number;
  /** The first ten people. */
  readonly first: readonly { readonly id: string; readonly username: string; readonly name?: string }[];
}

/** Changes that a guard stopped until a person approves them. */
export interface Held {
  readonly guard: Guard;
  /** Hash that `--approve` takes. */
  readonly hash: string;
  readonly count: number;
  readonly limit: number;
  /** The first ten records: `username (Display Name)`, or `name (id)` of a unit. */
  readonly first: readonly string[];
  /** What was compared, in words: whose limit it is, and what else counts. */
  readonly about: string;
  /** The likely cause, in words: what these records have in common and the others have not; `null`: nothing stands out. */
  readonly cause: string | null;
}

/** Counts of `plan --json` and of `run.end`. */
export interface ChangeCounts {
  readonly units: Readonly<Record<UnitChangeKind, number>>;
  readonly people: Readonly<Record<(typeof PERSON_CHANGES)[number], number>>;
}

/**
 * Evidence that a read of the service is complete: it has as many distinct ids as `total_count` says, and
 * every person was asked for by name.
 */
export interface ServiceEvidence {
  readonly organizations: { readonly count: number; readonly total: number };
  readonly users: { readonly count: number; readonly total: number };
  /** Number of usernames that the employees list was asked for, and of those that are employees here. */
  readonly employees: { readonly asked: number; readonly found: number };
}

/** Proof that both sides were read to their ends. */
export interface Evidence {
  readonly source: SourceEvidence;
  readonly service: ServiceEvidence;
}

/** What a plan puts back of a run. */
export interface Reverts {
  /** Id of the run. */
  readonly run: string;
  /** Number of records that the run changed and that were asked for. */
  readonly records: number;
  /** What is not put back, and why. */
  readonly notBack: readonly Blocked[];
}

export interface Plan {
  /**
   * Hash of source ids, kinds of change and values before and after; times, service ids and order do not
   * count.
   */
  readonly hash: string;
  readonly full: boolean;
  readonly evidence: Evidence;
  readonly counts: ChangeCounts;
  readonly held: readonly Held[];
  /** Number of listed changes that are held, with those that follow a held move. */
  readonly heldChanges: number;
  /**
   * Number of changes that are sent at least in part: not held as a whole, and waiting for nothing that is
   * held.
   */
  readonly flowing: number;
  readonly blocked: readonly Blocked[];
  /** Units that are to be removed and are not empty yet: of a dry run, which plans nothing for them. */
  readonly occupied: readonly Blocked[];
  /** People who leave after a further read, this one counted, by number of misses. */
  readonly waiting: readonly WaitingLeavers[];
  readonly edited: Edited;
  /** Accounts that keep their username while the source has another one. */
  readonly kept: readonly KeptUsername[];
  /** What a revert puts back; `null`: it is none. */
  readonly reverts: Reverts | null;
  /** Zone in which days are shown, `sync.timezone`. */
  readonly timezone: string;
  /** Names of units by source id: all units that source and ledger know. */
  readonly unitNames: ReadonlyMap<string, string>;
  /** Expected number of calls of apply and verify. */
  readonly calls: number;
  readonly estimatedSeconds: number;
}

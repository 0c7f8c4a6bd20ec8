import type { FieldValue } from './records/fields.ts';
import { emptiedOf } from './records/emptied.ts';
import type { KeptUsername } from './records/kept-username.ts';
import type { PersonPayload, PlacedPosition, UnitPayload } from './records/payload.ts';
import type { Guard } from './settings.ts';
import type { SourceEvidence } from './records/source.ts';

export const UNIT_CHANGES = ['create', 'update', 'move', 'remove', 'adopt'] as const;
export const PERSON_CHANGES = ['create', 'update', 'adopt', 'disable', 'enable', 'remove'] as const;
export type UnitChangeKind = (typeof UNIT_CHANGES)[number];
/** `forget`: it vanished from the service and is wanted no longer; nothing is sent, and it is not among the counts. */
export type PersonChangeKind = (typeof PERSON_CHANGES)[number] | 'forget';

/** One field of a change, before and after. `from` is `null` where nothing was there or it is not known. */
export interface FieldChange {
  readonly field: string;
  readonly from: FieldValue | null;
  readonly to: FieldValue | null;
}

/**
 * What brings a change about, where more follows from it than its words:
 * - `edited`: somebody edited the record in the service, and it is set back
 * - `enabledAgain`: somebody enabled an account that we disabled for a person who has left
 * - `disableUnshown`: a rehire, where the service shows nobody as disabled, or did not show that one
 */
export const ORIGINS = {
  edited: 'edited in the service',
  enabledAgain: 'enabled again in the service',
  disableUnshown: 'active in the source again, after a disable that the service has not shown',
} as const;

export type Origin = keyof typeof ORIGINS;

/** Returns an origin, and the words for it. */
export function because(origin: Origin): { readonly origin: Origin; readonly why: string } {
  return { origin, why: ORIGINS[origin] };
}

interface ChangeBase {
  /** Source id. */
  readonly id: string;
  /** Why, in a few words: `new in the source`, `left`, `edited in the service`. */
  readonly why: string;
  readonly origin?: Origin;
  readonly fields: readonly FieldChange[];
  /** The guard whose count this change adds to. */
  readonly guard: Guard | null;
  /** Source id of the moved unit without whose move this would not change; held and released with it. */
  readonly cause: string | null;
  /**
   * What is lost for good: shown, mapped by nobody, and not to be sent, by an import that clears it, or by a move to a
   * new node. `certain`: else the service may keep it.
   */
  readonly loses?: { readonly fields: readonly string[]; readonly certain: boolean };
  /** A guard holds a part of it: the record is compared anew by the next run. */
  readonly partial?: true;
}

export interface UnitChange extends ChangeBase {
  readonly subject: 'unit';
  readonly kind: UnitChangeKind;
  readonly name: string;
  /** What the unit becomes; of a removed one: what it was. */
  readonly payload: UnitPayload;
  readonly serialNo: string;
  /** Organization id, where there is one already. */
  readonly orgId: string | null;
}

export interface PersonChange extends ChangeBase {
  readonly subject: 'person';
  readonly kind: PersonChangeKind;
  readonly username: string;
  /** What is imported; of a leaver: what was last sent. */
  readonly payload: PersonPayload;
  /** From the employees list, never from an import's answer. */
  readonly employeeId: string | null;
  /** Where the person was, in units: as last sent, or as shown of an account that is adopted or was edited. */
  readonly before?: readonly PlacedPosition[];
  /** What happens instead while a guard holds it: to the old account of a replacement, to who is in a unit that moves. */
  readonly meanwhile?: PersonChange;
}

export type Change = UnitChange | PersonChange;

/** Sets back what somebody edited: counted, so that nobody is fought for ever (promise 9). */
export function isRepair({ origin }: Change): boolean {
  return origin === 'edited' || origin === 'enabledAgain';
}

/** Gives an account of ours to another source id; nothing is sent for it. */
export function isRekey(change: Change): boolean {
  return change.kind === 'adopt' && change.guard === 'usernameReuse';
}

/** Makes a new account for a person whose username changed; the old one leaves. */
export function isReplacement(change: Change): boolean {
  return change.subject === 'person' && change.kind === 'create' && change.guard === 'usernameReuse';
}

const EMPTIED = 'emptied person ';

export const emptiedBucket = (what: string): string => EMPTIED + what;

/** Returns what turns empty, of a bucket that counts it; `null` of any other bucket. */
export const emptiedIn = (bucket: string): string | null =>
  bucket.startsWith(EMPTIED) ? bucket.slice(EMPTIED.length) : null;

/** Disables an account that others made, as soon as it is found: counts apart from adoptions that change one. */
const isUnmanagedLeaver = ({ guard, kind }: Change): boolean => guard === 'adopted' && kind === 'disable';

/** Those of the joiners who come back: by them alone a guard sees that all who ever left would be let in. */
export const ENABLED_BUCKET = 'joiners person enabled';

/** Returns what a change counts under: its guard by subject, and each thing that it empties on its own. */
export function bucketsOf(change: Change): readonly string[] {
  const more = isUnmanagedLeaver(change) ? ' disabled' : '';
  const guards = [change.guard, change.loses !== undefined ? 'lost' : null];
  const own = guards.flatMap((guard) => (guard === null ? [] : [`${guard} ${change.subject}${more}`]));
  if (change.subject === 'unit') return own;
  if (change.kind === 'enable' && change.guard === 'joiners') own.push(ENABLED_BUCKET);
  return [...own, ...emptiedOf(change).map(({ what }) => emptiedBucket(what))];
}

/** A record that is left as it is, and what it waits for. */
export interface Blocked {
  readonly subject: 'unit' | 'person';
  readonly id: string;
  /** Username or unit name where known, else the id. */
  readonly label: string;
  readonly reason: string;
  /** Only a part of the record is left as it is, the rest goes on. */
  readonly goesOn?: true;
}

/** Records that somebody edited in the service, and that are left so (`sync.drift: report`). */
export interface Edited {
  readonly units: number;
  readonly people: number;
  /** The first hundred, with the fields in their reasons. */
  readonly first: readonly Blocked[];
}

export const NOBODY_EDITED: Edited = { units: 0, people: 0, first: [] };

/** People who are missing in the source and keep their accounts until they were missing often enough. */
export interface Waiting {
  /** Complete reads in a row that did not have them. */
  readonly misses: number;
  readonly count: number;
  /** The first ten. */
  readonly first: readonly { readonly id: string; readonly username: string }[];
}

/** Changes that a guard stopped until a person approves them. */
export interface Held {
  readonly guard: Guard;
  /** What `--approve` takes. */
  readonly hash: string;
  readonly count: number;
  readonly limit: number;
  /** The first ten records, `username (id)` or `name (id)`. */
  readonly first: readonly string[];
  /** What was compared, in words: whose limit it is, and what counts along. */
  readonly about: string;
}

/** Counts of `plan --json` and of `run.end`. */
export interface ChangeCounts {
  readonly units: Readonly<Record<UnitChangeKind, number>>;
  readonly people: Readonly<Record<(typeof PERSON_CHANGES)[number], number>>;
}

/** What a read of the service rests on: as many distinct ids as `total_count` says, everybody asked by name. */
export interface ServiceEvidence {
  readonly organizations: { readonly count: number; readonly total: number };
  readonly users: { readonly count: number; readonly total: number };
  /** Usernames that the employees list was asked for, and who of them are employees here. */
  readonly employees: { readonly asked: number; readonly found: number };
}

/** Proof that both sides were read to their ends. */
export interface Evidence {
  readonly source: SourceEvidence;
  readonly service: ServiceEvidence;
}

export interface Plan {
  /** Of source ids, kinds of change and values before and after; not of times, service ids or order. */
  readonly hash: string;
  readonly full: boolean;
  readonly evidence: Evidence;
  readonly counts: ChangeCounts;
  readonly held: readonly Held[];
  /** Changes of which a guard holds something, each counted once, with those that follow a held move. */
  readonly heldChanges: number;
  /** Changes of which something is sent: nothing holds all of it, and it waits for nothing that is held. */
  readonly flowing: number;
  /** Source, `sync.root` and the service's root node are those of the ledger, or approved; else nothing is sent. */
  readonly isReleased: boolean;
  readonly blocked: readonly Blocked[];
  /** Who leaves after a further read, this one counted; by misses. */
  readonly waiting: readonly Waiting[];
  readonly edited: Edited;
  /** Accounts that keep their username while the source has another one (`sync.usernameChange: keep`). */
  readonly kept: readonly KeptUsername[];
  /** Names of units by source id: all that source and ledger know. */
  readonly unitNames: ReadonlyMap<string, string>;
  /** Expected calls of apply and verify. */
  readonly calls: number;
  readonly estimatedSeconds: number;
}

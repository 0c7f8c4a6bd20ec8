import { foldUsername } from '../text/fold.ts';

/**
 * What rollcall knows of a record that it manages.
 *
 * - `creating`: journalled before the call that creates it; whether it exists is in doubt until it is read
 * - `managed`: ours, active
 * - `disabled`: ours, disabled by us (people only)
 * - `removed`: was ours; its username or serial number stays its own (promise 4)
 */
export type RecordState = 'creating' | 'managed' | 'disabled' | 'removed';

/** What the ledger knows of a person. `sent` and `accepted` are JSON: nothing here looks into them. */
export interface Known {
  readonly id: string;
  readonly username: string;
  /** The username that the source has, if it is another one. */
  readonly sourceName: string | null;
  readonly state: RecordState;
  readonly employeeId: string | null;
  /** When the account was made, ms on the service's clock. */
  readonly created: number | null;
  readonly sent: string;
  /** Nodes of the units that were last sent, JSON; `null`: nothing was sent. */
  readonly nodes: string | null;
  readonly accepted: string | null;
  /** Of the record as it was last compared; `null`: the next run compares it anew. */
  readonly hash: string | null;
  readonly print: string | null;
  readonly secretHash: string | null;
  readonly broughtBy: string | null;
  /** Whether something is unclear: then the person is decided anew, whatever the record says. */
  readonly open: boolean;
  readonly misses: number;
  readonly missedAt: number | null;
  readonly missedBy: string | null;
  /** When the lock was sent that is shown, or, if the state is another one than `disabled`, is not shown yet; ms. */
  readonly disabledAt: number | null;
}

/** The record of this read. */
export interface ReadRecord {
  readonly username: string;
  readonly active: boolean | null;
  readonly hash: string;
  readonly print: string | null;
  readonly secretHash: string | null;
  readonly broughtBy: string | null;
}

/** An account as the service shows it; `shown` is JSON. */
export interface ShownAccount {
  readonly id: string;
  readonly username: string;
  readonly locked: boolean;
  readonly created: number | null;
  readonly shown: string;
}

/**
 * What happens to a person:
 *
 * - `claimed`: a call is about to be sent. `joins`: it makes or adopts the account.
 * - `refused`: the service has refused it
 * - `imported`: the service has taken it. `isNew`: as a new account; `account`: id of the account that was last seen
 *   under the username
 * - `locking`: a lock is about to be sent; `at` null: it was refused
 * - `disabled`, `enabled`, `removed`: the service has done it
 * - `vanished`: the account is gone, and was not removed by us
 * - `unclear`: nobody knows what became of a call, or whose the account is, or the service does not show it
 * - `shown`: the service shows an account with the person's own id, or with the folded username. `isTaken`: another known
 *   person has that username
 * - `readBack`: the account is shown after a write, and taken as it is
 * - `unchanged`: nothing has to be sent. `hasLeft`: the record cannot be used, and says "left"
 * - `missing`, `here`: a complete read does not have the person, or has them again
 * - `nowhere`: neither source nor service has the person
 * - `rekeyed`: the source has another id for the person
 */
export type PersonEvent =
  | { readonly is: 'claimed'; readonly username: string; readonly sent: string; readonly joins: boolean }
  | { readonly is: 'refused' }
  | {
      readonly is: 'imported';
      readonly username: string;
      readonly sent: string;
      readonly nodes: string;
      readonly isNew: boolean;
      readonly account: string | null;
      readonly record: ReadRecord | null;
    }
  | { readonly is: 'disabled'; readonly at: number; readonly account: string | null }
  | { readonly is: 'enabled' }
  | { readonly is: 'removed' }
  | { readonly is: 'vanished' }
  | { readonly is: 'locking'; readonly at: number | null }
  | { readonly is: 'reopened' }
  | { readonly is: 'unclear' }
  | { readonly is: 'shown'; readonly account: ShownAccount; readonly isTaken: boolean }
  | { readonly is: 'readBack'; readonly account: ShownAccount }
  | {
      readonly is: 'unchanged';
      readonly accepted: string | null;
      readonly record: ReadRecord | null;
      readonly hasLeft: boolean;
    }
  | { readonly is: 'missing'; readonly misses: number; readonly at: number }
  | { readonly is: 'here' }
  | { readonly is: 'nowhere' }
  | { readonly is: 'rekeyed' };

type EventOf<K extends PersonEvent['is']> = Extract<PersonEvent, { readonly is: K }>;
type Rule<K extends PersonEvent['is']> = (known: Known, event: EventOf<K>) => Known | null;

/** Nothing is known of a person but what was sent. */
const NOTHING = {
  sourceName: null,
  employeeId: null,
  created: null,
  nodes: null,
  accepted: null,
  hash: null,
  print: null,
  secretHash: null,
  broughtBy: null,
  misses: 0,
  missedAt: null,
  missedBy: null,
  disabledAt: null,
} as const;

/** The account was asked for, and never seen. */
const isOnlyClaimed = ({ state, employeeId }: Known): boolean => state === 'creating' && employeeId === null;

const gone = (known: Known): Known => ({
  ...known,
  state: 'removed',
  hash: null,
  accepted: null,
  open: false,
});

/** The source's username is remembered if the account has another one: it claims that one without being staged. */
const sourceName = (username: string, known: Known, record: ReadRecord | null): string | null => {
  if (record === null) return known.sourceName;
  return foldUsername(record.username) === foldUsername(username) ? null : record.username;
};

const comparedWith = (record: ReadRecord | null): Pick<Known, 'print' | 'secretHash' | 'broughtBy'> => {
  const { print = null, secretHash = null, broughtBy = null } = record ?? {};
  return { print, secretHash, broughtBy };
};

/** A hash stands for "active and as it was": inactive people get none, and are decided in every run. */
function hashAfter(known: Known, { record, hasLeft }: EventOf<'unchanged'>): string | null {
  if (record !== null && record.active !== null) return record.active ? record.hash : null;
  return hasLeft ? null : known.hash;
}

/** Some answers show times in seconds. */
const SAME_MOMENT_MS = 1_000;

/** A service that was restored gives ids again: what was made at another moment is another account. */
const isMadeOtherwise = (known: Known, { created }: ShownAccount): boolean =>
  known.created !== null && created !== null && Math.abs(created - known.created) > SAME_MOMENT_MS;

/**
 * Calls a known account as the service calls it now: the username may have been changed there. The one that the source
 * has is kept. If another known person has the new username, it is unclear whose is whose.
 */
function respelled(known: Known, account: ShownAccount, isTaken: boolean): Known {
  const { username } = account;
  if (known.username === username || known.employeeId !== account.id) return known;
  const key = foldUsername(username);
  if (foldUsername(known.username) !== key) {
    if (known.state === 'removed' || isMadeOtherwise(known, account)) return known;
    if (isTaken) return { ...known, open: true };
  }
  const inSource = known.sourceName ?? known.username;
  return { ...known, username, sourceName: foldUsername(inSource) === key ? null : inSource, open: true };
}

/** Takes an account back that counted as gone, or that we removed, and that shows its own id again: it is still ours. */
function takenBack(known: Known, { id }: ShownAccount): Known {
  if (known.state !== 'removed' || known.employeeId !== id) return known;
  return { ...known, state: known.disabledAt === null ? 'managed' : 'disabled', open: true };
}

/** Takes over a lock of ours that the service shows only now. */
function lockedLate(known: Known, { id, locked }: ShownAccount): Known {
  const mayBe = known.state === 'managed' || known.state === 'creating';
  if (!locked || !mayBe || known.disabledAt === null || (known.employeeId ?? id) !== id) return known;
  return { ...known, state: 'disabled', hash: null, employeeId: id, open: true };
}

/** Whether an account is shown otherwise than it was accepted, so that the person has to be decided anew. */
function differs({ state, accepted, employeeId }: Known, { id, locked, shown }: ShownAccount): boolean {
  if (state === 'disabled') return !locked;
  if (state !== 'managed' || accepted === null) return false;
  return accepted !== shown || locked || (employeeId !== null && employeeId !== id);
}

function afterShown(before: Known, { account, isTaken }: EventOf<'shown'>): Known {
  const known = respelled(before, account, isTaken);
  if (known.username !== account.username) return known;
  const back = lockedLate(takenBack(known, account), account);
  const isDated = back.created !== null || account.created === null || back.employeeId !== account.id;
  const dated = isDated ? back : { ...back, created: account.created };
  return differs(dated, account) && !dated.open ? { ...dated, open: true } : dated;
}

const RULES: { readonly [K in PersonEvent['is']]: Rule<K> } = {
  claimed(known, { username, joins }) {
    const isRemoved = known.state === 'removed';
    return {
      ...known,
      state: joins || isRemoved ? 'creating' : known.state,
      username: isRemoved ? username : known.username,
      open: true,
    };
  },
  refused: (known) => {
    if (known.state !== 'creating') return known;
    return isOnlyClaimed(known) ? null : { ...known, state: 'removed' };
  },
  imported(known, { username, sent, nodes, isNew, account, record }) {
    const isAnother = account !== null && known.employeeId !== null && account !== known.employeeId;
    return {
      ...known,
      state: 'managed',
      username,
      sent,
      nodes,
      sourceName: sourceName(username, known, record),
      employeeId: isNew || isAnother ? null : known.employeeId,
      hash: record?.hash ?? known.hash,
      ...comparedWith(record),
      accepted: null,
      open: false,
      misses: 0,
      missedAt: null,
      disabledAt: null,
    };
  },
  disabled: (known, { at, account }) => ({
    ...known,
    state: 'disabled',
    disabledAt: at,
    hash: null,
    open: false,
    employeeId: account ?? known.employeeId,
  }),
  enabled: (known) => ({ ...known, state: 'managed', disabledAt: null, hash: null }),
  removed: gone,
  vanished: (known) => ({ ...known, state: 'removed', open: false, hash: null }),
  locking: (known, { at }) => (known.state === 'disabled' ? known : { ...known, disabledAt: at }),
  reopened: (known) => ({ ...known, open: true, hash: null }),
  unclear: (known) => (known.open ? known : { ...known, open: true }),
  shown: afterShown,
  readBack: (known, { account }) => ({
    ...known,
    username:
      foldUsername(known.username) === foldUsername(account.username) ? account.username : known.username,
    employeeId: account.id,
    created: account.created,
    accepted: account.shown,
    open: false,
  }),
  unchanged: (known, event) => ({
    ...known,
    sourceName: sourceName(known.username, known, event.record),
    accepted: event.accepted ?? known.accepted,
    hash: hashAfter(known, event),
    print: event.record?.print ?? null,
    open: false,
  }),
  missing: (known, { misses, at }) => ({ ...known, misses, missedAt: at }),
  here: (known) => ({ ...known, misses: 0, missedAt: null, missedBy: null }),
  nowhere: (known) => (isOnlyClaimed(known) ? null : { ...gone(known), misses: 0 }),
  rekeyed: (known) => ({ ...known, hash: null, open: true, misses: 0, missedAt: null }),
};

function applied<K extends PersonEvent['is']>(
  known: Known,
  event: EventOf<K> & { readonly is: K },
): Known | null {
  const rule: Rule<K> = RULES[event.is];
  return rule(known, event);
}

/**
 * Says what is known of a person after something has happened. It is the only place that does. Returns `null` for who is
 * not known any more, and the same object if nothing has changed.
 */
export function next(id: string, known: Known | null, event: PersonEvent): Known | null {
  if (known !== null) return applied(known, event);
  if (event.is !== 'claimed') return null;
  return { ...NOTHING, id, username: event.username, state: 'creating', sent: event.sent, open: true };
}

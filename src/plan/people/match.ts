import type { PersonEntry } from '../../domain/ports/ledger/entries.ts';
import type {
  EmployeeView,
  PersonRow,
  UsernameClaim,
  UsernameOwner,
} from '../../domain/ports/ledger/person-row.ts';
import type { StagedPerson } from '../../domain/ports/ledger/source-stage.ts';
import { FORGOTTEN, isNameOf } from '../../domain/records/account-named.ts';
import type { PersonPayload } from '../../domain/records/payload.ts';
import type { Reason, ReasonCode } from '../../domain/reasons/reason.ts';
import { foldName } from '../../domain/text/fold.ts';
import { printable } from '../../domain/text/printable.ts';

/** What the source wants of a person. `record`: with new values; `null`: as last sent, or nothing of it is needed. */
export interface Desired {
  readonly is: 'active' | 'inactive' | 'absent';
  readonly record: StagedPerson | null;
}

/**
 * What the ledger has of a person.
 *
 * - `unknown`: nothing, or an account that rollcall removed
 * - `claimed`: sent, and not seen yet
 * - `ours`: managed
 * - `locking`: managed; a lock was sent, and is not shown yet
 * - `locked`: disabled by rollcall
 * - `gone`: one of these, and the account is not there under its own id
 */
export interface Known {
  readonly is: 'unknown' | 'claimed' | 'ours' | 'locking' | 'locked' | 'gone';
  readonly entry: PersonEntry | null;
}

/** The account: of who is not known, or gone, the one with the username. */
export interface Actual {
  readonly is: 'none' | 'active' | 'locked';
  readonly employee: EmployeeView | null;
}

/** One person: all that a decision rests on. */
export interface Facts {
  /** Source id. */
  readonly id: string;
  readonly desired: Desired;
  readonly known: Known;
  readonly actual: Actual;
  readonly isLeftOut: boolean;
}

/**
 * Whose record and whose account it is.
 *
 * - `facts`: that is clear
 * - `contested`: the record of a known id may be another person's; `other`: source id of that one, if it is known
 * - `same`: an unknown id has the username of a known person: the same person?
 * - `waits`: it cannot be known in this run, or a person has to say it in the source or the service; `missing`: the read
 *   has no record of that person, and is counted
 * - `nothing`: there is nothing to decide but, with `missing`, that the read is counted
 */
export type Match =
  | { readonly is: 'facts'; readonly facts: Facts }
  | { readonly is: 'contested'; readonly facts: Facts; readonly why: Reason; readonly other: string | null }
  | { readonly is: 'same'; readonly facts: Facts; readonly owner: UsernameOwner; readonly why: Reason }
  | { readonly is: 'waits'; readonly reason: Reason; readonly missing?: PersonEntry }
  | { readonly is: 'nothing'; readonly missing?: PersonEntry };

const NOTHING: Match = { is: 'nothing' };
const waits = (reason: Reason): Match => ({ is: 'waits', reason });

/**
 * Returns whose record and whose account this is (promise 4). This is the only place that knows identity:
 *
 * 1. A known account is the one with its own id. Gone by its own id, the person is as unknown.
 * 2. An unknown person has the account with the username.
 * 3. If it is unclear whose account it is, rollcall asks, and touches neither side until that is answered. But who is
 *    inactive by their own record leaves.
 */
export function match(row: PersonRow): Match {
  const desired = desiredOf(row);
  if (row.unclear !== null) return unclear(row, row.unclear);
  if (desired === null) return waits(problemOf(row));
  const facts = factsOf(row, desired);
  const { is } = desired;
  if (facts.known.is === 'unknown') return is === 'absent' ? NOTHING : unknown(row, facts);
  if (row.entry === null) return NOTHING;
  return is === 'absent' ? absent(row, facts, row.entry) : known(row, facts, row.entry);
}

/** Nothing can be said of the account; of who is missing, the read counts all the same. */
function unclear({ record, entry }: PersonRow, words: string): Match {
  const reason: Reason = { code: 'words', values: { words } };
  const isMissing = record === null && entry !== null && entry.state !== 'removed';
  return isMissing ? { is: 'waits', reason, missing: entry } : waits(reason);
}

/** Returns what the source wants; `null`: its record cannot be used. */
function desiredOf({ record }: PersonRow): Desired | null {
  if (record === null) return { is: 'absent', record };
  if (record === 'left') return { is: 'inactive', record: null };
  if (record === 'unchanged') return { is: 'active', record: null };
  if (record.active === false) return { is: 'inactive', record };
  return record.problem === null && record.active === true ? { is: 'active', record } : null;
}

function problemOf({ record }: PersonRow): Reason {
  const words = record !== null && typeof record === 'object' ? record.problem : null;
  return words === null ? { code: 'notEvaluated' } : { code: 'words', values: { words } };
}

function factsOf(row: PersonRow, desired: Desired): Facts {
  const { id, entry, employee, isLeftOut = false } = row;
  const actual = employee === null ? 'none' : employee.locked ? 'locked' : 'active';
  return { id, desired, known: { is: stateOf(row), entry }, actual: { is: actual, employee }, isLeftOut };
}

function stateOf({ entry, employee }: PersonRow): Known['is'] {
  if (entry === null || entry.state === 'removed') return 'unknown';
  if (entry.state === 'creating') return 'claimed';
  const isThere = employee !== null && (entry.employeeId ?? employee.id) === employee.id;
  const isUnread = employee === null && entry.accepted === null && entry.state === 'managed';
  if (!isThere && !isUnread) return 'gone';
  if (entry.state === 'disabled') return 'locked';
  return entry.disabledAt === null ? 'ours' : 'locking';
}

/** Decides whose account an unknown person's username is. */
function unknown(row: PersonRow, facts: Facts): Match {
  const { owner, entry } = row;
  if (owner !== null) return ofAnother(row, facts, owner);
  return (entry === null ? null : backAsAnother(row, facts, entry)) ?? clear(row, facts);
}

const takenBy = ({ inSource }: PersonRow, owner: UsernameOwner): Reason =>
  ofOther('takenBy', owner.id, { username: inSource ?? '', name: nameOf(owner) });

/** Decides about an unknown id with the username of another known person. */
function ofAnother(row: PersonRow, facts: Facts, owner: UsernameOwner): Match {
  const { desired, actual } = facts;
  const hasLeft = desired.is === 'inactive';
  if (owner.isHere === 'yes' || (owner.isHere === 'left' && hasLeft)) {
    return hasLeft ? NOTHING : waits(takenBy(row, owner));
  }
  // A forgotten person who has left, and whose account is not active: there is nothing to ask.
  const isSettled = hasLeft && owner.id === FORGOTTEN && actual.is !== 'active';
  if (isSettled || desired.record === null) return NOTHING;
  const isLocked = actual.is === 'locked' || row.isUserDisabled;
  return { is: 'same', facts, owner, why: sameAs(owner, isLocked) };
}

/**
 * Returns the facts, unless the username belongs to a person that others have disabled: lists may leave out locked
 * accounts, and an import might unlock it.
 */
function clear({ entry, isUserDisabled }: PersonRow, facts: Facts): Match {
  const { desired, actual } = facts;
  const isOurLock =
    entry !== null && entry.state !== 'managed' && (entry.state === 'removed' || entry.employeeId !== null);
  const isTheirs = desired.is === 'active' && actual.is === 'none' && isUserDisabled && !isOurLock;
  return isTheirs ? waits({ code: 'lockedInDomain' }) : { is: 'facts', facts };
}

/** Returns the record of another id that may be this person's: it has the username, and not only its own name. */
const claimOf = ({ claims }: PersonRow, entry: PersonEntry): UsernameClaim | undefined =>
  claims.find(
    ({ entry: other, name, username }) =>
      other === null || isContested({ entry: other, name, username, owner: entry }),
  );

/**
 * Decides about a known person who is not in the read: perhaps the record of another id is theirs. Then the account stays,
 * and is listed.
 */
function absent(row: PersonRow, facts: Facts, entry: PersonEntry): Match {
  const claim = claimOf(row, entry);
  if (claim === undefined) return { is: 'facts', facts };
  if (facts.actual.is !== 'active') return NOTHING;
  // An unknown id asks itself whether it is this person.
  if (claim.entry === null && claim.isUsable) return { is: 'nothing', missing: entry };
  const code = claim.isUsable ? 'claimed' : 'claimedUnusably';
  return { is: 'waits', reason: ofOther(code, claim.id, { id: claim.id }), missing: entry };
}

/** Decides about a known person who is in the read: perhaps the record is another person's. */
function known(row: PersonRow, facts: Facts, entry: PersonEntry): Match {
  // An account that is gone is made again, which must not go to another person's: no answer could make that right.
  const isRemade = facts.known.is === 'gone' && facts.desired.is === 'active';
  if (isRemade && row.owner !== null) return waits(takenBy(row, row.owner));
  const asked =
    ofColleague(row, facts, entry) ?? ofClaimed(row, facts, entry) ?? backAsAnother(row, facts, entry);
  return asked ?? clear(row, facts);
}

const nameNow = ({ desired }: Facts): string | null => nameIn(desired.record?.payload);

/** Returns that a record has the username of a colleague, and not only its own name; `null`: it has not. */
function ofColleague({ inSource, owner }: PersonRow, facts: Facts, entry: PersonEntry): Match | null {
  const other = owner?.entry ?? null;
  if (owner === null || other === null || inSource === null) return null;
  if (!isContested({ entry, name: nameNow(facts), username: inSource, owner: other })) return null;
  const values = { username: inSource, name: nameOf(owner) };
  return contested(facts, ofOther('nameOfColleague', owner.id, values), owner.id);
}

/** Returns that another record has the person's username, and their own one another name too; `null`: not so. */
function ofClaimed(row: PersonRow, facts: Facts, entry: PersonEntry): Match | null {
  const claim = isSameName(nameNow(facts), nameIn(entry.sent)) ? undefined : claimOf(row, entry);
  if (claim === undefined) return null;
  const values = { id: claim.id, username: entry.username };
  return contested(facts, ofOther('nameClaimed', claim.id, values), claim.id);
}

/** Returns that a leaver's id comes back with another username and another name; `null`: it does not. */
function backAsAnother(row: PersonRow, facts: Facts, entry: PersonEntry): Match | null {
  const { inSource, hasSaidLeft } = row;
  const { record, is } = facts.desired;
  if (is !== 'active' || record === null || inSource === null) return null;
  const isBack = hasSaidLeft || entry.misses > 0 || entry.state === 'disabled' || entry.state === 'removed';
  if (!isBack || isNameOf(entry, inSource) || isSameName(nameIn(record.payload), nameIn(entry.sent)))
    return null;
  return contested(facts, { code: 'backAsAnother', values: { username: inSource } }, null);
}

/** An account that nobody uses needs no question. */
function contested(facts: Facts, why: Reason, other: string | null): Match {
  const isSettled = facts.desired.is === 'inactive' && facts.actual.is !== 'active';
  return isSettled ? NOTHING : { is: 'contested', facts, why, other };
}

interface Claimed {
  /** Who has the record's id. */
  readonly entry: PersonEntry;
  /** The name in the record. */
  readonly name: string | null;
  readonly username: string;
  /** Whose account has that username. */
  readonly owner: PersonEntry;
}

/** Returns whether a record has the username of another known person, and not only its own name. */
function isContested({ entry, name, username, owner }: Claimed): boolean {
  if (isNameOf(entry, username)) return false;
  return !isSameName(name, nameIn(entry.sent)) || isSameName(name, nameIn(owner.sent));
}

/** Returns the display name; `null`: it has none. */
export function nameIn(payload: Pick<PersonPayload, 'fields'> | undefined): string | null {
  const name = payload?.fields['name'];
  return typeof name === 'string' ? name : null;
}

/** Returns whether two names are the same, apart from case and blanks. A name that is not known is never the same. */
export function isSameName(a: string | null, b: string | null): boolean {
  return a !== null && b !== null && foldName(a) === foldName(b);
}

function nameOf({ id, entry }: UsernameOwner): string {
  const name = nameIn(entry?.sent);
  const who = name === null ? `source id ${id}` : printable(name);
  return entry?.usernameInSource === undefined
    ? who
    : `${who} (${printable(entry.usernameInSource)} in the source)`;
}

function sameAs(owner: UsernameOwner, isLocked: boolean): Reason {
  if (owner.id !== FORGOTTEN) return ofOther('sameName', owner.id, { name: nameOf(owner) });
  // rollcall enables only what it disabled itself, and it has forgotten whether that was so.
  return { code: isLocked ? 'sameForgottenLocked' : 'sameForgotten' };
}

/** Returns a reason about another person. */
const ofOther = (code: ReasonCode, id: string, values: Reason['values'] = {}): Reason => ({
  code,
  refs: [{ subject: 'person', id }],
  values,
});

import { ACTIVE } from '../../domain/ports/history.ts';
import type { PersonEntry } from '../../domain/ports/ledger/entries.ts';
import type { EmployeeView } from '../../domain/ports/ledger/person-row.ts';
import type { PinnedPerson } from '../../domain/reverting/pin.ts';
import type { Fields } from '../../domain/records/fields.ts';
import type { SyncSettings } from '../../domain/settings.ts';
import { withPrimary } from '../people/positions.ts';
import { activeOf, type NetChange } from './net-change.ts';
import { cannot, left, putBackFields, putBackPlaces, type Remark, type Since } from './put-back.ts';

/** What a record is to be after a revert, and what is not put back. */
export interface Inverse<T> {
  /** `null`: nothing of it is put back. */
  readonly wanted: { readonly is: T } | null;
  /** Set where the record is as it was before already, and `wanted` is what it is now. */
  readonly isAsBefore?: boolean;
  /** Names of what is put back; `active` for the account as a whole. */
  readonly back: readonly string[];
  readonly remarks: readonly Remark[];
}

/** A person as ledger and service have them now. */
export interface PersonNow extends Since {
  readonly entry: PersonEntry | null;
  readonly employee: EmployeeView | null;
  readonly drift: SyncSettings['drift'];
  /** Returns whether somebody can be put into the unit. */
  readonly isThere: (unit: string | null) => boolean;
}

type PersonInverse = Inverse<PinnedPerson>;

const nothing = (...remarks: readonly Remark[]): PersonInverse => ({ wanted: null, back: [], remarks });

/**
 * Returns the inverse of what a run did to a person:
 *
 * | the run …            | the inverse                                                                    |
 * |----------------------|--------------------------------------------------------------------------------|
 * | created, enabled     | disabled; an account is never removed                                          |
 * | disabled             | enabled, with what was sent before                                             |
 * | updated, adopted     | the values before, where they still are those that the run sent; stays managed |
 * | removed              | none: an account cannot be brought back                                        |
 * | gave a username away | none                                                                           |
 */
export function invertPerson(done: NetChange, now: PersonNow): PersonInverse {
  const reason = whyNone(done, now);
  if (reason !== null) return nothing(reason);
  const { entry, employee } = now;
  if (entry === null || employee === null) return nothing();
  const active = activeOf(done);
  if (active === null) return backInStep(done, entry, now);
  if (active.before === active.after) return nothing();
  return active.before
    ? enabled(done, entry, { ...now, employee })
    : disabled(done, entry, { ...now, employee });
}

/** Returns why nothing can be undone, or `null`. */
function whyNone({ kinds, isHandover }: NetChange, { entry, employee }: PersonNow): Remark | null {
  if (kinds.has('remove')) return cannot('the account was removed: it cannot be brought back');
  if (kinds.has('forget')) return cannot('the account had vanished by itself: nothing was sent');
  if (isHandover) return cannot('the username went to another id or account: that is not undone');
  if (entry === null || entry.state === 'removed' || entry.state === 'creating')
    return left('is not managed any more');
  return employee === null ? left('the account is not in the service any more') : null;
}

/** Returns that the person is as before already: what is there now is wanted. */
function asBefore({ fields }: NetChange, { state, sent }: PersonEntry): PersonInverse {
  const is = { active: state === 'managed', payload: sent };
  return { wanted: { is }, isAsBefore: true, back: fields.map(({ field }) => field), remarks: [] };
}

/** Returns the remark of an account that a later run made as it was before, and another one as it is now. */
function switchedSince(before: boolean, { later }: Since): Remark | null {
  const wasBack = later.some(({ fields }) =>
    fields.some(({ field, to }) => field === ACTIVE && to === before),
  );
  const last = later.findLast(({ fields }) => fields.some(({ field }) => field === ACTIVE));
  return wasBack && last !== undefined ? left(`active: changed since by run ${last.run}`) : null;
}

function disabled(
  done: NetChange,
  entry: PersonEntry,
  now: PersonNow & { readonly employee: EmployeeView },
): PersonInverse {
  if (entry.state === 'disabled') return asBefore(done, entry);
  const switched = switchedSince(false, now);
  if (switched !== null) return nothing(switched);
  if (now.employee.locked) return nothing(left('active: locked in the service by somebody else since'));
  return { wanted: { is: { active: false, payload: entry.sent } }, back: ['active'], remarks: [] };
}

function enabled(
  done: NetChange,
  entry: PersonEntry,
  now: PersonNow & { readonly employee: EmployeeView },
): PersonInverse {
  if (entry.state === 'managed') return backInStep(done, entry, now);
  const switched = switchedSince(true, now);
  if (switched !== null) return nothing(switched);
  if (!now.employee.locked) return nothing(left('active: enabled in the service by somebody else since'));
  const gone = entry.sent.positions.filter(({ unit }) => !now.isThere(unit));
  const there = entry.sent.positions.filter(({ unit }) => now.isThere(unit));
  const missing = gone.map(({ unit }) => cannot(`positions: unit ${unit} is not there any more`));
  if (there.length === 0) return nothing(...missing, cannot('active: no unit is left to be in'));
  const sent = { ...entry.sent, positions: withPrimary(there, entry.sent.positions) };
  const { payload, remarks, back } = withValues(done, sent, now);
  return {
    wanted: { is: { active: true, payload } },
    back: ['active', ...back],
    remarks: [...missing, ...remarks],
  };
}

/** Returns the inverse for an account that stays as active as it is. */
function backInStep(done: NetChange, entry: PersonEntry, now: PersonNow): PersonInverse {
  if (entry.state === 'disabled') return nothing(left('disabled since: nothing is sent to such an account'));
  if (now.employee?.locked === true) return nothing(left('locked in the service by somebody else'));
  const whole = wholeEdited(now);
  if (whole !== null) return nothing(whole);
  const { payload, back, remarks } = withValues(done, entry.sent, now);
  if (back.length === 0)
    return remarks.length === 0 && done.fields.length > 0 ? asBefore(done, entry) : nothing(...remarks);
  return { wanted: { is: { active: true, payload } }, back, remarks };
}

/**
 * Returns why the whole record is left: a write has to have all positions and the name, so that edits of these cannot
 * be left out; and where edits are only reported, a write would have the next run set them back.
 */
function wholeEdited({ edited, drift }: PersonNow): Remark | null {
  const fields = [...edited];
  const kept = fields.find((field) => field === 'positions' || field === 'name');
  if (kept !== undefined) return left(`${kept}: edited in the service since, so the whole record stays`);
  if (drift === 'repair' || fields.length === 0) return null;
  return left(
    `${fields.join(', ')}: edited in the service since; with sync.drift: report the whole record stays`,
  );
}

interface Values {
  readonly payload: PersonEntry['sent'];
  readonly back: readonly string[];
  readonly remarks: readonly Remark[];
}

function withValues(done: NetChange, sent: PersonEntry['sent'], now: PersonNow): Values {
  const fields = putBackFields(sent.fields, done, now);
  const places = placesOf(done, sent, now);
  const positions = withPrimary(places.now, sent.positions);
  return {
    payload: { fields: withoutEdited(fields.now, now.edited), positions },
    back: [...fields.back, ...places.back],
    remarks: [...fields.remarks, ...places.remarks],
  };
}

function placesOf(
  done: NetChange,
  sent: PersonEntry['sent'],
  now: PersonNow,
): ReturnType<typeof putBackPlaces> {
  const none = { now: sent.positions, back: [], remarks: [] };
  if (!done.fields.some(({ field }) => field === 'positions') || done.kinds.has('create')) return none;
  if (done.places !== null) return putBackPlaces(sent.positions, done.places, now);
  return { ...none, remarks: [cannot('positions: an older rollcall wrote them down in words alone')] };
}

/** Leaves out what somebody edited: what is shown goes along in the write, as with fields that nobody maps. */
function withoutEdited(fields: Fields, edited: ReadonlySet<string>): Fields {
  if (edited.size === 0) return fields;
  return Object.fromEntries(
    Object.entries(fields).filter(([field]) => field === 'name' || !edited.has(field)),
  );
}

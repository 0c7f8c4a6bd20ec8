import type { Change, FieldChange } from '../../domain/changes.ts';
import { ACTIVE, type HistoryEntry, type Places, type Subject } from '../../domain/ports/history.ts';
import type { PersonEntry, UnitEntry } from '../../domain/ports/ledger/entries.ts';
import type { PinnedPerson, PinnedUnit } from '../../domain/records/pin.ts';
import { propertiesOf } from '../../domain/records/emptied.ts';
import type { Fields, FieldValue } from '../../domain/records/fields.ts';
import type { PersonPayload } from '../../domain/records/payload.ts';
import type { SyncSettings } from '../../domain/settings.ts';
import { NO_UNIT } from '../units/unit-change.ts';
import { sameValue, spellPositions } from '../values/compare.ts';
import { isMasked } from '../values/unmapped.ts';

/** What one run did to a record, all of its changes together. */
export interface NetChange {
  readonly subject: Subject;
  readonly id: string;
  readonly label: string;
  readonly kinds: ReadonlySet<Change['kind']>;
  /** Fields that differ after it, each once. */
  readonly fields: readonly FieldChange[];
  /** Positions before and after; `null`: they did not change, or are known in words alone. */
  readonly places: Places | null;
  /** Whether it gave a username to another record or another account. */
  readonly isHandover: boolean;
  /** Fields that later runs have changed. */
  readonly later: ReadonlySet<string>;
}

const OF_ITSELF = ['create', 'remove', 'forget'] as const satisfies readonly Change['kind'][];

type NetOfRun = Omit<NetChange, 'later'>;

const keyOf = ({ subject, id }: HistoryEntry): string => `${subject === 'unit' ? 0 : 1} ${id}`;

/**
 * Returns what a run did to each record that it changed itself, units first; who only followed a unit is as before.
 *
 * @param after what later runs did
 */
export function netChanges(
  entries: Iterable<HistoryEntry>,
  after: Iterable<HistoryEntry>,
): readonly NetChange[] {
  const own = new Map<string, NetOfRun>();
  for (const entry of entries) own.set(keyOf(entry), together(own.get(keyOf(entry)), entry));
  const records = new Map([...own].map(([key, one]) => [key, { ...one, later: new Set<string>() }]));
  for (const entry of after)
    for (const { field } of entry.fields) records.get(keyOf(entry))?.later.add(field);
  return [...records]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, one]) => ({ ...one, fields: one.fields.filter(({ from, to }) => !sameValue(from, to)) }))
    .filter(({ kinds, fields }) => fields.length > 0 || OF_ITSELF.some((kind) => kinds.has(kind)));
}

function together(before: NetOfRun | undefined, entry: HistoryEntry): NetOfRun {
  const { subject, id, label, kind, fields: own, places = null } = entry;
  const isHandover = entry.guard === 'usernameReuse' && (kind === 'adopt' || kind === 'create');
  const base = { subject, id, label };
  if (before === undefined) return { ...base, kinds: new Set([kind]), fields: own, places, isHandover };
  const fields = new Map(before.fields.map((one) => [one.field, one]));
  for (const one of own) {
    const first = fields.get(one.field) ?? one;
    fields.set(one.field, { ...one, from: first.from });
  }
  return {
    ...base,
    kinds: new Set([...before.kinds, kind]),
    fields: [...fields.values()],
    places:
      places === null ? before.places : { before: (before.places ?? places).before, after: places.after },
    isHandover: before.isHandover || isHandover,
  };
}

/** What a record is to be after a revert, and what of it is not put back, in words. */
export interface Before<T> {
  /** `null`: nothing of it is put back. */
  readonly wanted: { readonly is: T } | null;
  readonly notBack: readonly string[];
}

const none = (...notBack: readonly string[]): Before<never> => ({ wanted: null, notBack });

/** What is there now. */
export interface Now {
  /** Returns whether people or units can be put into the unit. */
  readonly isThere: (unit: string | null) => boolean;
  readonly unitsGone: SyncSettings['unitsGone'];
  /** Returns whether the service has the picture of this value of `logo`. */
  readonly hasPicture: (logo: FieldValue | null) => boolean;
}

/**
 * Returns what a person was before a run:
 *
 * | the run …                             | the person is to be                                              |
 * |---------------------------------------|------------------------------------------------------------------|
 * | created, enabled                      | disabled; an account is never removed                            |
 * | disabled                              | enabled, with the values before                                  |
 * | updated, adopted                      | as before, if the values still are those that the run sent    |
 * | removed, forgot, gave a username away | as now: that cannot be undone                                    |
 * | did what a later run has changed      | as now in that; a person whom it created, in all                 |
 */
export function personBefore(done: NetChange, entry: PersonEntry | null, now: Now): Before<PinnedPerson> {
  const why = whyGone(done);
  if (why !== null) return none(why);
  if (entry === null || entry.state === 'removed' || entry.state === 'creating') return none(UNMANAGED);
  const { sent } = entry;
  const wasActive = activeBefore(done);
  if (wasActive !== null && done.later.has(ACTIVE)) return switchedSince(entry, wasActive);
  if (wasActive === false) return { wanted: { is: { active: false, payload: sent } }, notBack: [] };
  if (wasActive === null && entry.state === 'disabled') return none('disabled since');
  return activeAsBefore(done, sent, { ...now, isBack: wasActive === true });
}

/** @param now `isBack`: also if no value of it is put back */
function activeAsBefore(
  done: NetChange,
  sent: PersonPayload,
  now: Now & { readonly isBack: boolean },
): Before<PinnedPerson> {
  const fields = fieldsBefore(done, sent.fields);
  const positions = placesBefore(done, sent.positions, now);
  const payload = { fields: fields.is, positions: positions.is };
  const isBack = now.isBack || fields.isBack || positions.isBack;
  return {
    wanted: isBack ? { is: { active: true, payload } } : null,
    notBack: [...fields.notBack, ...positions.notBack],
  };
}

/** Leaves the record as it is, and names it unless the account can be used as before. */
const switchedSince = ({ state }: PersonEntry, wasActive: boolean): Before<never> =>
  (state !== 'disabled') === wasActive ? none() : none(`active: ${CHANGED}`);

/** Returns whether the account could be used before; `null`: the run did not change that. */
function activeBefore({ kinds, fields }: NetChange): boolean | null {
  if (kinds.has('create')) return false;
  const change = fields.find(({ field }) => field === ACTIVE);
  return change === undefined ? null : change.from === true;
}

const UNMANAGED = 'is not managed any more';

/** Returns why nothing of a person can be put back, or `null`. */
function whyGone({ kinds, isHandover, later }: NetChange): string | null {
  if (kinds.has('remove')) return 'the account was removed: it cannot be brought back';
  if (kinds.has('create') && later.size > 0) return CHANGED;
  if (kinds.has('forget')) return 'the account had vanished by itself: nothing was sent';
  return isHandover ? 'the username went to another id or account: that is not undone' : null;
}

/**
 * Returns what a unit was before a run. A unit that the run created goes, when it is empty. One that moved
 * moves back, with another new node. A removed node cannot be brought back.
 */
export function unitBefore(done: NetChange, entry: UnitEntry | null, now: Now): Before<PinnedUnit> {
  if (done.kinds.has('remove')) return none('the unit was removed: only the source can have it made anew');
  if (entry?.state !== 'managed') return none(UNMANAGED);
  if (done.kinds.has('create')) return unmade(done, now);
  const isLost = ({ field, from }: FieldChange): boolean =>
    field === 'logo' && from !== null && !now.hasPicture(from);
  const known = { ...done, fields: done.fields.filter((one) => !isLost(one)) };
  const fields = fieldsBefore(known, entry.sent.fields);
  const parent = parentBefore(done, entry.sent.parent, now);
  const lost = done.fields.some(isLost) ? ['logo: the service has the picture from before no longer'] : [];
  return {
    wanted: fields.isBack || parent.isBack ? { is: { fields: fields.is, parent: parent.is } } : null,
    notBack: [...lost, ...fields.notBack, ...parent.notBack],
  };
}

function unmade({ later }: NetChange, { unitsGone }: Now): Before<PinnedUnit> {
  if (later.size > 0) return none(CHANGED);
  if (unitsGone === 'keep') return none('units are never removed here (sync.unitsGone: keep)');
  return { wanted: { is: null }, notBack: [] };
}

/** A part of a record as it is to be. */
interface PutBackPart<T> {
  readonly is: T;
  /** Whether it is as before the run then, at least in part. */
  readonly isBack: boolean;
  readonly notBack: readonly string[];
}

/** Fields that are no values of the record itself. */
const NOT_VALUES: ReadonlySet<string> = new Set([ACTIVE, 'locked', 'id', 'positions', 'parent']);

function fieldsBefore(done: NetChange, sent: Fields): PutBackPart<Fields> {
  const is: Record<string, FieldValue | null> = { ...sent };
  const notBack: string[] = [];
  let isBack = false;
  for (const change of done.fields) {
    const { field, from, to } = change;
    if (NOT_VALUES.has(field)) continue;
    const why = whyNot(change, done, sent);
    if (why !== null) notBack.push(`${field}: ${why}`);
    else {
      isBack = true;
      is[field] = cleared(from, to);
    }
  }
  return { is, isBack, notBack };
}

/** Returns why a field is not put back, or `null`. What a record was adopted with is known as far as it was shown. */
function whyNot({ field, from, to }: FieldChange, { kinds, later }: NetChange, sent: Fields): string | null {
  if (field === 'secrets') return 'they are written down nowhere';
  if (!(field in sent)) return 'it is not mapped any more';
  if (isMasked(from)) return 'was shown masked';
  if (from === null && (kinds.has('adopt') || field === 'name')) return 'what it was is not known';
  if (sameValue(sent[field], from)) return null;
  return sameValue(sent[field], to) && !later.has(field) ? null : CHANGED;
}

const CHANGED = 'changed since';

/** Returns the value from before; parts of a map that it did not have are empty lists, so that they are really cleared. */
function cleared(from: FieldValue | null, to: FieldValue | null): FieldValue | null {
  const parts = Object.keys(propertiesOf(to)).map((key) => [key, []] as const);
  return parts.length === 0 ? from : ({ ...Object.fromEntries(parts), ...propertiesOf(from) } as FieldValue);
}

type PersonPositions = PersonPayload['positions'];

/** Puts back all positions or none. Otherwise a person could lose one place and not get back the other. */
function placesBefore(
  { places, later }: NetChange,
  sent: PersonPositions,
  { isThere }: Now,
): PutBackPart<PersonPositions> {
  const stay = (...notBack: readonly string[]): PutBackPart<PersonPositions> => ({
    is: sent,
    isBack: false,
    notBack,
  });
  const isSent = (positions: PersonPositions): boolean =>
    sameValue(spellPositions(sent), spellPositions(positions));
  if (places === null) return stay();
  const { before, after } = places;
  if (isSent(before)) return { is: sent, isBack: true, notBack: [] };
  if (!isSent(after) || later.has('positions')) return stay(`positions: ${CHANGED}`);
  const gone = before.find(({ unit }) => !isThere(unit));
  if (gone !== undefined) return stay(`positions: unit ${gone.unit} is not there any more`);
  return { is: before, isBack: true, notBack: [] };
}

function parentBefore(
  { fields, later }: NetChange,
  sent: string | null,
  { isThere }: Now,
): PutBackPart<string | null> {
  const stay = (...notBack: readonly string[]): PutBackPart<string | null> => ({
    is: sent,
    isBack: false,
    notBack,
  });
  const change = fields.find(({ field }) => field === 'parent');
  if (change === undefined) return stay();
  const before = typeof change.from === 'string' ? change.from : null;
  if (before === sent) return { is: sent, isBack: true, notBack: [] };
  if (!sameValue(sent, change.to) || later.has('parent')) return stay(`parent: ${CHANGED}`);
  if (before === NO_UNIT || !isThere(before))
    return stay(`parent: ${before ?? 'the root'} is not there any more`);
  return { is: before, isBack: true, notBack: [] };
}

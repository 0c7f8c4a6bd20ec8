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
  /** Positions before and after; `null`: they did not change. */
  readonly places: Places | null;
  /** Whether it gave a username to another record or another account. */
  readonly isHandover: boolean;
  /** Whether a later run has changed the record. */
  readonly isChangedSince: boolean;
}

const OF_ITSELF = ['create', 'remove', 'forget'] as const satisfies readonly Change['kind'][];

type NetOfRun = Omit<NetChange, 'isChangedSince'>;

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
  const changed = new Set<string>();
  for (const entry of after) if (entry.fields.length > 0 && own.has(keyOf(entry))) changed.add(keyOf(entry));
  return [...own]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, one]) => ({
      ...one,
      fields: one.fields.filter(({ from, to }) => !sameValue(from, to)),
      isChangedSince: changed.has(key),
    }))
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

/** What a record is to be after a revert, or why it is left as it is; `null`: it is as before the run already. */
export type Before<T> = { readonly wanted: T } | { readonly reason: string } | null;

/** What is there now. */
export interface Now {
  /** Returns whether people or units can be put into the unit. */
  readonly isThere: (unit: string | null) => boolean;
  readonly unitsGone: SyncSettings['unitsGone'];
  /** Returns whether this read has the picture of this value of `logo`. */
  readonly hasPicture: (logo: FieldValue | null) => boolean;
}

const CHANGED = 'changed since';
const UNMANAGED = 'is not managed any more';

/**
 * Returns what a person was before a run, whole:
 *
 * | the run …                             | the person is to be                                      |
 * |---------------------------------------|----------------------------------------------------------|
 * | created, enabled                      | disabled; an account is never removed                    |
 * | disabled, updated, adopted            | active, with all values and positions before             |
 * | removed, forgot, gave a username away | as now: that cannot be undone                            |
 * | changed what something has changed since, or what cannot be put back whole | as now              |
 */
export function personBefore(done: NetChange, entry: PersonEntry | null, now: Now): Before<PinnedPerson> {
  const gone = whyGone(done);
  if (gone !== null) return { reason: gone };
  if (entry === null || entry.state === 'removed' || entry.state === 'creating') return { reason: UNMANAGED };
  const { sent } = entry;
  const isActive = entry.state !== 'disabled';
  const wasActive = activeBefore(done);
  if (wasActive === null && !isActive) return { reason: CHANGED };
  const active = wasActive ?? true;
  const payload = active ? payloadBefore(done, sent, now) : sent;
  const isBack = isActive === active && JSON.stringify(payload) === JSON.stringify(sent);
  return isBack ? null : unlessChanged(done, typeof payload === 'string' ? payload : { active, payload });
}

/** Returns what is wanted, unless it is a reason against it or the record was changed since. */
function unlessChanged<T>({ isChangedSince }: NetChange, wanted: T | string): Before<T> {
  if (isChangedSince) return { reason: CHANGED };
  return typeof wanted === 'string' ? { reason: wanted } : { wanted };
}

/** Returns whether the account could be used before; `null`: the run did not change that. */
function activeBefore({ kinds, fields }: NetChange): boolean | null {
  if (kinds.has('create')) return false;
  const change = fields.find(({ field }) => field === ACTIVE);
  return change === undefined ? null : change.from === true;
}

/** Returns why nothing of a person can be put back, or `null`. */
function whyGone({ kinds, isHandover }: NetChange): string | null {
  if (kinds.has('remove')) return 'the account was removed: it cannot be brought back';
  if (kinds.has('forget')) return 'the account had vanished by itself: nothing was sent';
  return isHandover ? 'the username went to another id or account: that is not undone' : null;
}

/**
 * Returns what a unit was before a run, whole. A unit that the run created goes, when it is empty. One that moved moves
 * back, with another new node. A removed node cannot be brought back.
 */
export function unitBefore(done: NetChange, entry: UnitEntry | null, now: Now): Before<PinnedUnit> {
  if (done.kinds.has('remove'))
    return { reason: 'the unit was removed: only the source can have it made anew' };
  if (entry?.state !== 'managed') return { reason: UNMANAGED };
  if (done.kinds.has('create')) return unlessChanged<PinnedUnit>(done, unmade(now));
  const { sent } = entry;
  const fields = fieldsBefore(done, sent.fields, now);
  const parent = parentBefore(done, sent.parent, now);
  if (typeof fields === 'string') return unlessChanged<PinnedUnit>(done, fields);
  if ('reason' in parent) return unlessChanged<PinnedUnit>(done, parent.reason);
  const wanted = { fields, parent: parent.is };
  return JSON.stringify(wanted) === JSON.stringify({ fields: sent.fields, parent: sent.parent })
    ? null
    : unlessChanged(done, wanted);
}

const unmade = ({ unitsGone }: Now): null | string =>
  unitsGone === 'keep' ? 'units are never removed here (sync.unitsGone: keep)' : null;

function payloadBefore(done: NetChange, sent: PersonPayload, now: Now): PersonPayload | string {
  const fields = fieldsBefore(done, sent.fields, now);
  const positions = placesBefore(done, sent.positions, now);
  if (typeof fields === 'string') return fields;
  return typeof positions === 'string' ? positions : { ...sent, fields, positions };
}

/** Fields that are no values of the record itself. */
const NOT_VALUES: ReadonlySet<string> = new Set([ACTIVE, 'locked', 'id', 'positions', 'parent']);

/** Returns all fields as they were, or why one of them cannot be put back. */
function fieldsBefore(done: NetChange, sent: Fields, now: Now): Fields | string {
  const is: Record<string, FieldValue | null> = { ...sent };
  for (const change of done.fields) {
    const { field, from, to } = change;
    const isBack = field !== 'secrets' && sameValue(sent[field], from);
    if (NOT_VALUES.has(field) || isBack) continue;
    const why = whyNot(change, done, { sent, now });
    if (why !== null) return why === CHANGED ? why : `${field}: ${why}`;
    is[field] = cleared(from, to);
  }
  return is;
}

/** Returns why a field is not put back, or `null`. What a record was adopted with is known as far as it was shown. */
function whyNot(
  { field, from, to }: FieldChange,
  { kinds }: NetChange,
  { sent, now }: { readonly sent: Fields; readonly now: Now },
): string | null {
  if (field === 'secrets') return 'they are written down nowhere';
  if (!(field in sent)) return 'it is not mapped any more';
  if (isMasked(from)) return 'was shown masked';
  if (from === null && (kinds.has('adopt') || field === 'name')) return 'what it was is not known';
  if (field === 'logo' && from !== null && !now.hasPicture(from)) return 'the source has another picture now';
  return sameValue(sent[field], to) ? null : CHANGED;
}

/** Returns the value from before; parts of a map that it did not have are empty lists, so that they are really cleared. */
function cleared(from: FieldValue | null, to: FieldValue | null): FieldValue | null {
  const parts = Object.keys(propertiesOf(to)).map((key) => [key, []] as const);
  return parts.length === 0 ? from : ({ ...Object.fromEntries(parts), ...propertiesOf(from) } as FieldValue);
}

type PersonPositions = PersonPayload['positions'];

function placesBefore(
  { places }: NetChange,
  sent: PersonPositions,
  { isThere }: Now,
): PersonPositions | string {
  const isSent = (positions: PersonPositions): boolean =>
    sameValue(spellPositions(sent), spellPositions(positions));
  if (places === null || isSent(places.before)) return sent;
  if (!isSent(places.after)) return CHANGED;
  const gone = places.before.find(({ unit }) => !isThere(unit));
  return gone === undefined ? places.before : `positions: unit ${gone.unit} is not there any more`;
}

type ParentBefore = { readonly is: string | null } | { readonly reason: string };

function parentBefore({ fields }: NetChange, sent: string | null, { isThere }: Now): ParentBefore {
  const change = fields.find(({ field }) => field === 'parent');
  if (change === undefined) return { is: sent };
  const before = typeof change.from === 'string' ? change.from : null;
  if (before === sent) return { is: sent };
  if (!sameValue(sent, change.to)) return { reason: CHANGED };
  return before === NO_UNIT || !isThere(before)
    ? { reason: `parent: ${before ?? 'the root'} is not there any more` }
    : { is: before };
}

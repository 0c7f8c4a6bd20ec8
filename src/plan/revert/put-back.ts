import type { FieldChange } from '../../domain/changes.ts';
import type { HistoryEntry, Places } from '../../domain/ports/history.ts';
import type { Fields, FieldValue } from '../../domain/records/fields.ts';
import type { PlacedPosition } from '../../domain/records/payload.ts';
import { sameValue, spellPositions } from '../values/compare.ts';
import type { NetChange } from './net-change.ts';
import { isMasked } from '../values/masked.ts';

/** Something that is not put back, and why: it is left as it is now, or it cannot be undone at all. */
export interface Remark {
  readonly is: 'left' | 'cannot';
  readonly text: string;
}

export const left = (text: string): Remark => ({ is: 'left', text });
export const cannot = (text: string): Remark => ({ is: 'cannot', text });

/** Values with what is put back in place, the names of that, and what is not put back. */
export interface PutBack<T> {
  readonly now: T;
  readonly back: readonly string[];
  readonly remarks: readonly Remark[];
}

/** What has become of a record since. */
export interface Since {
  /** Fields that somebody edited in the service. */
  readonly edited: ReadonlySet<string>;
  /** What later runs did to it, in the order of writing. */
  readonly later: readonly HistoryEntry[];
}

/** Fields that are no values of the record itself. */
const NOT_VALUES: ReadonlySet<string> = new Set(['active', 'locked', 'id', 'positions', 'parent']);
/** Maps of which each key stands for itself. */
const MAPS: ReadonlySet<string> = new Set(['properties', 'tag_names']);

const isMap = (value: FieldValue | null): boolean =>
  value === null || (typeof value === 'object' && !Array.isArray(value));

type Parts = Readonly<Record<string, FieldValue>>;
const partsOf = (value: FieldValue | null | undefined): Parts =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Parts) : {};

type Done = Pick<NetChange, 'fields' | 'kinds'>;

/** Puts back the values that fields had before, where they still are what the run made of them. */
export function putBackFields(sent: Fields, done: Done, since: Since): PutBack<Fields> {
  const now: Record<string, FieldValue | null> = { ...sent };
  const back: string[] = [];
  const remarks: Remark[] = [];
  for (const change of done.fields.flatMap((one) => (NOT_VALUES.has(one.field) ? [] : byPart(one, sent)))) {
    const { field, from } = change;
    const remark = since.edited.has(field.split('.')[0] ?? '')
      ? editedSince(field)
      : whyNot(change, sent, since);
    if (remark !== null) remarks.push(remark);
    else if (isUnknown(change, done)) remarks.push(cannot(`${field}: what it was is not known`));
    else if (!sameValue(valueIn(now, field), from)) {
      setIn(now, field, from);
      back.push(field);
    }
  }
  return { now, back, remarks };
}

/** Returns a change of a map as changes of its parts, `properties.4711`. */
function byPart({ field, from, to }: FieldChange, sent: Fields): readonly FieldChange[] {
  if (!MAPS.has(field) || !(field in sent) || ![from, to].every(isMap)) return [{ field, from, to }];
  const [before, after] = [partsOf(from), partsOf(to)];
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .map((key) => ({ field: `${field}.${key}`, from: before[key] ?? null, to: after[key] ?? null }))
    .filter((part) => !sameValue(part.from, part.to));
}

const keysOf = (field: string): readonly [string, string | undefined] => {
  const at = field.indexOf('.');
  return at < 0 ? [field, undefined] : [field.slice(0, at), field.slice(at + 1)];
};

function valueIn(fields: Fields, field: string): FieldValue | null {
  const [name, key] = keysOf(field);
  return key === undefined ? (fields[name] ?? null) : (partsOf(fields[name])[key] ?? null);
}

/** Sets a value; a part that had none gets an empty list, so that it is really cleared. */
function setIn(fields: Record<string, FieldValue | null>, field: string, value: FieldValue | null): void {
  const [name, key] = keysOf(field);
  fields[name] = key === undefined ? value : ({ ...partsOf(fields[name]), [key]: value ?? [] } as FieldValue);
}

export const editedSince = (field: string): Remark => left(`${field}: edited in the service since`);

/** Returns whether nobody knows what a field was before: an adoption also sends what the record does not show. */
const isUnknown = ({ field, from }: FieldChange, { kinds }: Done): boolean =>
  from === null && (kinds.has('adopt') || field === 'name');

/** Returns why a field is not put back, or `null`. */
function whyNot({ field, from, to }: FieldChange, sent: Fields, { later }: Since): Remark | null {
  const [name] = keysOf(field);
  if (name === 'secrets') return cannot('secrets: they are written down nowhere');
  if (!(name in sent)) return left(`${field}: nobody maps it any more`);
  if (MAPS.has(name) && !isMap(from) && !field.includes('.'))
    return cannot(`${field}: was shown in a form that cannot be sent`);
  if (isMasked(from)) return cannot(`${field}: was shown masked`);
  const now = valueIn(sent, field);
  if (sameValue(now, from)) return null;
  return sameValue(now, to) && !wasOther(field, to, later) ? null : changedSince(field, later);
}

/** Returns whether later runs have made something else of a field, be it that one of them made it so again. */
export function wasOther(field: string, to: FieldValue | null, later: readonly HistoryEntry[]): boolean {
  return later.some(({ fields }) => fields.some((one) => one.field === field && !sameValue(one.to, to)));
}

/** Says that a field has changed since, and by which run, where that is known. */
export function changedSince(field: string, later: readonly HistoryEntry[]): Remark {
  const [name] = keysOf(field);
  const by = later.findLast(({ fields }) => fields.some((one) => one.field === name));
  return left(`${field}: changed since${by === undefined ? '' : ` by run ${by.run}`}`);
}

const inUnit = (positions: readonly PlacedPosition[], unit: string | null): PlacedPosition | undefined =>
  positions.find((position) => position.unit === unit);

const spelled = (position: PlacedPosition | undefined): string =>
  position === undefined ? '' : (spellPositions([position])[0] ?? '');

/** Returns whether the place in a unit is the same in both. */
const isIn =
  (one: readonly PlacedPosition[], other: readonly PlacedPosition[]) =>
  (unit: string | null): boolean =>
    spelled(inUnit(one, unit)) === spelled(inUnit(other, unit));

interface Units {
  /** Returns whether somebody can be put into the unit. */
  readonly isThere: (unit: string | null) => boolean;
  readonly later: readonly HistoryEntry[];
}

/**
 * Puts back the positions that a person had before, in the units where they changed: all of these or none, so that
 * nobody loses one place without getting back the other.
 */
export function putBackPlaces(
  sent: readonly PlacedPosition[],
  { before, after }: Places,
  { isThere, later }: Units,
): PutBack<readonly PlacedPosition[]> {
  const units = [...new Set([...before, ...after].map(({ unit }) => unit))];
  const changed = units.filter((unit) => spelled(inUnit(before, unit)) !== spelled(inUnit(after, unit)));
  const stay = (...remarks: readonly Remark[]): PutBack<typeof sent> => ({ now: sent, back: [], remarks });
  const isAs = (places: readonly PlacedPosition[]): ((unit: string | null) => boolean) => isIn(sent, places);
  if (changed.every(isAs(before))) return stay();
  const wasElsewhere = later.some(
    ({ places }) => places != null && !changed.every(isIn(places.after, after)),
  );
  if (wasElsewhere || !changed.every(isAs(after))) return stay(changedSince('positions', later));
  const back = before.filter(({ unit }) => changed.includes(unit));
  const gone = back.find(({ unit }) => !isThere(unit));
  if (gone !== undefined) return stay(cannot(`positions: unit ${gone.unit} is not there any more`));
  const now = [...sent.filter(({ unit }) => !changed.includes(unit)), ...back];
  if (now.length === 0) return stay(cannot('positions: none would be left'));
  return {
    now: now.toSorted((a, b) => ((a.unit ?? '') < (b.unit ?? '') ? -1 : 1)),
    back: ['positions'],
    remarks: [],
  };
}

import type { Change, FieldChange } from '../../domain/changes.ts';
import { ACTIVE, type HistoryRecord, type Places } from '../../domain/ports/history.ts';
import type { Approval } from '../../domain/records/approval.ts';
import { isEmpty, type FieldValue } from '../../domain/records/fields.ts';
import { spellPositions } from '../values/compare.ts';

/** What the history shows of each kind, if the change itself names no fields. */
const SHOWN: Readonly<Record<Change['kind'], (change: Change) => readonly FieldChange[]>> = {
  create: (change) => valuesOf(change).map(({ field, value }) => ({ field, from: null, to: value })),
  remove: (change) => valuesOf(change).map(({ field, value }) => ({ field, from: value, to: null })),
  disable: () => [{ field: ACTIVE, from: true, to: false }],
  enable: () => [{ field: ACTIVE, from: false, to: true }],
  adopt: () => [],
  update: () => [],
  move: () => [],
  forget: () => [],
};

/** Returns what the history keeps of a change once it is applied. */
export function historyRecord(change: Change, approval: Approval | null): HistoryRecord {
  const { kind, why, guard, fields } = change;
  const label = change.subject === 'unit' ? change.name : change.username;
  const named = new Set(fields.map(({ field }) => field));
  const others = SHOWN[kind](change).filter(({ field }) => !named.has(field));
  const all = [...others, ...fields.map(withoutEmpty)];
  return { kind, label, fields: all, ...placesOf(change, all), why, guard, approval };
}

/** Returns the positions by unit, if the fields have them in words: words cannot be put back. */
function placesOf(change: Change, fields: readonly FieldChange[]): { readonly places?: Places } {
  if (change.subject === 'unit' || change.kind === 'create' || change.kind === 'remove') return {};
  if (!fields.some(({ field }) => field === 'positions')) return {};
  return { places: { before: change.before ?? [], after: change.payload.positions } };
}

/** Returns the change with `null` for nothing, however that is spelled. */
function withoutEmpty({ field, from, to }: FieldChange): FieldChange {
  return { field, from: isEmpty(from) ? null : from, to: isEmpty(to) ? null : to };
}

interface ShownValue {
  readonly field: string;
  readonly value: FieldValue;
}

/** Returns all that the record has, positions in words as in the plan. */
function valuesOf(change: Change): readonly ShownValue[] {
  const fields = Object.entries(change.payload.fields).flatMap(([field, value]) =>
    value === null || isEmpty(value) ? [] : [{ field, value }],
  );
  if (change.subject === 'unit') return [...fields, ...parentOf(change.payload.parent)];
  return [...fields, { field: 'positions', value: spellPositions(change.payload.positions) }];
}

const parentOf = (parent: string | null): readonly ShownValue[] =>
  parent === null ? [] : [{ field: 'parent', value: parent }];

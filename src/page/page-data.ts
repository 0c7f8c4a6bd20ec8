import {
  isReplacement,
  PERSON_CHANGES,
  UNIT_CHANGES,
  type Change,
  type FieldChange,
  type PersonChange,
} from '../domain/changes.ts';
import type { SequencedChange } from '../domain/ports/ledger/plan-book.ts';
import { printable } from '../domain/text/printable.ts';
import { wordsOf } from '../plan/changes/kinds.ts';
import { spellPositions } from '../plan/values/compare.ts';
import { lossTexts, spellField } from '../plan/words/describe-change.ts';
import { heldNote } from '../plan/words/describe-held.ts';
import { nameUnits, type UnitLabels } from '../plan/words/unit-labels.ts';
import { scriptJson } from './markup.ts';
import { PageUnits, type PlacesOfUnits } from './page-units.ts';
import type { PageData, PageField, PageKind, PagePerson, PageValue } from './wire.ts';

/** A planned change, and what holds it. */
export type PageChange = Omit<SequencedChange, 'seq' | 'goesOn'>;

export interface DataParts {
  readonly changes: Iterable<PageChange>;
  readonly tree: PlacesOfUnits;
  readonly labels: UnitLabels;
}

/** Yields a plan's changes as JSON of {@link PageData}, one person at a time: only units are kept in memory. */
export function* pageData({ changes, tree, labels }: DataParts): Iterable<string> {
  const units = new PageUnits(tree, labels);
  yield `{"kinds":${scriptJson(kinds())},\n"people":[`;
  let separator = '\n';
  for (const { change, ...held } of changes) {
    const standing = { held: held.isHeld, note: heldNote(held).trim() };
    if (change.subject === 'unit') {
      units.change(change, { ...standing, ...whatOf(change, labels) });
      continue;
    }
    const person = { ...personOf(change, labels), ...standing, unit: units.indexOf(change) };
    yield separator + scriptJson(person satisfies PagePerson);
    separator = ',\n';
  }
  yield '],\n"units":[';
  separator = '\n';
  for (const unit of units.all()) {
    yield separator + scriptJson(unit);
    separator = ',\n';
  }
  yield ']}';
}

function kinds(): PageData['kinds'] {
  const names = new Set([...UNIT_CHANGES, ...PERSON_CHANGES, 'forget'] as const);
  return Object.fromEntries(
    [...names].map((kind) => {
      const { sign, tone } = wordsOf(kind);
      return [kind, { sign: sign === '-' ? '−' : sign, tone } satisfies PageKind];
    }),
  );
}

function personOf(change: PersonChange, labels: UnitLabels): Omit<PagePerson, 'held' | 'note' | 'unit'> {
  const { id, kind, username, payload } = change;
  const name = payload.fields['name'];
  return {
    id: printable(id),
    name: typeof name === 'string' ? printable(name) : '',
    username: printable(username),
    kind,
    ...whatOf(change, labels),
  };
}

interface What {
  readonly why: string;
  readonly fields: readonly PageField[];
}

/** Returns why a record changes, and its fields before and after; for a new person, what the account is made with. */
function whatOf(change: Change, labels: UnitLabels): What {
  const reason = change.why === 'new in the source' ? '' : nameUnits(change.why, labels);
  const why = [reason, ...lossTexts(change)].filter((text) => text !== '').join('; ');
  return { why, fields: fieldsOf(change).map((field) => pageField(field, labels)) };
}

function fieldsOf(change: Change): readonly FieldChange[] {
  if (change.kind !== 'create' || change.subject === 'unit') return change.fields;
  const made = Object.entries(change.payload.fields)
    .filter(([name, to]) => to !== null && name !== 'name')
    .map(([field, to]) => ({ field, from: null, to }));
  const positions = spellPositions(change.payload.positions);
  const replaced = isReplacement(change) ? change.fields : [];
  return [...replaced, ...made, { field: 'positions', from: null, to: positions }];
}

/** How many positions of one record are named. */
const POSITIONS = 20;

function pageField(change: FieldChange, labels: UnitLabels): PageField {
  if (change.field === 'secrets') return ['secrets', null, 'changed'];
  const { field, from, to } = spellField(change, labels);
  return [field, some(from), some(to)];
}

function some(value: PageValue): PageValue {
  if (value === null || typeof value === 'string' || value.length <= POSITIONS) return value;
  return [...value.slice(0, POSITIONS), `… and ${value.length - POSITIONS} more`];
}

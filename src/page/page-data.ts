import { PERSON_CHANGES, UNIT_CHANGES, type Change, type FieldChange } from '../domain/changes.ts';
import { printable } from '../domain/text/printable.ts';
import { say } from '../domain/words/say.ts';
import { scriptJson } from './markup.ts';
import type { PageChange, PageData, PageField, PageKind, PageValue } from './wire.ts';
import { wordsOf } from '../plan/changes/kinds.ts';
import type { PlacesOfUnits, PlannedChange } from '../plan/words/describe-plan.ts';
import { spellPositions } from '../plan/values/compare.ts';
import { lossTexts, spellField, type FieldWords } from '../plan/words/describe-change.ts';
import { heldNote } from '../plan/words/describe-held.ts';
import type { UnitLabels } from '../plan/words/unit-labels.ts';

interface DataInput {
  readonly changes: Iterable<PlannedChange>;
  readonly tree: PlacesOfUnits;
  readonly labels: UnitLabels;
  /** Zone in which days are shown. */
  readonly zone: string;
}

/** Yields a plan's changes as JSON of {@link PageData}, one at a time: only the names of places are kept in memory. */
export function* pageData({ changes, tree, labels, zone }: DataInput): Iterable<string> {
  const places = new Map<string, number>();
  yield `{"kinds":${scriptJson(kinds())},\n"changes":[`;
  let separator = '\n';
  for (const { change, ...held } of changes) {
    const text = placeOf(change, { tree, labels });
    const place = places.get(text) ?? places.size;
    places.set(text, place);
    const standing = { place, held: held.isHeld, note: heldNote(held).trim() };
    const pageChange: PageChange = {
      ...identityOf(change),
      ...standing,
      ...changeText(change, { names: labels, zone }),
    };
    yield separator + scriptJson(pageChange);
    separator = ',\n';
  }
  yield '],\n"places":[';
  separator = '\n';
  for (const place of places.keys()) {
    yield separator + scriptJson(place);
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

function identityOf(change: Change): Pick<PageChange, 'subject' | 'kind' | 'id' | 'name' | 'username'> {
  const { subject, kind, id } = change;
  const name = subject === 'unit' ? change.name : change.payload.fields['name'];
  return {
    subject,
    kind,
    id: printable(id),
    name: typeof name === 'string' ? printable(name) : '',
    username: subject === 'unit' ? '' : printable(change.username),
  };
}

interface ChangeText {
  readonly why: string;
  readonly fields: readonly PageField[];
}

/** Returns why a record changes, and its fields before and after; for a new person, what the account is made with. */
function changeText(change: Change, words: FieldWords): ChangeText {
  return {
    why: reasonOf(change, words),
    fields: fieldsOf(change).map((field) => pageField(field, words)),
  };
}

/** Returns why a record changes, and what it loses; empty if the kind says it all. */
export function reasonOf(change: Change, { names }: FieldWords): string {
  const reason = change.why.code === 'new' ? '' : say(change.why, names);
  return [reason, ...lossTexts(change)].filter((text) => text !== '').join('; ');
}

/** Returns the fields of a change; of a new person, those that the account is made with. */
export function fieldsOf(change: Change): readonly FieldChange[] {
  if (change.kind !== 'create' || change.subject === 'unit') return change.fields;
  const created = Object.entries(change.payload.fields)
    .filter(([name, to]) => to !== null && name !== 'name')
    .map(([field, to]) => ({ field, from: null, to }));
  const positions = spellPositions(change.payload.positions);
  return [...created, { field: 'positions', from: null, to: positions }];
}

/** How many positions of one record are named. */
const POSITIONS = 20;

function pageField(change: FieldChange, words: FieldWords): PageField {
  if (change.field === 'secrets') return ['secrets', null, 'changed'];
  const { field, from, to } = spellField(change, words);
  return [field, firstOf(from), firstOf(to)];
}

function firstOf(value: PageValue): PageValue {
  if (value === null || typeof value === 'string' || value.length <= POSITIONS) return value;
  return [...value.slice(0, POSITIONS), `… and ${value.length - POSITIONS} more`];
}

/** Returns where a change is shown: a unit at itself, a person at the unit of the primary position. */
function placeOf(change: Change, { tree, labels }: Pick<DataInput, 'tree' | 'labels'>): string {
  const names = (id: string | null | undefined): readonly string[] => {
    const path: string[] = [];
    for (let next = id ?? null; next !== null; next = tree.nodes.get(next)?.parent ?? null)
      path.unshift(labels.get(next) ?? printable(next));
    return path;
  };
  if (change.subject === 'unit') {
    if (tree.nodes.has(change.id)) return names(change.id).join(SEPARATOR);
    const name = labels.get(change.id) ?? printable(change.name);
    return [...names(change.payload.parent), name].join(SEPARATOR);
  }
  const { positions } = change.payload;
  const place = positions.find(({ fields }) => fields['primary'] === true) ?? positions[0];
  if (place === undefined) return 'Without a unit';
  return place.unit === null ? 'Directly at the service’s root' : names(place.unit).join(SEPARATOR);
}

const SEPARATOR = ' › ';

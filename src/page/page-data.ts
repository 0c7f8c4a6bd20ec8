import {
  PERSON_CHANGES,
  UNIT_CHANGES,
  type Change,
  type FieldChange,
  type PersonChange,
  type UnitChange,
} from '../domain/changes.ts';
import type { SequencedChange } from '../domain/ports/ledger/plan-book.ts';
import { printable } from '../domain/text/printable.ts';
import { scriptJson } from './markup.ts';
import type { PageData, PageField, PageKind, PagePerson, PageUnit, PageValue } from './wire.ts';
import { wordsOf } from '../plan/changes/kinds.ts';
import type { UnitTree } from '../plan/units/tree.ts';
import { spellPositions } from '../plan/values/compare.ts';
import { lossTexts, spellField } from '../plan/words/describe-change.ts';
import { heldNote } from '../plan/words/describe-held.ts';
import { nameUnits, type UnitLabels } from '../plan/words/unit-labels.ts';

/** A planned change, and what holds it. */
export type PageChange = Omit<SequencedChange, 'seq' | 'goesOn'>;

interface DataParts {
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
  return [...made, { field: 'positions', from: null, to: positions }];
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

export type PlacesOfUnits = Pick<UnitTree, 'nodes'>;

type Told = Pick<PageUnit, 'held' | 'note' | 'why' | 'fields'>;

const UNTOLD: Told = { held: false, note: '', why: '', fields: [] };

/** Places of people who are in no unit, and what they are called. */
const ROOT = 'root';
const NOWHERE = 'nowhere';
const PLACES: Readonly<Record<string, string>> = {
  [ROOT]: 'Directly at the service’s root',
  [NOWHERE]: 'Without a unit',
};

const keyOf = (unit: string): string => `unit ${unit}`;

/** The units of the page, numbered as they are needed. */
class PageUnits {
  readonly #tree: PlacesOfUnits;
  readonly #labels: UnitLabels;
  /** Index of each unit or place, in this order. */
  readonly #indexes = new Map<string, number>();
  readonly #changes = new Map<string, UnitChange & { readonly told: Told }>();

  constructor(tree: PlacesOfUnits, labels: UnitLabels) {
    this.#tree = tree;
    this.#labels = labels;
  }

  /** Adds a unit that changes. */
  change(change: UnitChange, told: Told): void {
    this.#changes.set(change.id, { ...change, told });
    this.#index(keyOf(change.id));
  }

  /** Returns the index of the unit below which a person is shown: that of the primary position. */
  indexOf({ payload: { positions } }: PersonChange): number {
    const place = positions.find(({ fields }) => fields['primary'] === true) ?? positions[0];
    if (place === undefined) return this.#index(NOWHERE);
    return this.#index(place.unit === null ? ROOT : keyOf(place.unit));
  }

  /** Yields all of them by index. Those above the others are added as they are met. */
  *all(): Iterable<PageUnit> {
    // A map yields also what is added meanwhile.
    for (const key of this.#indexes.keys()) yield this.#unit(key);
  }

  #index(key: string): number {
    const known = this.#indexes.get(key);
    if (known !== undefined) return known;
    const index = this.#indexes.size;
    this.#indexes.set(key, index);
    return index;
  }

  #unit(key: string): PageUnit {
    const place = PLACES[key];
    if (place !== undefined) return { id: '', name: place, parent: null, kind: null, ...UNTOLD };
    const id = key.slice(keyOf('').length);
    const change = this.#changes.get(id);
    return {
      id: printable(id),
      name: this.#labels.get(id) ?? printable(change?.name ?? id),
      parent: this.#parentOf(id, change),
      kind: change?.kind ?? null,
      ...(change?.told ?? UNTOLD),
    };
  }

  #parentOf(id: string, change: UnitChange | undefined): number | null {
    const node = this.#tree.nodes.get(id);
    const parent = node === undefined ? change?.payload.parent : node.parent;
    if (parent === undefined || parent === null) return null;
    const isKnown = this.#tree.nodes.has(parent) || this.#changes.has(parent);
    return isKnown ? this.#index(keyOf(parent)) : null;
  }
}

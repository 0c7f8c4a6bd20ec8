import type { Change, FieldChange } from '../../domain/changes.ts';
import type { Individual } from '../../domain/ports/ledger/plan-book.ts';
import type { Fields } from '../../domain/records/fields.ts';
import type { PersonPayload, UnitPayload } from '../../domain/records/payload.ts';
import { isEmpty } from '../../domain/records/is-empty.ts';
import { domainOf, isMail, isOfGroups, nameable, valueTraits } from './shared-value.ts';
import { traitKey, type TraitKey } from './trait.ts';
import type { UnitsAbove } from './units-above.ts';

/** Number of first letters that count, and the signs that end a part of a name: `x-`, `ext.`. */
const LETTERS = 3;
const PART = /^[^-_.]{1,12}[-_.]/u;
const IS_DN = /^[\w.-]+=[^,]+,/u;
const MOST_BASES = 10;
/** Fields that say nothing new: the guard counts by them. */
const NOT_TOLD: ReadonlySet<string> = new Set(['locked', 'username', 'positions', 'parent']);

/** Says of which fields traits are wanted; the empty text stands for those without a field. */
export type Wants = (field: string) => boolean;

const EVERYTHING: Wants = () => true;

/** Returns what a person can have in common with others. */
export function personTraits(
  { id, username, payload, made }: Individual,
  above: UnitsAbove,
  wants: Wants = EVERYTHING,
): ReadonlySet<TraitKey> {
  const traits = new Set<TraitKey>();
  const add = (keys: readonly TraitKey[]): void => {
    for (const key of keys) traits.add(key);
  };
  for (const { unit, fields } of payload.positions) {
    if (unit !== null && wants('')) add(above.traits(unit));
    addValues(traits, fields, (name) => name !== 'primary' && wants(name));
  }
  addValues(traits, payload.fields, wants);
  for (const [field, text] of Object.entries({ username, id }))
    if (wants(field)) add(beginnings(field, text));
  if (wants('')) add([...basesOf(id), ...madeOn(made)]);
  return traits;
}

function addValues(traits: Set<TraitKey>, fields: Fields, wants: Wants): void {
  for (const name in fields)
    if (wants(name)) for (const key of valueTraits(name, fields[name] ?? null)) traits.add(key);
}

const madeOn = (made: number | null): readonly TraitKey[] =>
  made === null ? [] : [traitKey('made', '', new Date(made).toISOString().slice(0, 10))];

/** Returns what a unit can have in common with others. */
export function unitTraits(id: string, { fields }: UnitPayload, above: UnitsAbove): ReadonlySet<TraitKey> {
  const values = Object.entries(fields).flatMap(([name, value]) => valueTraits(name, value));
  return new Set([...above.traits(id), ...values, ...beginnings('id', id), ...basesOf(id)]);
}

function beginnings(field: string, text: string): readonly TraitKey[] {
  const part = PART.exec(text)?.[0];
  const keys = part === undefined ? [] : [traitKey('prefix', field, part)];
  for (let length = 1; length <= LETTERS && length < text.length; length += 1)
    keys.push(traitKey('prefix', field, text.slice(0, length)));
  return keys;
}

/** Returns the DNs above an id that is one. */
function basesOf(id: string): readonly TraitKey[] {
  if (!IS_DN.test(id)) return [];
  const parts = id.split(/(?<!\\),/u);
  return parts.slice(1, MOST_BASES).map((_, index) =>
    traitKey(
      'base',
      '',
      parts
        .slice(index + 1)
        .join(',')
        .trim(),
    ),
  );
}

/** Returns what a change can have in common with others. */
export function changeTraits(change: Change): ReadonlySet<TraitKey> {
  const traits = change.fields.flatMap((field) => fieldTraits(field));
  if (change.cause !== null) traits.push(traitKey('follows', '', change.cause));
  if (change.kind === 'move') traits.push(traitKey('follows', '', change.cause ?? change.id));
  const into = newUnits(change);
  return new Set([...traits, ...into.map((unit) => traitKey('into', '', unit))]);
}

function newUnits(change: Change): readonly string[] {
  if (change.subject === 'unit')
    return change.kind === 'move' && change.payload.parent !== null && change.cause === null
      ? [change.payload.parent]
      : [];
  if (change.kind !== 'update' || change.before === undefined) return [];
  const old = new Set(change.before.map(({ unit }) => unit));
  return unitsOf(change.payload).filter((unit) => !old.has(unit));
}

const unitsOf = ({ positions }: PersonPayload): readonly string[] =>
  positions.flatMap(({ unit }) => unit ?? []);

function fieldTraits({ field, from, to }: FieldChange): readonly TraitKey[] {
  if (NOT_TOLD.has(field)) return [];
  const way = wayOf({ field, from, to });
  const changes = traitKey('field', field, '');
  return way === null ? [changes] : [changes, traitKey('change', field, way)];
}

/** Returns how a value changes, as far as it may be named: `turns empty`, `from "a" to "b"`. */
function wayOf({ field, from, to }: FieldChange): string | null {
  if (isEmpty(to)) return 'to nothing';
  const name = isMail(field) ? mailOf : isOfGroups(field) ? nameable : () => null;
  const [old, now] = [isEmpty(from) ? 'nothing' : quoted(name(from)), quoted(name(to))];
  return old === null || now === null || old === now ? null : `from ${old} to ${now}`;
}

function mailOf(value: FieldChange['from']): string | null {
  const domain = domainOf(value);
  return domain === null ? null : `…@${domain}`;
}

const quoted = (text: string | null): string | null => (text === null ? null : JSON.stringify(text));

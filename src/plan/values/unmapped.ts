import type { Shown } from '../../domain/ports/shown.ts';
import { propertiesOf } from '../../domain/records/emptied.ts';
import {
  LISTED_FIELDS,
  PERSON_FIELDS,
  POSITION_FIELDS,
  type Fields,
  type FieldSpec,
  type FieldValue,
} from '../../domain/records/fields.ts';
import type { PersonPayload } from '../../domain/records/payload.ts';

/** A value that an account shows and no rule maps. A write that leaves it out may clear it. */
interface Unmapped {
  /** As `mobile` or `properties.12`. */
  readonly name: string;
  /** `null` if its form cannot be read. */
  readonly value: FieldValue | null;
  /** It can be sent as it is shown. */
  readonly writable: boolean;
}

const PROPERTIES = 'properties.';
/** Properties go along one by one; tags that are shown by name have no group, so their ids go along. */
const APART: ReadonlySet<string> = new Set(['properties', 'tag_names']);

/** Returns all that a write may clear. A value that a new account has as well is nothing to lose. */
export function unmappedOf(
  { fields: mapped }: Pick<PersonPayload, 'fields'>,
  shown: Shown,
): readonly Unmapped[] {
  const unwritable = new Set(shown.unwritable);
  const names = LISTED_FIELDS.filter((name) => !APART.has(name) && !isMapped(name, mapped));
  const fields = names.flatMap((name) => one(name, shown.fields[name] ?? null, unwritable));
  const ids = new Set(Object.keys(propertiesOf(mapped['properties'])));
  const properties = Object.entries(propertiesOf(shown.fields['properties']))
    .filter(([id]) => !ids.has(id))
    .flatMap(([id, value]) => one(PROPERTIES + id, value, unwritable));
  return [...fields, ...properties, ...unreadProperties(shown, ids), ...byName(shown, mapped)];
}

/**
 * Returns properties whose form cannot be read. If all their elements are known to belong to mapped schemas,
 * nothing is lost, and nothing is returned.
 */
function unreadProperties({ unwritable, unread }: Shown, mapped: ReadonlySet<string>): readonly Unmapped[] {
  if (unwritable?.includes('properties') !== true) return [];
  const elements = unread?.['properties'];
  if (elements !== undefined && beyondMapped(elements, mapped).length === 0) return [];
  return [{ name: 'properties', value: null, writable: false }];
}

/** Fields that lists may show by name alone, with the body's field for the id. */
const ID_OF: Readonly<Record<string, string>> = { tag_names: 'tags', employee_rank_name: 'rank' };

function byName({ unread }: Shown, mapped: Fields): readonly Unmapped[] {
  return Object.entries(ID_OF)
    .filter(([name, id]) => unread?.[name] !== undefined && !isMapped(id, mapped))
    .map(([name]) => ({ name, value: null, writable: false }));
}

/** Returns whether a field is mapped. Tags and rank may be mapped by name as well, and the ids would win over it. */
function isMapped(name: string, mapped: Fields): boolean {
  return name in mapped || Object.entries(ID_OF).some(([other, id]) => id === name && other in mapped);
}

function one(name: string, value: FieldValue | null, unwritable: ReadonlySet<string>): readonly Unmapped[] {
  if (isNothing(name, value) && !unwritable.has(name)) return [];
  return [{ name, value, writable: !unwritable.has(name) && !isMasked(value) }];
}

/** Returns what is sent: the mapped fields, and those unmapped values that can be sent as they are shown. */
export function withUnmapped(sent: Fields, values: readonly Unmapped[]): Fields {
  const along = values.filter(({ writable }) => writable);
  const fields = along.filter(({ name }) => !name.startsWith(PROPERTIES));
  const properties = along.filter(({ name }) => name.startsWith(PROPERTIES));
  const merged = { ...Object.fromEntries(fields.map(({ name, value }) => [name, value])), ...sent };
  if (properties.length === 0) return merged;
  const shown = properties.map(({ name, value }) => [name.slice(PROPERTIES.length), value]);
  return {
    ...merged,
    properties: { ...Object.fromEntries(shown), ...propertiesOf(sent['properties']) } as FieldValue,
  };
}

/** Returns the elements of properties that do not name a mapped schema by its id. */
export function beyondMapped(elements: readonly string[], ids: ReadonlySet<string>): readonly string[] {
  if (ids.size === 0) return elements;
  return elements.filter((element) => !leavesOf([element]).some((leaf) => ids.has(idIn(leaf))));
}

const ID = /\.[^.=]*id=(?<id>.*)$/isu;

const idIn = (leaf: string): string => ID.exec(leaf)?.groups?.['id'] ?? '';

/** Returns all leaves of the elements that have a value, as `.schema.id=900`. */
function leavesOf(elements: readonly string[]): readonly string[] {
  return elements.flatMap((element) => leavesIn(JSON.parse(element), ''));
}

function leavesIn(value: unknown, path: string): readonly string[] {
  if (value === null || value === '' || value === false || value === 0) return [];
  if (typeof value !== 'object')
    return [`${path}=${typeof value === 'string' ? value : JSON.stringify(value)}`];
  const isList = Array.isArray(value);
  return Object.entries(value).flatMap(([key, inner]) => leavesIn(inner, isList ? path : `${path}.${key}`));
}

/** Two in a row: a single asterisk is part of a word ("Projektleiter*in"). */
const MASK = /[*•]{2}/u;

/**
 * Returns whether a value has asterisks or bullets in a row. It may be shown in place of what is stored, and must not be
 * sent back over it.
 */
export function isMasked(value: FieldValue | null | undefined): boolean {
  if (typeof value === 'string') return MASK.test(value);
  return typeof value === 'object' && MASK.test(JSON.stringify(value));
}

const SPECS: Readonly<Record<string, FieldSpec>> = { ...POSITION_FIELDS, ...PERSON_FIELDS };

/** Returns whether a shown value is what a new account has there: "", 0, false, an empty list, null, or left out. */
export function isNothing(field: string, value: FieldValue | null | undefined): boolean {
  if (value === null || value === undefined || value === '' || value === false) return true;
  if (value === '0') return SPECS[field]?.kind === 'integer';
  if (typeof value !== 'object') return false;
  const inner: readonly unknown[] = Object.values(value);
  return inner.every((item) => item === '' || (Array.isArray(item) && isNothing(field, item as string[])));
}

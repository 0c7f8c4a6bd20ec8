import { LISTED_FIELDS, type Fields, type FieldValue } from '../../domain/records/fields.ts';
import type { NewAccounts } from '../../domain/records/new-accounts.ts';
import type { PersonPayload } from '../../domain/records/payload.ts';
import type { SyncSettings } from '../../domain/settings.ts';
import type { Shown } from '../../domain/ports/shown.ts';
import { isFilledIn } from './filled-in.ts';
import { isMasked } from './masked.ts';
import { isNothing } from './new-account.ts';
import { beyondMapped } from './unread.ts';

/** What a write may clear: a field that it leaves out, or a property that its list of properties leaves out. */
export const UNMAPPED_KINDS = ['fields', 'properties'] as const;
export type UnmappedKind = (typeof UNMAPPED_KINDS)[number];

/** A value that an account shows and nobody has mapped. */
export interface Unmapped {
  /** As `mobile` or `properties.12`. */
  readonly name: string;
  readonly kind: UnmappedKind;
  /** `null` where its form cannot be read. */
  readonly value: FieldValue | null;
  /** Its elements, where its form cannot be read. */
  readonly unread?: readonly string[];
  /** It can be sent as it is shown. */
  readonly writable: boolean;
}

/** Whether the service keeps what an import leaves out; `null` while that is unknown. */
export type Keeps = Readonly<Record<UnmappedKind, boolean | null>>;

export interface UnmappedRules {
  readonly unmapped: SyncSettings['unmapped'];
  readonly keeps: Keeps;
  readonly newAccounts: NewAccounts | null;
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
  const fields = names.flatMap((name) => one(name, 'fields', shown.fields[name] ?? null, unwritable));
  const kind = 'properties' in mapped ? 'properties' : 'fields';
  const ids = new Set(Object.keys(record(mapped['properties'])));
  const properties = Object.entries(record(shown.fields['properties']))
    .filter(([id]) => !ids.has(id))
    .flatMap(([id, value]) => one(PROPERTIES + id, kind, value, unwritable));
  const unread = [...unreadProperties(shown, kind, ids), ...byName(shown, mapped)];
  return [...fields, ...properties, ...unread].map((value) => withElements(value, shown));
}

/**
 * Returns properties whose form cannot be read. Elements of mapped schemas are left out where they can be told: they
 * are no loss.
 */
function unreadProperties(
  { unwritable, unread }: Shown,
  kind: UnmappedKind,
  mapped: ReadonlySet<string>,
): readonly Unmapped[] {
  if (unwritable?.includes('properties') !== true) return [];
  const none = { name: 'properties', kind, value: null, writable: false };
  const elements = unread?.['properties'];
  if (elements === undefined) return [none];
  const beyond = beyondMapped(elements, mapped);
  return beyond.length === 0 ? [] : [{ ...none, unread: beyond }];
}

/** Fields that lists may show by name alone, with the body's field for the id. */
export const ID_OF: Readonly<Record<string, string>> = { tag_names: 'tags', employee_rank_name: 'rank' };

function byName({ unread }: Shown, mapped: Fields): readonly Unmapped[] {
  return Object.entries(ID_OF)
    .filter(([name, id]) => unread?.[name] !== undefined && !isMapped(id, mapped))
    .map(([name]) => ({ name, kind: 'fields', value: null, writable: false }));
}

function withElements(value: Unmapped, { unread }: Shown): Unmapped {
  const elements = value.unread ?? unread?.[value.name];
  return elements === undefined ? value : { ...value, unread: elements };
}

/** Returns whether a field is mapped. Tags and rank may be mapped by name as well, and the ids would win over it. */
function isMapped(name: string, mapped: Fields): boolean {
  return name in mapped || Object.entries(ID_OF).some(([other, id]) => id === name && other in mapped);
}

function one(
  name: string,
  kind: UnmappedKind,
  value: FieldValue | null,
  unwritable: ReadonlySet<string>,
): readonly Unmapped[] {
  if (isNothing(name, value) && !unwritable.has(name)) return [];
  return [{ name, kind, value, writable: !unwritable.has(name) && !isMasked(value) }];
}

type Properties = Readonly<Record<string, readonly string[]>>;

function record(value: FieldValue | null | undefined): Properties {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Properties) : {};
}

/**
 * Returns the kinds that go along in a write: sending them costs nothing where it is unknown whether the service keeps
 * them.
 */
export function mergedKinds({ unmapped, keeps }: UnmappedRules): ReadonlySet<UnmappedKind> {
  if (unmapped === 'omit') return new Set();
  return new Set(UNMAPPED_KINDS.filter((kind) => unmapped === 'keep' || keeps[kind] !== true));
}

/** Returns what goes out, together with what nobody has mapped and can be sent as it is shown. */
export function withUnmapped(
  sent: Fields,
  values: readonly Unmapped[],
  kinds: ReadonlySet<UnmappedKind>,
): Fields {
  const along = values.filter(({ kind, writable }) => writable && kinds.has(kind));
  const fields = along.filter(({ name }) => !name.startsWith(PROPERTIES));
  const properties = along.filter(({ name }) => name.startsWith(PROPERTIES));
  const merged = { ...Object.fromEntries(fields.map(({ name, value }) => [name, value])), ...sent };
  if (properties.length === 0) return merged;
  const shown = properties.map(({ name, value }) => [name.slice(PROPERTIES.length), value]);
  return {
    ...merged,
    properties: { ...Object.fromEntries(shown), ...record(sent['properties']) } as FieldValue,
  };
}

/** What a write loses although all that can go along does. `certain`: the service clears it; else it may. */
export interface Losses {
  readonly fields: readonly string[];
  readonly certain: boolean;
}

export function lossesOf(values: readonly Unmapped[], rules: UnmappedRules): Losses | null {
  const { unmapped, keeps } = rules;
  if (unmapped === 'omit') return null;
  const lost = values.filter(
    (value) => !value.writable && keeps[value.kind] !== true && !mayBeTried(value, rules),
  );
  if (lost.length === 0) return null;
  return { fields: lost.map(({ name }) => name), certain: lost.some(({ kind }) => keeps[kind] === false) };
}

/** Returns whether the value can be used for the trial: nobody has typed it in. */
function mayBeTried(value: Unmapped, { unmapped, keeps, newAccounts }: UnmappedRules): boolean {
  return unmapped === 'try' && keeps[value.kind] === null && isFilledIn(value, newAccounts);
}

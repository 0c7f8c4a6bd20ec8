import type { DataSchema } from '../../domain/ports/service.ts';
import { isMap, propertiesOf } from '../../domain/records/emptied.ts';
import type { FieldValue, Fields } from '../../domain/records/fields.ts';
import { printable } from '../../domain/text/printable.ts';
import { suggest } from '../../lib/suggest.ts';

/** Ids of the schemas that were seen to have a name, by the name. */
export type SchemaIds = Readonly<Record<string, readonly string[]>>;

/** Keys under `properties` in the configuration, and what they mean in the service. */
export interface SchemaKeys {
  /** Ids by key, for names whose schema is known. */
  readonly idOf: ReadonlyMap<string, string>;
  /** Names whose properties wait. */
  readonly waiting: readonly WaitingKey[];
}

export interface WaitingKey {
  readonly key: string;
  readonly why: string;
  /** Ids that it might mean: what they hold stays as it was sent. */
  readonly ids: readonly string[];
}

const PROPERTIES = 'properties.';

/** Returns the keys of a configuration's `properties`, from the rules by field. */
export function keysOf(person: Readonly<Record<string, string>>): readonly string[] {
  return Object.keys(person)
    .filter((field) => field.startsWith(PROPERTIES))
    .map((field) => field.slice(PROPERTIES.length));
}

/** Returns whether a key is the id of a schema; any other key is one of its names. */
export const isSchemaId = (key: string): boolean => /^\d+$/u.test(key);

/** What lists have shown. */
export interface ShownSchemas {
  readonly schemas: readonly DataSchema[];
  /** Whether everybody was asked for. */
  readonly isAll: boolean;
}

/**
 * Adds what was seen now: a schema that is shown without a name no longer counts for it, and where everybody was asked
 * for, one that nobody shows makes way for another of its name.
 */
export function learnSchemaIds(
  before: SchemaIds,
  keys: readonly string[],
  { schemas, isAll }: ShownSchemas,
): SchemaIds {
  const named = keys.filter((key) => !isSchemaId(key));
  const entries = named.map((key) => {
    const isShown = schemas.some(({ id, names }) => id === key || names.includes(key));
    const ids = new Set(isAll && isShown ? [] : before[key]);
    for (const { id, names } of schemas) {
      if (id === key || names.includes(key)) ids.add(id);
      else ids.delete(id);
    }
    return [key, [...ids].toSorted()] as const;
  });
  return Object.fromEntries(entries.filter(([, ids]) => ids.length > 0));
}

/** Returns what each key means. A key with an id counts before a name that means the same schema. */
export function schemaKeys(
  keys: readonly string[],
  known: SchemaIds,
  schemas: readonly DataSchema[] = [],
): SchemaKeys {
  const idOf = new Map<string, string>();
  const waiting: WaitingKey[] = [];
  const named = keys.filter((key) => !isSchemaId(key));
  for (const key of named) {
    const ids = known[key] ?? [];
    const why = whyWaiting(key, { ids, keys, known, schemas });
    if (why !== null) waiting.push({ key, why, ids });
    else if (ids[0] !== undefined) idOf.set(key, ids[0]);
  }
  return { idOf, waiting };
}

interface Meaning {
  readonly ids: readonly string[];
  readonly keys: readonly string[];
  readonly known: SchemaIds;
  readonly schemas: readonly DataSchema[];
}

function whyWaiting(key: string, { ids, keys, known, schemas }: Meaning): string | null {
  const [id, ...others] = ids;
  const name = `properties "${printable(key)}"`;
  if (id === undefined)
    return `${name}: no data schema that the service has shown is called so${nearest(key, schemas)}`;
  if (others.length > 0)
    return `${name}: the data schemas ${ids.join(' and ')} are called so: write the id of one of them`;
  const same = keys.filter((other) => other !== key && (other === id || isOnly(known[other], id)));
  if (same.length === 0) return null;
  const rivals = same.map((other) => `"${printable(other)}"`).join(', ');
  return `${name}: the data schema ${id} is mapped by ${rivals} too: keep one of them`;
}

const isOnly = (ids: readonly string[] | undefined, id: string): boolean =>
  ids?.length === 1 && ids[0] === id;

function nearest(key: string, schemas: readonly DataSchema[]): string {
  const names = schemas.flatMap((schema) => schema.names);
  const meant = suggest(key, names);
  if (meant !== undefined) return `; did you mean "${printable(meant)}"?`;
  const some = [...new Set(names)].slice(0, 10).map((one) => `"${printable(one)}"`);
  return some.length === 0 ? '' : `; there are ${some.join(', ')}${names.length > 10 ? ', …' : ''}`;
}

/** Returns fields whose properties are under ids, where these are known; others stay under their names. */
export function withSchemaIds(fields: Fields, { idOf }: Pick<SchemaKeys, 'idOf'>): Fields {
  const { properties } = fields;
  if (idOf.size === 0 || !isMap(properties)) return fields;
  const entries = Object.entries(propertiesOf(properties)).map(([key, value]) => [
    idOf.get(key) ?? key,
    value,
  ]);
  return { ...fields, properties: Object.fromEntries(entries) as FieldValue };
}

/** Returns fields without properties that wait; without any where nothing else is mapped. */
export function withoutWaiting(fields: Fields, { waiting }: Pick<SchemaKeys, 'waiting'>): Fields {
  const { properties, ...rest } = fields;
  if (waiting.length === 0 || !isMap(properties)) return fields;
  const names = new Set(waiting.map(({ key }) => key));
  const entries = Object.entries(propertiesOf(properties)).filter(([key]) => !names.has(key));
  return entries.length === 0 ? rest : { ...rest, properties: Object.fromEntries(entries) as FieldValue };
}

import type { DataSchema } from '../../domain/ports/service.ts';
import type { Person } from '../../domain/records/records.ts';
import { listSome, printable } from '../../domain/text/printable.ts';
import { isSchemaId, learnSchemaIds, schemaKeys, type SchemaIds } from '../../plan/values/schema-keys.ts';
import { Groups } from './field-counts.ts';
import { namedText } from './words.ts';

const NUMBERS = /^(?:int|integer|long|number|numeric|decimal|float|double)$/iu;
const TEXTS = /^(?:text|textarea|string|)$/iu;

/** Compares values of properties with what their data schemas take. Only `check` tells: a run sends them all the same. */
export class PropertyValues {
  readonly #schemas: ReadonlyMap<string, DataSchema>;
  readonly #bad = new Groups();

  /** @param known what runs have found out about names of schemas */
  constructor(keys: readonly string[], schemas: readonly DataSchema[], known: SchemaIds) {
    const { idOf } = schemaKeys(keys, learnSchemaIds(known, keys, { schemas, isAll: false }), schemas);
    const byId = new Map(schemas.map((schema) => [schema.id, schema]));
    const schemaOf = (key: string): DataSchema | undefined =>
      byId.get(isSchemaId(key) ? key : (idOf.get(key) ?? ''));
    this.#schemas = new Map(
      keys.flatMap((key) => {
        const schema = schemaOf(key);
        return schema === undefined ? [] : [[key, schema] as const];
      }),
    );
  }

  add({ id, username, active, fields: { properties } }: Person): void {
    if (active === false || typeof properties !== 'object' || properties === null) return;
    for (const [key, values] of Object.entries(properties)) {
      const schema = this.#schemas.get(key);
      if (schema === undefined || !Array.isArray(values)) continue;
      for (const value of values as readonly string[]) {
        const wrong = wrongWith(value, schema);
        if (wrong !== null) this.#bad.add(JSON.stringify([key, wrong]), namedText(username, id));
      }
    }
  }

  /** Returns a sentence for each kind of value that the service would not take. */
  list(): readonly string[] {
    return this.#bad.list().map(({ reason, count, first }) => {
      const [key = '', wrong = ''] = JSON.parse(reason) as readonly string[];
      const values = `${count.toLocaleString('en')} ${count === 1 ? 'value' : 'values'}`;
      return `properties "${printable(key)}": ${values} ${wrong}, the first: ${first[0] ?? ''}`;
    });
  }
}

/** Returns what is wrong with a value, as it follows the words "3 values"; `null`: nothing. */
export function wrongWith(value: string, { type, options, min, max }: DataSchema): string | null {
  if (options.length > 0 && !options.includes(value)) {
    return `that are no option (there are ${listSome(options.map((option) => printable(option)))})`;
  }
  if (NUMBERS.test(type)) return outOfRange(Number(value), { min, max }, ['below', 'above']);
  if (!TEXTS.test(type)) return null;
  return outOfRange(Array.from(value).length, { min, max }, ['shorter than', 'longer than']);
}

function outOfRange(
  size: number,
  { min, max }: Pick<DataSchema, 'min' | 'max'>,
  [less, more]: readonly [string, string],
): string | null {
  if (Number.isNaN(size)) return 'that are no number';
  if (min !== null && size < min) return `${less} ${min}`;
  return max !== null && size > max ? `${more} ${max}` : null;
}

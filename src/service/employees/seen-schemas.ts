import type { DataSchema } from '../../domain/records/data-schema.ts';
import type { WireObject } from '../wire/decode.ts';
import { decodeSchema } from '../wire/decode-schema.ts';

const MOST = 10_000;
const TOLD_APART = ['property', 'name', 'alias', 'en_alias', 'tw_alias', 'type', 'min', 'max'] as const;

/** The schemas of properties that lists of employees have shown so far; nothing is asked for them. */
export class SeenSchemas {
  readonly #schemas = new Map<unknown, { readonly raw: WireObject; readonly schema: DataSchema }>();

  /** Takes the schemas of one record. Most records show the same ones: these are not decoded again. */
  see(schemas: readonly WireObject[]): void {
    for (const raw of schemas) {
      const known = this.#schemas.get(raw['id']);
      if (known !== undefined && TOLD_APART.every((name) => known.raw[name] === raw[name])) continue;
      const schema = decodeSchema(raw);
      if (schema !== null && (known !== undefined || this.#schemas.size < MOST))
        this.#schemas.set(raw['id'], { raw, schema });
    }
  }

  /** Forgets them, before a look at everybody: what nobody shows any more is no schema. */
  forget(): void {
    this.#schemas.clear();
  }

  list(): readonly DataSchema[] {
    return [...this.#schemas.values()].map(({ schema }) => schema);
  }
}

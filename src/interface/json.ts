/** A JSON value whose integers keep every digit: those that do not fit a double are `bigint`. */
export type Json = string | number | bigint | boolean | null | readonly Json[] | JsonObject;

/** Members that are `undefined` are not written. */
export interface JsonObject {
  readonly [name: string]: Json | undefined;
}

export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Writes JSON, as the counterpart of parseJson: a `bigint` becomes a JSON number with all its digits. */
export function writeJson(value: Json): string {
  if (value === null) return 'null';
  if (typeof value === 'bigint') return value.toString();
  if (isList(value)) return `[${value.map(writeJson).join(',')}]`;
  return typeof value === 'object' ? writeObject(value) : JSON.stringify(value);
}

function writeObject(object: JsonObject): string {
  const members: string[] = [];
  for (const [name, value] of Object.entries(object)) {
    if (value !== undefined) members.push(`${JSON.stringify(name)}:${writeJson(value)}`);
  }
  return `{${members.join(',')}}`;
}

/** A JSON value whose integers keep every digit: those that do not fit a double are `bigint`. */
export type WireValue = string | number | bigint | boolean | null | readonly WireValue[] | WireObject;

/** Fields that are `undefined` are left out of the answer. */
export interface WireObject {
  readonly [name: string]: WireValue | undefined;
}

export function isList(value: WireValue | undefined): value is readonly WireValue[] {
  return Array.isArray(value);
}

export function isObject(value: WireValue | undefined): value is WireObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Writes JSON, as the counterpart of parseJson: a `bigint` becomes a JSON number with all its digits. */
export function writeWire(value: WireValue): string {
  if (value === null) return 'null';
  if (typeof value === 'bigint') return value.toString();
  if (isList(value)) return `[${value.map(writeWire).join(',')}]`;
  return typeof value === 'object' ? writeObject(value) : JSON.stringify(value);
}

function writeObject(object: WireObject): string {
  const fields: string[] = [];
  for (const [name, value] of Object.entries(object)) {
    if (value !== undefined) fields.push(`${JSON.stringify(name)}:${writeWire(value)}`);
  }
  return `{${fields.join(',')}}`;
}

import { isList, type WireObject, type WireValue } from './wire-value.ts';

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

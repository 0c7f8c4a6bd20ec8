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

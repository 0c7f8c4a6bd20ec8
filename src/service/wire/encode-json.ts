/** A 64-bit integer as decimal digits, written as a JSON number without going through a double (promise 8). */
export class Long {
  readonly digits: string;

  constructor(digits: string) {
    this.digits = digits;
  }
}

export type Json = string | boolean | null | Long | readonly Json[] | { readonly [key: string]: Json };

/**
 * Returns decimal digits as a number; any other text stays text: the interface's ids are text, and it does
 * not show their numbers.
 */
export function long(text: string): Long | string {
  return /^-?\d+$/.test(text) ? new Long(BigInt(text).toString()) : text;
}

export function encodeJson(value: Json): string {
  if (value instanceof Long) return value.digits;
  if (Array.isArray(value)) return `[${value.map(encodeJson).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([key, member]) => `${JSON.stringify(key)}:${encodeJson(member)}`,
  );
  return `{${members.join(',')}}`;
}

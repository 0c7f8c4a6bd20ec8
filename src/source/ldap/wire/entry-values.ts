import type { SearchEntry } from 'ldapts';

/** Returns the values of an attribute, by its name in any case. */
export function valuesIn(
  { attributes }: SearchEntry,
  name: string,
  textOf: (value: string | Buffer) => string = String,
): readonly string[] {
  const wanted = name.toLowerCase();
  return attributes
    .filter(({ type }) => type.toLowerCase() === wanted)
    .flatMap(({ values }) => values.map(textOf));
}

/** Returns bytes that are no text as base64. */
export function asText(value: string | Buffer): string {
  return typeof value === 'string' ? value : value.toString('base64');
}

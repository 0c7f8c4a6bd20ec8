/** Yields data as JSON. A list that is no array is written one item a line, and is never in memory as a whole. */
export function* jsonTexts(data: object): Iterable<string> {
  const [name, items] = Object.entries(data).find(([, value]) => isStream(value)) ?? [];
  if (isStream(data)) yield* listTexts(data);
  else if (name === undefined || !isStream(items)) yield JSON.stringify(data, null, 2);
  else {
    yield `${JSON.stringify({ ...data, [name]: undefined }).slice(0, -1)},${JSON.stringify(name)}:`;
    yield* listTexts(items);
    yield '}';
  }
  yield '\n';
}

function isStream(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value && !Array.isArray(value);
}

function* listTexts(items: Iterable<unknown>): Iterable<string> {
  let separator = '[\n';
  for (const item of items) {
    yield separator + JSON.stringify(item);
    separator = ',\n';
  }
  yield separator === ',\n' ? '\n]' : '[]';
}

/**
 * Number of spellings that are remembered: references repeat, since the parents of all people are few units.
 */
const REMEMBERED = 50_000;

/** Returns the same function, which computes what it is asked for again only once. */
export function remembering<T>(compute: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    if (known.size >= REMEMBERED) known.clear();
    const result = compute(text);
    known.set(text, result);
    return result;
  };
}

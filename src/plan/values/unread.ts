/** What became of a value that cannot be read; `other`: something else is there now, which is somebody's edit. */
export type Fate = 'kept' | 'lost' | 'other';

/**
 * Compares the elements of a value before and now. It is lost where something is missing and nothing is new: the
 * element itself may stay as an empty slot.
 */
export function fateOf(before: readonly string[], now: readonly string[]): Fate {
  const [was, is] = [leavesOf(before), leavesOf(now)];
  const gone = without(was, is);
  if (without(is, was).length > 0) return 'other';
  return gone.length === 0 ? 'kept' : 'lost';
}

function without(leaves: readonly string[], others: readonly string[]): readonly string[] {
  const left = new Map<string, number>();
  for (const one of others) left.set(one, (left.get(one) ?? 0) + 1);
  return leaves.filter((one) => {
    const count = left.get(one) ?? 0;
    left.set(one, count - 1);
    return count <= 0;
  });
}

/** Returns all leaves of the elements that have a value, as `.schema.id=900`. */
function leavesOf(elements: readonly string[]): readonly string[] {
  return elements.flatMap((element) => leavesIn(JSON.parse(element), ''));
}

function leavesIn(value: unknown, path: string): readonly string[] {
  if (value === null || value === '' || value === false || value === 0) return [];
  if (typeof value !== 'object')
    return [`${path}=${typeof value === 'string' ? value : JSON.stringify(value)}`];
  const isList = Array.isArray(value);
  return Object.entries(value).flatMap(([key, inner]) => leavesIn(inner, isList ? path : `${path}.${key}`));
}

/** Returns the elements of properties that do not name a mapped schema by its id. */
export function beyondMapped(elements: readonly string[], ids: ReadonlySet<string>): readonly string[] {
  if (ids.size === 0) return elements;
  return elements.filter((element) => !leavesOf([element]).some((leaf) => ids.has(idIn(leaf))));
}

const ID = /\.[^.=]*id=(?<id>.*)$/isu;

const idIn = (leaf: string): string => ID.exec(leaf)?.groups?.['id'] ?? '';

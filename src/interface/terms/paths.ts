/** Returns the names of the variable parts of a path, in order. */
export function partsOf(path: string): readonly string[] {
  return Array.from(path.matchAll(/\{(\w+)\}/gu), ([, name = '']) => name);
}

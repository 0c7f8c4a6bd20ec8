/** Names of the variable parts of a path. */
export type PartsOf<P extends string> = P extends `${string}{${infer N}}${infer R}` ? N | PartsOf<R> : never;

/** Returns the names of the variable parts of a path, in order. */
export function partsOf(path: string): readonly string[] {
  return Array.from(path.matchAll(/\{(\w+)\}/gu), ([, name = '']) => name);
}

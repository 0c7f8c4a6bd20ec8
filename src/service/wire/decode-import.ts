import { isObject, textOrNull } from './decode.ts';

/** The answer `{successes, failures}` of both imports (interface), as pairs in the order of the answer. */
export interface ImportMaps {
  readonly successes: readonly (readonly [key: string, id: string])[];
  readonly failures: readonly (readonly [key: string, reason: string])[];
}

/**
 * Decodes the answer of an import. Never throws, because the import is done; what cannot be read is in
 * neither map and has to be read back.
 */
export function decodeImport(result: unknown, clean: (words: string) => string): ImportMaps {
  const maps = isObject(result) ? result : {};
  const failures = pairsOf(maps['failures']);
  return {
    successes: pairsOf(maps['successes']),
    failures: failures.map(([key, reason]) => [key, clean(reason)]),
  };
}

function pairsOf(map: unknown): readonly (readonly [string, string])[] {
  if (!isObject(map)) return [];
  return Object.entries(map).map(([key, value]) => [key, textOrNull(value) ?? JSON.stringify(value)]);
}

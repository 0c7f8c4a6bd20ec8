import type { EmployeeBody, ItemOutcome } from '../../domain/ports/service.ts';
import { foldUsername } from '../../domain/text/fold.ts';
import type { ImportMaps } from '../wire/decode-import.ts';

/**
 * Returns the outcome of each body. Both maps are "keyed by user name" (interface, Import employees). A key
 * in another case is used where it can mean only one of the bodies. A body in neither map, or in both, is
 * unknown and has to be read back.
 */
export function outcomesOf(bodies: readonly EmployeeBody[], maps: ImportMaps): readonly ItemOutcome[] {
  const lookUp = { done: new Map(maps.successes), refused: new Map(maps.failures) };
  const keys = [...lookUp.done.keys(), ...lookUp.refused.keys()];
  const spelled = spellings(keys);
  const asked = spellings(bodies.map(({ username }) => username));
  return bodies.map(({ username }) => {
    const folded = foldUsername(username);
    const isExact = lookUp.done.has(username) || lookUp.refused.has(username);
    const isClear = spelled.get(folded)?.size === 1 && asked.get(folded)?.size === 1;
    const [key = username] = isExact || !isClear ? [] : (spelled.get(folded) ?? []);
    return outcomeOf(lookUp.done.get(key), lookUp.refused.get(key));
  });
}

function outcomeOf(value: string | undefined, reason: string | undefined): ItemOutcome {
  if (value !== undefined && reason === undefined) return { outcome: 'done', value };
  if (reason !== undefined && value === undefined) return { outcome: 'refused', reason };
  return { outcome: 'unknown' };
}

function spellings(usernames: readonly string[]): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const username of usernames) {
    const folded = foldUsername(username);
    found.set(folded, (found.get(folded) ?? new Set()).add(username));
  }
  return found;
}

import { distance } from 'fastest-levenshtein';

/** Returns the known word that a mistyped one most likely means, if any is close. */
export function suggest(word: string, known: readonly string[]): string | undefined {
  const plain = plainWord(word);
  const [nearest] = known
    .map((candidate) => ({ candidate, edits: distance(plain, plainWord(candidate)) }))
    .filter(({ edits }) => edits <= Math.ceil(plain.length / 3))
    .toSorted((a, b) => a.edits - b.edits);
  return nearest?.candidate;
}

/** Returns a word without case and separators, the commonest mistakes: `bind_password`, `Fullcron`. */
function plainWord(word: string): string {
  return word.toLowerCase().replace(/[_\s-]/g, '');
}

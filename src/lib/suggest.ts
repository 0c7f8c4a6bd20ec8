import { distance } from 'fastest-levenshtein';

/** The known word that a mistyped one most likely means, if any comes near. */
export function suggest(word: string, known: readonly string[]): string | undefined {
  const plain = plainWord(word);
  const [nearest] = known
    .map((candidate) => ({ candidate, edits: distance(plain, plainWord(candidate)) }))
    .filter(({ edits }) => edits <= Math.ceil(plain.length / 3))
    .toSorted((a, b) => a.edits - b.edits);
  return nearest?.candidate;
}

/** Case and separators are the commonest mistakes: `bind_password`, `Fullcron`. */
function plainWord(word: string): string {
  return word.toLowerCase().replace(/[_\s-]/g, '');
}

/** The known word that a mistyped one most likely means, if any comes near. */
export function suggest(word: string, known: readonly string[]): string | undefined {
  const plain = plainWord(word);
  const [nearest] = known
    .map((candidate) => ({ candidate, distance: editDistance(plain, plainWord(candidate)) }))
    .filter(({ distance }) => distance <= Math.ceil(plain.length / 3))
    .toSorted((a, b) => a.distance - b.distance);
  return nearest?.candidate;
}

/** Case and separators are the commonest mistakes: `bind_password`, `Fullcron`. */
function plainWord(word: string): string {
  return word.toLowerCase().replace(/[_\s-]/g, '');
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, left] of Array.from(a).entries()) {
    const next = [i + 1];
    for (const [j, right] of Array.from(b).entries()) {
      const replaced = (row[j] ?? 0) + (left === right ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

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

/** Letters added, left out, replaced, or two of them swapped. */
function editDistance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, index) => index)];
  const at = (i: number, j: number): number => rows[i]?.[j] ?? 0;
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwap ? at(i - 2, j - 2) + 1 : replaced;
      row.push(Math.min(replaced, swapped, at(i, j - 1) + 1, at(i - 1, j) + 1));
    }
  }
  return at(a.length, b.length);
}

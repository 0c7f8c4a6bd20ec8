/** Returns a username without case, for telling whether two are the same (promise 5). */
export function foldUsername(username: string): string {
  return username.normalize('NFC').toLowerCase();
}

/** Returns whether a name is among these, in any case: a directory has its names in any. */
export function inAnyCase(names: Iterable<string>): (name: string) => boolean {
  const folded = new Set([...names].map((name) => name.toLowerCase()));
  return (name) => folded.has(name.toLowerCase());
}

/** Returns a name without case and blanks, for telling whether two siblings in an import are the same. */
export function foldName(name: string): string {
  return name.normalize('NFC').toLowerCase().replaceAll(/\s+/gu, '');
}

const wordsOf = (name: string): readonly string[] =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

/** Returns whether a name has more words of another person's name than of the own one: `Stone, Bob` is `Dr. Bob Stone`. */
export function isNamedAs(name: string, other: string, own: string): boolean {
  const words = new Set(wordsOf(name));
  const inCommon = (one: string): number => new Set(wordsOf(one).filter((word) => words.has(word))).size;
  return inCommon(other) > inCommon(own);
}

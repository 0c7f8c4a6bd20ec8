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

/** Returns a username without case, for telling whether two are the same (promise 5). */
export function foldUsername(username: string): string {
  return username.normalize('NFC').toLowerCase();
}

/** Returns a name without case and blanks, for telling whether two siblings in an import are the same. */
export function foldName(name: string): string {
  return name.normalize('NFC').toLowerCase().replaceAll(/\s+/gu, '');
}

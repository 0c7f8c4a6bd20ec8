/** A username as two of them are told apart: without case (promise 5). */
export function foldUsername(username: string): string {
  return username.normalize('NFC').toLowerCase();
}

/** A name as siblings are told apart in an import: without case and blanks. */
export function foldName(name: string): string {
  return name.normalize('NFC').toLowerCase().replaceAll(/\s+/gu, '');
}

import { printable } from './printable.ts';

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

/** A number that a spreadsheet has written: `8.6138E+12`. */
const ROUNDED = /^[+-]?\d(?:[.,]\d+)?E\+\d{2}$/iu;
const NUMBER = /^0*(?<digits>\d+)(?:[.,]0*)?$/u;
const TURNED = 'the export has turned ids into numbers';

/** Returns whether a text is a number that lost its last digits in an export. */
export const isRounded = (text: string): boolean => ROUNDED.test(text);

export const ROUNDED_WORDS = 'is a number that the export has rounded: export the column as text';

/**
 * Returns the same text for ids that differ only by capitals, blanks, invisible characters, leading zeros, an
 * empty fraction, or the apostrophe by which a spreadsheet marks a text.
 */
export function looseId(id: string): string {
  const text = id
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/^'|[\s\p{Cf}]+/gu, '');
  return NUMBER.exec(text)?.groups?.['digits'] ?? text;
}

/** Finds among ids the one that is nearly the same as another. */
export class NearIds {
  readonly #ids: Iterable<string>;
  #loose: ReadonlyMap<string, string> | null = null;

  constructor(ids: Iterable<string>) {
    this.#ids = ids;
  }

  /** Returns the id that is meant; `undefined`: none is near. */
  of(id: string): string | undefined {
    this.#loose ??= new Map([...this.#ids].map((one) => [looseId(one), one]));
    return this.#loose.get(looseId(id));
  }

  /** Returns what to add to a message about an id that is unknown, with the one that is meant; empty: none is near. */
  wordsFor(id: string): string {
    if (isRounded(id)) return `; it ${ROUNDED_WORDS}`;
    const near = this.of(id);
    if (near === undefined || near === id) return '';
    const isNumber = NUMBER.test(id.trim()) && id.trim() !== near.trim();
    return `; "${printable(near)}" is there: ${isNumber ? TURNED : 'capitals and blanks have to be the same'}`;
  }
}

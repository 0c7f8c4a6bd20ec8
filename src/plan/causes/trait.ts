/**
 * What records can have in common:
 * - `follows`: the change follows from the move of this unit
 * - `into`: the change leads into this unit
 * - `change`: a field changes in this way
 * - `field`: a field changes
 * - `unit`: the record is in or below this unit
 * - `base`: the source id is a DN in or below this one
 * - `value`: a field has this value, or is empty
 * - `domain`: a mail address is in this domain
 * - `prefix`: the username or the id begins so
 * - `made`: the account was made on this day
 *
 * The first four are of the change, the others of the record. Earlier ones say more than later ones.
 */
export const KINDS_OF_TRAIT = [
  'follows',
  'into',
  'change',
  'field',
  'unit',
  'base',
  'value',
  'domain',
  'prefix',
  'made',
] as const;

export type KindOfTrait = (typeof KINDS_OF_TRAIT)[number];

export interface Trait {
  readonly what: KindOfTrait;
  /** Name of the field; the empty text where the kind says enough. */
  readonly field: string;
  /** The shared value; the empty text stands for nothing. */
  readonly value: string;
}

/** A trait as one text: there are millions of them to be compared. */
export type TraitKey = string;

const BETWEEN = '\0';

export const traitKey = (what: KindOfTrait, field: string, value: string): TraitKey =>
  what + BETWEEN + field + BETWEEN + value;

export function traitOf(key: TraitKey): Trait {
  const [what, field = '', ...value] = key.split(BETWEEN);
  return { what: what as KindOfTrait, field, value: value.join(BETWEEN) };
}

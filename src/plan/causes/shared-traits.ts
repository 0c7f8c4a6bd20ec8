import type { Change } from '../../domain/changes.ts';
import type { Individual } from '../../domain/ports/ledger/plan-book.ts';
import { isEmpty, type FieldValue } from '../../domain/records/fields.ts';
import type { UnitsAbove } from '../units/units-above.ts';

/**
 * What people can have in common:
 * - `unit`: they are in this unit, or below it
 * - `base`: this part of the source has brought them
 * - `domain`: their mail addresses are in this domain
 * - `change`: this field changes
 * - `status`: the reason of the change, if no field changes: `missing in the source`
 *
 * The last two are traits of the change, which unchanged people do not have. They are named only if no trait
 * of the people is shared.
 */
export type KindOfTrait = 'unit' | 'base' | 'domain' | 'change' | 'status';

export interface Trait {
  readonly what: KindOfTrait;
  readonly value: string;
}

/** A trait as one text, so that it can be counted. */
export type TraitKey = `${KindOfTrait} ${string}`;

/** A trait of held records, with how many of them and of the others have it. */
export interface Cause extends Trait {
  readonly held: number;
  readonly of: number;
  readonly others: number;
  readonly ofOthers: number;
}

/** Fewer records have nothing in common. */
const FEWEST = 3;
/** So much of what is held has the trait that is named, and at most so much of the others. */
const OF_HELD = 0.8;
const OF_OTHERS = 0.2;
/** Part of a sample of the held that has a trait which is worth being counted. */
const WORTH_COUNTING = 0.5;

/** Returns whether it is of the change, which the others have not. */
export const isOfChange = ({ what }: Trait): boolean => what === 'change' || what === 'status';

/** Counts among all records what a sample of the held has in common. Its memory does not grow with their number. */
export class SharedTraits {
  readonly #counts: Map<TraitKey, { held: number; others: number }>;
  #held = 0;
  #others = 0;

  constructor(sample: readonly ReadonlySet<TraitKey>[]) {
    const seen = new Map<TraitKey, number>();
    for (const traits of sample) for (const key of traits) seen.set(key, (seen.get(key) ?? 0) + 1);
    const worth = [...seen].filter(([, count]) => count >= sample.length * WORTH_COUNTING);
    this.#counts = new Map(worth.map(([key]) => [key, { held: 0, others: 0 }]));
  }

  add(traits: ReadonlySet<TraitKey>, isHeld: boolean): void {
    const side = isHeld ? 'held' : 'others';
    if (isHeld) this.#held += 1;
    else this.#others += 1;
    for (const [key, count] of this.#counts) if (traits.has(key)) count[side] += 1;
  }

  /** Returns the trait that tells the held records from the others best; `null`: none is shared by enough. */
  cause(): Cause | null {
    const [of, ofOthers] = [this.#held, this.#others];
    if (of < FEWEST || ofOthers === 0) return null;
    const ranked = [...this.#counts]
      .map(([key, { held, others }]) => ({ ...traitOf(key), held, of, others, ofOthers }))
      .filter(({ held, others }) => held >= of * OF_HELD && others <= ofOthers * OF_OTHERS)
      .map((cause) => ({ cause, score: contrast(cause) }))
      .toSorted((a, b) => b.score - a.score);
    return ranked[0]?.cause ?? null;
  }
}

function contrast(cause: Cause): number {
  const { held, of, others, ofOthers } = cause;
  return held / of - others / ofOthers - (isOfChange(cause) ? 1 : 0);
}

function traitOf(key: TraitKey): Trait {
  const [what = '', ...value] = key.split(' ');
  return { what: what as KindOfTrait, value: value.join(' ') };
}

export function personTraits(one: Individual, above: UnitsAbove): ReadonlySet<TraitKey> {
  const { payload, base, change } = one;
  const domain = domainOf(payload.fields['email'] ?? null);
  return new Set([
    ...payload.positions.flatMap(({ unit }) =>
      unit === null ? [] : above.path(unit).map((id) => `unit ${id}` as const),
    ),
    ...(base === null ? [] : ([`base ${base}`] as const)),
    ...(domain === null ? [] : ([`domain ${domain}`] as const)),
    ...(change === null ? [] : changeTraits(change)),
  ]);
}

/** Returns the domain of an address in lower case, or `null`. */
function domainOf(value: FieldValue | null): string | null {
  const at = typeof value === 'string' ? value.lastIndexOf('@') : -1;
  return typeof value !== 'string' || at <= 0 || at === value.length - 1
    ? null
    : value.slice(at + 1).toLowerCase();
}

/** Fields that say nothing new: the guard counts by them. */
const UNNAMED_FIELDS: ReadonlySet<string> = new Set(['locked', 'username', 'positions', 'parent']);
/** Ends a reason where it becomes one of this record: `missing in the source (2 complete reads)`. */
const DETAILS = /(?: \(|[;:,]).*$/su;

/** What turns empty is held by a bucket of its own, and explains no other change. */
function changeTraits({ fields, why }: Change): readonly TraitKey[] {
  if (fields.length === 0) return [`status ${why.replace(DETAILS, '')}`];
  const named = fields.filter(({ field, to }) => !UNNAMED_FIELDS.has(field) && !isEmpty(to));
  return named.map(({ field }) => `change ${field}` as const);
}

import type { Counts } from './chance.ts';
import { KINDS_OF_TRAIT, traitOf, type TraitKey } from './trait.ts';

/** Each trait that is followed is one bit of a mask. */
const MOST_CANDIDATES = 24;
/** Fewer of the held in the sample than this share have a trait that explains nothing. */
const LEAST_SHARE = 0.15;
/** A trait that is hardly more frequent among the held in the samples tells nothing among all. */
const LEAST_LIFT = 1.5;
/** By how much a later kind of trait has to be better. */
const HANDICAP = 0.004;

/** Traits of some records, of which each counts once. */
export type Sampled = Iterable<ReadonlySet<TraitKey>>;

/** Returns how much more frequent a trait is among the held than among the others, -1 to 1, earlier kinds first. */
export function contrast(key: TraitKey, { held, of, others, ofOthers }: Counts): number {
  const rank = KINDS_OF_TRAIT.indexOf(traitOf(key).what);
  return held / Math.max(1, of) - others / Math.max(1, ofOthers) - rank * HANDICAP;
}

/** Returns the traits that are worth being counted among all, by samples of the held and of the others. */
export function candidatesOf(held: Sampled, others: Sampled): readonly TraitKey[] {
  const [mine, theirs] = [countsOf(held), countsOf(others)];
  const isMoreOften = ([key, n]: readonly [TraitKey, number]): boolean =>
    n * theirs.size >= LEAST_LIFT * mine.size * (theirs.by.get(key) ?? 0);
  const counted = [...mine.by]
    .filter(([, n]) => n >= 2 && n >= mine.size * LEAST_SHARE)
    .filter((one) => isMoreOften(one));
  return counted
    .map(([key, n]) => {
      const counts = { held: n, of: mine.size, others: theirs.by.get(key) ?? 0, ofOthers: theirs.size };
      return { key, score: contrast(key, counts) };
    })
    .toSorted((a, b) => b.score - a.score)
    .slice(0, MOST_CANDIDATES)
    .map(({ key }) => key);
}

function countsOf(sample: Sampled): { readonly by: ReadonlyMap<TraitKey, number>; readonly size: number } {
  const by = new Map<TraitKey, number>();
  let size = 0;
  for (const traits of sample) {
    size += 1;
    for (const key of traits) by.set(key, (by.get(key) ?? 0) + 1);
  }
  return { by, size };
}

/** Counts, in one pass over all records, how many have which of the candidates together. Its memory is bounded. */
export class Tally {
  readonly candidates: readonly TraitKey[];
  readonly #bits: ReadonlyMap<TraitKey, number>;
  readonly #held = new Map<number, number>();
  readonly #others = new Map<number, number>();

  constructor(candidates: readonly TraitKey[]) {
    this.candidates = candidates;
    this.#bits = new Map(candidates.map((key, index) => [key, 2 ** index]));
  }

  add(traits: ReadonlySet<TraitKey>, isHeld: boolean): void {
    let mask = 0;
    for (const [key, bit] of this.#bits) if (traits.has(key)) mask += bit;
    const counts = isHeld ? this.#held : this.#others;
    counts.set(mask, (counts.get(mask) ?? 0) + 1);
  }

  /** Returns the counts of a trait; with `without`, only of those held records that have not that one. */
  counts(key: TraitKey, without: TraitKey | null = null): Counts {
    const [bit, not] = [this.#bits.get(key) ?? 0, without === null ? 0 : (this.#bits.get(without) ?? 0)];
    const held = countIn(this.#held, bit, not);
    const others = countIn(this.#others, bit, 0);
    return { held: held.having, of: held.all, others: others.having, ofOthers: others.all };
  }
}

interface Having {
  readonly having: number;
  readonly all: number;
}

/** Of the records without `not`, which is 0 for no bit, returns how many there are and how many have the bit. */
function countIn(masks: ReadonlyMap<number, number>, bit: number, not: number): Having {
  let [having, all] = [0, 0];
  for (const [mask, count] of masks) {
    if ((mask & not) !== 0) continue;
    all += count;
    if ((mask & bit) !== 0) having += count;
  }
  return { having, all };
}

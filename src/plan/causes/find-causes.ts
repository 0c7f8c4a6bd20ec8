import { chance, type Counts } from './chance.ts';
import { contrast, type Tally } from './tally.ts';
import { traitOf, type KindOfTrait, type Trait, type TraitKey } from './trait.ts';

/** What held records have in common, with the counts behind it. */
export interface Cause extends Trait, Counts {
  /** Whether the counts are of those whom the cause before does not explain. */
  readonly isSecond: boolean;
}

/** A cause covers so much of what is held. */
const COVERS = 0.6;
/** Two causes cover so much together, and each at least so much. */
const TWO_COVER = 0.8;
const EACH_COVERS = 0.2;
/** A trait is so many times as frequent as among the others. */
const LIFT = 3;
/** Fewer records have nothing in common: they are two. */
const SUPPORT = 3;
/** By lot, so much is shared by the held records less often than this. Dozens of traits are tried, in every run. */
const SURELY = 1e-4;

const OF_THE_CHANGE: ReadonlySet<KindOfTrait> = new Set(['follows', 'into', 'change', 'field']);
const isOfTheChange = (key: TraitKey): boolean => OF_THE_CHANGE.has(traitOf(key).what);

/**
 * Returns what the held records have in common that the others have not: how they change, and what they are. Nothing
 * where nothing stands out: a wrong cause is worse than none.
 */
export function findCauses(tally: Tally): readonly Cause[] {
  const change = changeOf(tally);
  const told = new Set(change.map(({ field }) => field).filter((field) => field !== ''));
  return [...change, ...sharedBy(tally, told)];
}

/** Returns the change that most of the held records have in common. The others do not change. */
function changeOf(tally: Tally): readonly Cause[] {
  const shared = tally.candidates
    .filter((key) => isOfTheChange(key))
    .map((key) => ({ key, counts: tally.counts(key) }))
    .filter(({ counts: { held, of } }) => held >= SUPPORT && held >= of * COVERS);
  const ranked = shared.map((one) => ({ ...one, score: contrast(one.key, one.counts) }));
  return ranked
    .toSorted((a, b) => b.score - a.score)
    .slice(0, 1)
    .map(({ key, counts }) => ({ ...traitOf(key), ...counts, isSecond: false }));
}

interface Telling {
  readonly key: TraitKey;
  readonly counts: Counts;
}

/** @param told fields whose change is told: what they were says the same again */
function sharedBy(tally: Tally, told: ReadonlySet<string>): readonly Cause[] {
  const ofRecords = tally.candidates.filter((key) => !isOfTheChange(key) && !told.has(traitOf(key).field));
  const telling = (without: TraitKey | null): Telling | null => mostTelling(tally, ofRecords, without);
  const first = telling(null);
  if (first === null) return [];
  const { held, of } = first.counts;
  const second = held > of - SUPPORT || held > of * TWO_COVER ? null : telling(first.key);
  const causes = [causeOf(first, false), ...(second === null ? [] : [causeOf(second, true)])];
  if (second !== null && held + second.counts.held >= of * TWO_COVER) return causes;
  return held >= of * COVERS ? causes.slice(0, 1) : [];
}

const causeOf = ({ key, counts }: Telling, isSecond: boolean): Cause => ({
  ...traitOf(key),
  ...counts,
  isSecond,
});

/** Returns what tells the held records, without those that have the first trait, from the others best. */
function mostTelling(tally: Tally, keys: readonly TraitKey[], first: TraitKey | null): Telling | null {
  const least = first === null ? EACH_COVERS : COVERS;
  const telling = keys
    .filter((key) => key !== first)
    .map((key) => ({ key, counts: tally.counts(key, first) }))
    .filter(({ counts }) => counts.held >= counts.of * least && isTelling(counts));
  const ranked = telling.map((one) => ({ ...one, score: contrast(one.key, one.counts) }));
  return ranked.toSorted((a, b) => b.score - a.score)[0] ?? null;
}

function isTelling(counts: Counts): boolean {
  const { held, of, others, ofOthers } = counts;
  if (held < SUPPORT || ofOthers === 0) return false;
  return held * ofOthers >= LIFT * others * of && chance(counts) < SURELY;
}

import { bucketsOf, emptiedIn, ENABLED_BUCKET, isRekey, type Change } from '../../domain/changes.ts';
import type { Counted, Planned } from '../../domain/ports/ledger/plan-book.ts';
import { digest } from '../../lib/digest.ts';
import { answering, changeDigest } from './change-digest.ts';
import { changeLabel } from './guards.ts';
import { hashLine } from './plan-hash.ts';

/**
 * @param hasJustLeft comes back within days: somebody's mistake is undone, and nothing is said of those who left long ago
 */
export function plannedOf(change: Change, hasJustLeft: (id: string) => boolean): Planned {
  const parts = partsOf(change);
  return {
    change,
    label: changeLabel(change),
    digest: digest(hashLine(change)),
    isAdoption: isAdoption(change),
    parts: parts.length,
    counted: countedOf(parts, hasJustLeft),
  };
}

/** Becomes ours, or would if it had not left. */
function isAdoption(change: Change): boolean {
  return (
    (change.kind === 'adopt' && !isRekey(change)) || (change.kind === 'disable' && change.guard === 'adopted')
  );
}

function countedOf(parts: readonly Change[], hasJustLeft: (id: string) => boolean): readonly Counted[] {
  return parts.flatMap((one, part) => {
    const label = changeLabel(one);
    const onlyEmpties = answering(one).length > 0;
    return bucketsOf(one)
      .filter((bucket) => bucket !== ENABLED_BUCKET || !hasJustLeft(one.id))
      .map((bucket) => ({
        part,
        bucket,
        digest: changeDigest(one, bucket),
        label,
        role: emptiedIn(bucket) !== null ? 'empties' : onlyEmpties ? 'answered' : 'plain',
      }));
  });
}

/** A replacement, and what goes to the old account while it is held, count each on its own. */
function partsOf(change: Change): readonly Change[] {
  return change.subject === 'unit' || change.meanwhile === undefined
    ? [change]
    : [change, ...partsOf(change.meanwhile)];
}

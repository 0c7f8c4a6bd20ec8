import { bucketsOf, emptiedIn } from '../../domain/buckets.ts';
import { isRekey, type Change } from '../../domain/changes.ts';
import type { Counted, Planned } from '../../domain/ports/ledger/plan-book.ts';
import { digest } from '../../lib/digest.ts';
import { answering, changeDigest } from './change-digest.ts';
import { changeLabel } from './guards.ts';
import { hashLine } from './plan-hash.ts';

/** Returns a change with all that the plan book records of it. */
export function plannedOf(change: Change): Planned {
  const parts = partsOf(change);
  return {
    change,
    label: changeLabel(change),
    digest: digest(hashLine(change)),
    isAdoption: isAdoption(change),
    parts: parts.length,
    counted: countedOf(parts),
  };
}

/** Returns whether the record becomes ours, or would if the person had not left. */
function isAdoption(change: Change): boolean {
  return (
    (change.kind === 'adopt' && !isRekey(change)) || (change.kind === 'disable' && change.guard === 'adopted')
  );
}

function countedOf(parts: readonly Change[]): readonly Counted[] {
  return parts.flatMap((one, part) => {
    const label = changeLabel(one);
    const onlyEmpties = answering(one).length > 0;
    return bucketsOf(one).map((bucket) => ({
      part,
      bucket,
      digest: changeDigest(one, bucket),
      label,
      role: emptiedIn(bucket) !== null ? 'empties' : onlyEmpties ? 'answered' : 'plain',
    }));
  });
}

/** Returns the parts that count on their own: a replacement, and what happens to the old account while it is held. */
function partsOf(change: Change): readonly Change[] {
  return change.subject === 'unit' || change.meanwhile === undefined
    ? [change]
    : [change, ...partsOf(change.meanwhile)];
}

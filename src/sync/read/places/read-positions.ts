import type { Ledger } from '../../../domain/ports/ledger/ledger.ts';
import type { SourceRead as OpenRead } from '../../../domain/reading/source.ts';
import type { PositionRow, Refusal } from '../../../domain/records/records.ts';
import { NearIds } from '../../../domain/text/fold.ts';
import { printable } from '../../../domain/text/printable.ts';
import { ContentDigest } from '../../../lib/digest.ts';
import type { UnitTree } from '../../../plan/units/tree.ts';
import { checkpoint } from '../../state/checkpoint.ts';

/** The rows of `source.positions`, which are staged. */
interface PositionsRead {
  /** The tree, which tells also the units whose rows name nobody whom the ledger knows. */
  readonly tree: UnitTree;
  /** What tells these rows from others. */
  readonly rows: string;
}

/** Reads the rows of `source.positions`. */
export async function readPositions(
  stop: AbortSignal,
  ledger: Ledger,
  read: OpenRead,
  tree: UnitTree,
): Promise<PositionsRead> {
  const content = new ContentDigest();
  /** Whether one of the rows with this reference is of a known person. */
  const isKnownIn = new Map<string, boolean>();
  for await (const batch of read.positions()) {
    checkpoint(stop);
    ledger.transaction(() => {
      for (const given of batch) {
        content.add(JSON.stringify(given));
        const refusal = given.ok ? doubtAbout(ledger, given.record) : given.refusal;
        if (refusal !== null) ledger.staging.note({ is: 'refused', refusal });
        if (given.ok) ledger.staging.note({ is: 'position', row: given.record });
        if (given.ok && refusal === null) noteMember(ledger, given.record, isKnownIn);
      }
    });
  }
  return { tree: { ...tree, emptied: emptiedBy(tree, isKnownIn) }, rows: content.text };
}

function noteMember(
  ledger: Ledger,
  { person, position: { unit } }: PositionRow,
  isKnownIn: Map<string, boolean>,
): void {
  if (unit === null || isKnownIn.get(unit) === true) return;
  isKnownIn.set(unit, ledger.staging.known(person) !== undefined);
}

/**
 * Returns the units that show no member, with those that show only unknown ones: the ids of these people may have been
 * spelled anew.
 */
function emptiedBy(tree: UnitTree, isKnownIn: ReadonlyMap<string, boolean>): ReadonlySet<string> {
  const known = new Set<string>();
  const unknown = new Set<string>();
  for (const [ref, isKnown] of isKnownIn) {
    const unit = tree.resolve(ref);
    if (unit.is === 'unit') (isKnown ? known : unknown).add(unit.id);
  }
  return new Set([...tree.emptied, ...[...unknown].filter((id) => !known.has(id))]);
}

/**
 * Returns what may be wrong with a row whose person is unknown, if the id is nearly a known one: then no person loses a
 * position in its unit. It is nothing if this read has a person of just that id, which shows later.
 */
function doubtAbout(ledger: Ledger, { person, position: { unit } }: PositionRow): Refusal | null {
  const near = ledger.staging.known(person) === undefined ? ledger.staging.near(person) : null;
  if (near === null) return null;
  return {
    subject: 'position',
    id: null,
    label: person,
    place: 'source.positions',
    field: 'person',
    reason: `no person has the id ${printable(person)}${new NearIds([near]).wordsFor(person)}`,
    unitRefs: unit === null ? [] : [unit],
  };
}

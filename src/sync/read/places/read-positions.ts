import type { SourceRead as OpenRead } from '../../../domain/reading/source.ts';
import type { PositionRow, Reading } from '../../../domain/records/records.ts';
import { NearIds } from '../../../domain/text/fold.ts';
import { printable } from '../../../domain/text/printable.ts';
import { ContentDigest } from '../../../lib/digest.ts';
import type { UnitTree } from '../../../plan/units/tree.ts';
import { checkpoint, type Run } from '../../state/world.ts';

/** The rows of `source.positions`, which are staged. */
interface PositionsRead {
  /** The tree, which tells also the units whose rows name nobody whom the ledger knows. */
  readonly tree: UnitTree;
  /** What tells these rows from others. */
  readonly rows: string;
}

/** Reads the rows of `source.positions`. */
export async function readPositions(run: Run, read: OpenRead, tree: UnitTree): Promise<PositionsRead> {
  const content = new ContentDigest();
  /** Whether one of the rows with this reference is of a known person. */
  const isKnownIn = new Map<string, boolean>();
  for await (const batch of read.positions()) {
    checkpoint(run.stop);
    for (const given of batch) {
      content.add(JSON.stringify(given));
      const row = orUnreadable(run, given);
      run.ledger.staging.note(
        row.ok ? { is: 'position', row: row.record } : { is: 'refused', refusal: row.refusal },
      );
      if (row.ok) noteMember(run, row.record, isKnownIn);
    }
  }
  return { tree: { ...tree, emptied: emptiedBy(tree, isKnownIn) }, rows: content.text };
}

function noteMember(
  { ledger }: Run,
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
 * Returns the row. If its person is unknown but the id is nearly a known one, returns a row whose person
 * cannot be read instead. Then no person loses a position in its unit.
 */
function orUnreadable({ ledger }: Run, row: Reading<PositionRow>): Reading<PositionRow> {
  if (!row.ok || ledger.staging.known(row.record.person) !== undefined) return row;
  const { person, position } = row.record;
  const near = ledger.staging.near(person);
  if (near === null) return row;
  const reason = `no person has the id ${printable(person)}${new NearIds([near]).wordsFor(person)}`;
  const unitRefs = position.unit === null ? [] : [position.unit];
  const refusal = {
    subject: 'position',
    id: null,
    place: 'source.positions',
    field: 'person',
    reason,
    unitRefs,
  } as const;
  return { ok: false, refusal };
}

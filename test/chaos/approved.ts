import type { SequencedChange } from '../../src/domain/ports/ledger/plan-book.ts';
import { hashLine } from '../../src/plan/changes/change-digest.ts';
import type { MemoryWorld } from '../doubles/memory-source.ts';
import { isReleasedBy, linesOf, linesOfRow } from '../sync/shown.ts';
import type { Ran } from '../sync/world.ts';

const asPlanned = ({ change }: SequencedChange): string => hashLine(change);

/** Units that move together are held together. */
const topmost = ({ change }: SequencedChange): string => change.cause ?? change.id;

/** Returns what is held and does not follow from something else that is held and was not released: units that move with another one. */
function heldByItself({ rows }: Ran, released: ReadonlySet<string>): readonly SequencedChange[] {
  const held = rows.filter(({ isHeld }) => isHeld);
  const others = held.filter((row) => !released.has(asPlanned(row)));
  const moving = new Set(others.map(topmost));
  return held.filter((row) => !moving.has(topmost(row)));
}

/** A run whose plan people have seen, and the source that it read. */
interface Seen {
  readonly ran: Ran;
  readonly source: MemoryWorld;
  readonly identity: string;
}

type Source = Omit<Seen, 'ran'>;

/**
 * *What is approved is what was shown*: what a run sends by an approval stood in the plan of the run before, field by
 * field, under the approved hashes, those of before included, or among what goes on; and nothing that stood there alone
 * under them is held still, as long as all of it is planned as it was and nothing else that is held drags it along.
 */
export class Approved {
  readonly findings: string[] = [];
  #seen: Seen | null = null;
  /** What was released, while its approvals last. */
  readonly #released = new Set<string>();

  /** After a run that was given these approvals. What changed in the source meanwhile is another matter. */
  after(ran: Ran, { source, identity }: Source, hashes: readonly string[]): void {
    const seen = this.#seen;
    if (seen?.source === source && seen.identity === identity && ran.plan !== null)
      this.#compare(seen.ran, ran, hashes);
    if (ran.plan !== null) this.#seen = { ran, source, identity };
  }

  /** So much time has gone by that no approval lasts: what the next run sends was shown all the same, but some is held anew. */
  lapse(): void {
    this.#seen = null;
    this.#released.clear();
  }

  #compare(before: Ran, ran: Ran, hashes: readonly string[]): void {
    const released = before.rows.filter((row) => isReleasedBy(row, hashes));
    const goesOn = before.rows.filter((row) => row.hashes.length === 0);
    for (const line of released.flatMap(linesOfRow)) this.#released.add(line);
    const shown = new Set([...this.#released, ...goesOn.flatMap(linesOfRow)]);
    const sent = ran.done.filter(({ approval }) => approval !== null).flatMap(linesOf);
    for (const line of sent) if (!shown.has(line)) this.findings.push(`approved and not shown: ${line}`);
    // What is planned otherwise by now is another change, and what waits for it is held with it.
    const planned = new Set(ran.rows.map(asPlanned));
    if (released.some((row) => !planned.has(asPlanned(row)))) return;
    const held = new Set(heldByItself(ran, new Set(released.map(asPlanned))).flatMap(linesOfRow));
    for (const line of released.filter(({ isHeld }) => isHeld).flatMap(linesOfRow))
      if (held.has(line)) this.findings.push(`shown, approved and held still: ${line}`);
  }
}

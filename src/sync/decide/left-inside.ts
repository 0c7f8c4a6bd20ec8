import type { SyncSettings } from '../../domain/settings.ts';
import type { Source } from '../../domain/reading/source.ts';
import type { Listing } from '../state/listing.ts';
import type { Ledger } from '../../domain/ports/ledger/ledger.ts';
import type { PinBook } from '../state/pin-book.ts';
import { wordsOf } from '../../domain/errors.ts';
import type { Held } from '../../domain/changes.ts';
import { isLock } from '../../domain/directories/known-ends.ts';
import { REPORTED, SILENTLY, type Unexplained } from '../../domain/ports/ledger/left-inside.ts';
import { shellWord } from '../../domain/text/shell.ts';
import { decidingRules } from '../state/deciding-rules.ts';
import type { Run } from '../state/world.ts';

/**
 * Records all leavers whose account was last seen active, each with the reason. It does not depend on what
 * the run decided or did, so that it finds what every other rule misses (promise 11). Returns how many there
 * are.
 *
 * @param isForeseen whether the plan is not carried out: then it is what `status` would list after that
 */
export function nameLeftInside(run: Run, held: readonly Held[], isForeseen = false): number {
  const { leftInside } = run.ledger;
  const ofSource = held.find(({ guard }) => guard === 'source');
  const heldReason = ofSource === undefined ? null : `held: rollcall sync --approve ${ofSource.hash}`;
  const { misses } = run.sync.leavers;
  // A revert decides nothing about the other people: those who were listed before stay listed, with their
  // reason.
  const decided = { isDecided: run.reverting === null, isForeseen, isRight: run.isSourceRight };
  const query = { misses, ...decided, isUnlock: unlockIn(run.ledger, run.source, run.sync) };
  for (const one of leftInside.find(query, (each) => heldReason ?? reasonOf(each, run.reportOnly))) {
    run.lists.blocked(one);
  }
  nameHeld(run.pins, run.ledger, run.lists);
  return leftInside.list(0).count;
}

/** Names people who have left in the source but whose account a revert keeps active. */
function nameHeld(pins: PinBook, ledger: Ledger, lists: Listing): void {
  for (const one of pins.leavers()) {
    if (!ledger.leftInside.add(one)) continue;
    lists.blocked(one);
  }
}

/**
 * Does the same for a run that ended early, as far as it had read. It names all leavers that the run found,
 * whether the run had processed them or not.
 */
export function nameAfterFailure(run: Run, error: unknown): void {
  const { leftInside } = run.ledger;
  const words = wordsOf(error);
  leftInside.find(
    {
      misses: run.sync.leavers.misses,
      isDecided: false,
      isForeseen: false,
      isRight: false,
      isUnlock: unlockIn(run.ledger, run.source, run.sync),
    },
    ({ left }) => `${left}, and the run ended before the account was locked: ${words}`,
  );
  for (const one of run.pins.leavers()) leftInside.add(one);
}

/** Returns what tells whether the absence of a value is an unlock: a lock that others show in this read. */
function unlockIn(ledger: Ledger, source: Source, sync: SyncSettings): (name: string) => boolean {
  let vanished: ReadonlyMap<string, number> | null = null;
  return (name) =>
    isLock(name) && !(vanished ??= ledger.seen.vanished(decidingRules(source, sync))).has(name);
}

function reasonOf({ id, left, claimedBy }: Unexplained, reportOnly: boolean): string {
  if (left === SILENTLY)
    return `${left}: look whether the reading account may still read it; if they are back, run rollcall sync --full`;
  if (claimedBy === null && reportOnly) return `${left}; ${REPORTED}`;
  return claimedBy === null
    ? `${left}, and the account is active: rollcall explain ${shellWord(id)} tells where it stands`
    : `${left}, and source id ${claimedBy} has the username now: it is kept until that is settled`;
}

import type { MissedByGroups } from './missed-by-groups.ts';
import {
  absentName,
  addedUp,
  decidedBefore,
  decidedNow,
  decidingName,
  describeDoubted,
  isSameName,
  vanishedIn,
  withLostGroups,
  type DecidedBefore,
  type Deciding,
} from '../../../domain/reading/deciding.ts';
import type { SourceEvidence } from '../../../domain/reading/source.ts';
import type { HiddenName } from '../../../domain/reading/source-part.ts';
import type { Run } from '../../state/world.ts';

/** How the source is read. */
export interface ReadManner {
  /** Nobody is recognized: everybody's record is decoded. */
  readonly decodesAll: boolean;
  /** Names that nobody had of those who were looked at: it has to be known whether anybody has them. */
  readonly unseen: readonly string[];
  /** Names of which nothing is known. */
  readonly hidden: readonly HiddenName[];
  /** People who are missing and whom groups of the scope name: their records may be elsewhere by now. */
  readonly elsewhere?: MissedByGroups;
  /** Why an increment was not enough. */
  readonly whole?: string;
}

export const USUAL: ReadManner = { decodesAll: false, unseen: [], hidden: [] };

/**
 * Compares who has the names that decide about people with the last complete read, and remembers it. Returns how the
 * source has to be read once more, where a name has values of nobody any more: an absent value could say that somebody
 * is back, or has left. `null`: this read counts.
 */
export function mannerOfAnother(run: Run, evidence: SourceEvidence): ReadManner | null {
  const { ledger, source } = run;
  const { hidden = [] } = evidence;
  const before = decidedBefore(ledger.fact('decided'), source.identity);
  const deciding = withLostGroups(before, addedUp(evidence.deciding ?? []));
  const vanished = vanishedIn(before, deciding, ledger.staging.turned());
  const unseen = vanished.open.map((one) => decidingName(one));
  if (unseen.length > 0) return { decodesAll: true, unseen, hidden };
  const more = vanished.hidden.filter((one) => !hidden.some((each) => isSameName(each, one)));
  if (more.length > 0)
    return { decodesAll: true, unseen, hidden: [...hidden, ...more.map((one) => hiddenName(one))] };
  const all = [...vanished.hidden, ...vanished.doubted];
  if (!hasSameNames(before, deciding)) ledger.people.keepHad(deciding.map((one) => absentName(one)));
  const names = decidedNow(before, deciding, all);
  const doubted = vanished.doubted.map((one) => decidingName(one));
  ledger.setFacts({ decided: { identity: source.identity, names, doubted } });
  for (const one of vanished.doubted)
    run.log.note('warn', 'the source: what to look at', { warning: describeDoubted(one) });
  return null;
}

function hasSameNames(before: readonly DecidedBefore[], now: readonly Deciding[]): boolean {
  return before.length === now.length && now.every((one) => before.some((each) => isSameName(each, one)));
}

function hiddenName({ part, from, name, places }: Deciding): HiddenName {
  return { part, ...(from !== undefined && { from }), name, places, suggestion: null };
}

/**
 * Takes it that what few had is really gone from the source: nothing waits for that reason any more. Whoever is missing may
 * still leave by it at a later read.
 */
export function doubtNoMore({ ledger, sync }: Run): void {
  const fact = ledger.fact('decided');
  if (fact === null || fact.doubted.length === 0) return;
  if (ledger.people.waiting(sync.leavers.misses).length > 0) return;
  const names = fact.names.map((one) =>
    fact.doubted.includes(decidingName(one)) ? { ...one, had: 0 } : one,
  );
  ledger.setFacts({ decided: { ...fact, names, doubted: [] } });
}

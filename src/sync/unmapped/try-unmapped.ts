import { isRekey, type PersonChange } from '../../domain/changes.ts';
import type { LedgerFacts } from '../../domain/ports/ledger/ledger-facts.ts';
import type { Trial } from '../../domain/ports/ledger/ledger-facts.ts';
import type { Employee } from '../../domain/ports/service.ts';
import type { Shown } from '../../domain/ports/shown.ts';
import { OVERWRITING } from '../../plan/changes/kinds.ts';
import { mergedKinds, UNMAPPED_KINDS, unmappedOf, type UnmappedKind } from '../../plan/values/unmapped.ts';
import { atStakeOf, isNoneAtStake, kindsOf, lostAtStake, ofFate, type AtStake } from './at-stake.ts';
import { changesOf } from '../calls/changes-of.ts';
import { giveBack } from './give-back.ts';
import { importPeople } from '../calls/import-people.ts';
import { lookAgain, Patience } from '../ask/look-again.ts';
import { rewriteOf } from '../calls/old-positions.ts';
import { accountOf, bodyOf, isTrusted, shownOtherwise, unmappedRules } from '../calls/person-body.ts';
import { UNSTOPPABLE, type Run, type SendingRun } from '../state/world.ts';

const LOOKS_AGAIN = 2;
/** Accounts that are tried in one run where what became of one stays unclear. */
export const MOST_TRIED = 3;

const FACTS = {
  fields: 'keepsUnmapped',
  properties: 'keepsProperties',
} as const satisfies Record<UnmappedKind, keyof LedgerFacts>;

/**
 * Finds out, on an account that has something to lose and is to be imported anyway, whether the service clears what an
 * import leaves out: it gets back what it lost. Where nothing can be concluded the next one is tried, and the others go
 * out merged meanwhile. Returns who was imported that way.
 */
export async function tryUnmapped(
  run: SendingRun,
  mayGo: (change: PersonChange) => boolean,
): Promise<ReadonlySet<string>> {
  const done = new Set<string>();
  if (run.sync.unmapped !== 'try') return done;
  for (const trial of run.ledger.fact('trials') ?? [])
    if (trial.approvedAt === undefined) await concludeEarlier(run, trial);
  for (const change of changesOf(run, 'person', OVERWRITING)) {
    if (openKinds(run).size === 0 || done.size === MOST_TRIED) break;
    if (isRekey(change) || isTrusted(run, change) || !mayGo(change)) continue;
    if (await tryOn(run, change)) done.add(change.id);
  }
  return done;
}

/** Returns the kinds of which it is not known yet whether the service keeps them. */
export function openKinds(run: Run): ReadonlySet<UnmappedKind> {
  return new Set(UNMAPPED_KINDS.filter((kind) => run.ledger.fact(FACTS[kind]) === null));
}

/** Returns whether it was imported: only one on whom the import shows can be tried. */
async function tryOn(run: SendingRun, change: PersonChange): Promise<boolean> {
  const shown = accountOf(run, change);
  if (shown === null || isInDoubt(run, change)) return false;
  const open = openKinds(run);
  const atStake = unmappedOf(change.payload, shown).filter(({ kind }) => open.has(kind));
  if (atStake.length === 0 || shownOtherwise(run, change.payload, shown).length === 0) return false;
  const others = [...mergedKinds(unmappedRules(run))].filter((kind) => !open.has(kind));
  const body = bodyOf(run, change, shown, new Set(others));
  if (typeof body === 'string') return false;
  const { id, username } = change;
  const values = atStakeOf(atStake);
  remember(run, { id, username, ...values });
  await importPeople(run, [{ change, body }]);
  if (wasTaken(run, change)) await conclude(run, change, { values, before: shown, again: LOOKS_AGAIN });
  else forget(run, id);
  return true;
}

/** Its last write may be done at any time: what is shown then is no answer to the trial. */
function isInDoubt(run: Run, { id }: PersonChange): boolean {
  const entry = run.ledger.people.entry(id);
  return entry !== null && entry.state !== 'removed' && entry.accepted === null;
}

export function wasTaken(run: Run, { id }: PersonChange): boolean {
  const entry = run.ledger.people.entry(id);
  return entry?.state === 'managed' && entry.accepted === null;
}

/** Is called before the import, so that an account gets back what it lost whatever becomes of this run. */
export function remember(run: Run, trial: Trial): void {
  run.ledger.setFacts({ trials: [...(run.ledger.fact('trials') ?? []), trial] });
}

export function forget(run: Run, id: string): void {
  run.ledger.setFacts({ trials: (run.ledger.fact('trials') ?? []).filter((trial) => trial.id !== id) });
}

/** Concludes a trial of an earlier run that did not see what became of it. */
async function concludeEarlier(run: SendingRun, { id, ...values }: Trial): Promise<void> {
  const entry = run.ledger.people.entry(id);
  if (entry === null || entry.state === 'removed') return forget(run, id);
  if (entry.state !== 'disabled')
    await conclude(run, rewriteOf(entry, entry.employeeId), { values, before: null, again: 0 });
}

interface Tried {
  readonly values: AtStake;
  /** `null`: whether the import shows cannot be told from before and after. */
  readonly before: Shown | null;
  /** Further looks. */
  readonly again: number;
}

async function conclude(
  run: SendingRun,
  change: PersonChange,
  { values, before, again }: Tried,
): Promise<void> {
  const isShown = (employee: Employee): boolean => shownOtherwise(run, change.payload, employee).length === 0;
  const employee = await lookAgain<Employee | undefined>(run, new Patience(again), {
    look: async () =>
      (await run.service.employees([change.username], UNSTOPPABLE)).found.get(change.username),
    isSettled: (seen) =>
      seen === undefined || !isNoneAtStake(lostAtStake(change, values, seen)) || isShown(seen),
    signal: UNSTOPPABLE,
  });
  if (employee === undefined) return;
  const lost = lostAtStake(change, values, employee);
  if (!isNoneAtStake(lost)) return cleared(run, change, { lost, employee });
  if (!isShown(employee)) return;
  const kept = { ...values, unread: ofFate('kept', change, { unread: values.unread, employee }) };
  if (before !== null) learn(run, kindsOf(change, kept), true);
  forget(run, change.id);
}

interface Cleared {
  readonly lost: AtStake;
  readonly employee: Employee;
}

async function cleared(run: SendingRun, change: PersonChange, { lost, employee }: Cleared): Promise<void> {
  learn(run, kindsOf(change, lost), false);
  const entry = run.ledger.people.entry(change.id);
  if (entry !== null) await giveBack(run, rewriteOf(entry, employee.id), { lost: lost.shown, employee });
  forget(run, change.id);
}

export function learn(run: Run, kinds: ReadonlySet<UnmappedKind>, keeps: boolean): void {
  for (const kind of kinds) {
    run.ledger.setFacts({ [FACTS[kind]]: keeps });
    const what = kind === 'fields' ? 'fields' : 'properties';
    const does = keeps ? 'keeps' : 'clears';
    run.log.note('info', `found out: the service ${does} ${what} that an import leaves out`, {});
  }
}

import type { PersonChange } from '../../domain/changes.ts';
import type { Trial } from '../../domain/ports/ledger/ledger-facts.ts';
import type { Employee } from '../../domain/ports/service.ts';
import { shownOf } from '../../domain/ports/shown.ts';
import { sameValue } from '../../plan/values/compare.ts';
import { OVERWRITING } from '../../plan/changes/kinds.ts';
import { unmappedOf } from '../../plan/values/unmapped.ts';
import { atStakeOf, isNoneAtStake, kindsOf, lostAtStake, ofFate, type AtStake } from './at-stake.ts';
import { changesOf } from '../calls/changes-of.ts';
import { rewriteOf } from '../calls/old-positions.ts';
import { accountOf } from '../calls/person-body.ts';
import { forget, learn, MOST_TRIED, openKinds, remember, wasTaken } from './try-unmapped.ts';
import type { Run } from '../state/world.ts';

/** After this time, in ms, what the service took is visible, even where nothing that it shows has changed. */
const VISIBLE_AFTER_MS = 60_000;

/**
 * Notes imports that may clear something, to look later whether they did.
 *
 * @param filledIn people who may lose only what the service has filled in; the losses of the others were approved
 */
export function noteApproved(run: Run, filledIn: ReadonlySet<string>): void {
  if (run.sync.unmapped !== 'try') return;
  let noted = approvedTrials(run).length;
  for (const change of changesOf(run, 'person', OVERWRITING)) {
    if (noted >= MOST_TRIED || openKinds(run).size === 0) return;
    if (change.loses === undefined && !filledIn.has(change.id)) continue;
    const values = valuesAtStake(run, change);
    if (isNoneAtStake(values) || !wasTaken(run, change)) continue;
    const { id, username } = change;
    remember(run, { id, username, ...values, approvedAt: run.clock.now() });
    noted += 1;
  }
}

function valuesAtStake(run: Run, change: PersonChange): AtStake {
  const shown = accountOf(run, change);
  const open = openKinds(run);
  const values = shown === null ? [] : unmappedOf(change.payload, shown);
  return atStakeOf(values.filter(({ kind }) => open.has(kind)));
}

/**
 * Learns from such imports of earlier runs, before anything is held again: what they left as it was, the service keeps.
 */
export async function learnFromApproved(run: Run): Promise<void> {
  const due = approvedTrials(run).filter((trial) => isDue(run, trial));
  if (due.length === 0 || run.isServiceSilent === true) return;
  const usernames = due.map(({ username }) => username);
  const { found } = await run.service.employees(usernames, run.stop);
  for (const trial of due) {
    conclude(run, trial, found.get(trial.username));
    forget(run, trial.id);
  }
}

function approvedTrials({ ledger }: Run): readonly Trial[] {
  return (ledger.fact('trials') ?? []).filter(({ approvedAt }) => approvedAt !== undefined);
}

function isDue({ clock }: Run, { approvedAt = 0 }: Trial): boolean {
  const since = clock.now() - approvedAt;
  return since < 0 || since >= VISIBLE_AFTER_MS;
}

/** Concludes one trial. A value that is another by now was edited by somebody, and tells nothing. */
function conclude(run: Run, trial: Trial, employee: Employee | undefined): void {
  const entry = run.ledger.people.entry(trial.id);
  if (employee === undefined || entry?.state !== 'managed' || entry.accepted === null) return;
  const change = rewriteOf(entry, employee.id);
  const open = openKinds(run);
  const lost = lostAtStake(change, trial, employee);
  const kept = keptOf(change, trial, employee);
  const cleared = [...kindsOf(change, lost)].filter((kind) => open.has(kind));
  const keeps = [...kindsOf(change, kept)].filter((kind) => open.has(kind) && !cleared.includes(kind));
  learn(run, new Set(cleared), false);
  learn(run, new Set(keeps), true);
}

function keptOf(change: PersonChange, { shown, unread }: Trial, employee: Employee): AtStake {
  const now = new Map(unmappedOf(change.payload, shownOf(employee)).map(({ name, value }) => [name, value]));
  const kept = Object.entries(shown).filter(([name, value]) => sameValue(value, now.get(name)));
  return { shown: Object.fromEntries(kept), unread: ofFate('kept', change, { unread, employee }) };
}

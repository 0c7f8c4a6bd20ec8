import type { PersonEntry, RecordState } from '../../domain/ports/ledger/entries.ts';
import type { Ledger } from '../../domain/ports/ledger/ledger.ts';
import type { SyncSettings } from '../../domain/settings.ts';
import { printable } from '../../domain/text/printable.ts';

export interface Leaving {
  readonly ledger: Ledger;
  readonly sync: SyncSettings;
  readonly accounts: readonly PersonEntry[];
}

/** Returns why somebody with these accounts cannot be forgotten, by what the ledger has; `null`: they are gone. */
export function whyStays({ ledger, sync, accounts }: Leaving): string | null {
  if (ledger.forgotten.isInDoubt(accounts.map(({ id }) => id)))
    return 'a call about this person was interrupted: the next run settles it (rollcall sync)';
  for (const entry of accounts) {
    const why = STATES[entry.state](entry, { ledger, sync });
    if (why !== null) return `${printable(entry.username)} ${why}`;
  }
  return null;
}

type Reason = (entry: PersonEntry, context: Pick<Leaving, 'ledger' | 'sync'>) => string | null;

const STATES = {
  creating: () => 'is being created: the next run settles that (rollcall sync)',
  managed: () => 'is managed and has not left: remove the person from the source, and let runs see that',
  disabled: whyDisabledStays,
  removed: () => null,
} as const satisfies Record<RecordState, Reason>;

/** Returns why the ledger still needs a disabled account. */
function whyDisabledStays(
  { username, employeeId }: PersonEntry,
  { ledger, sync }: Pick<Leaving, 'ledger' | 'sync'>,
): string | null {
  const employee = ledger.view.employee(username);
  if (employee !== null && employee.id === employeeId && !employee.locked)
    return 'has an account that somebody has enabled: the next run decides about it (rollcall sync)';
  const { removeAfterDays } = sync.leavers;
  if (removeAfterDays === null) return null;
  return `is to be removed ${removeAfterDays} days after the disable (sync.leavers.removeAfterDays): forget the person after that`;
}

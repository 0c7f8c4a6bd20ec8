import type { PersonEntry } from '../../domain/ports/ledger/entries.ts';
import type { Employees } from '../../domain/ports/service.ts';
import { shownOf } from '../../domain/ports/shown.ts';
import { withNewAccount } from '../../plan/values/filled-in.ts';
import { unmappedOf } from '../../plan/values/unmapped.ts';
import { changesOf } from '../calls/changes-of.ts';
import type { Run } from '../state/world.ts';

const LOOKED_AT = 100;

/** Returns some of the people who get an account in this run. */
export function someMade(run: Run): ReadonlySet<string> {
  const made = new Set<string>();
  for (const { id } of changesOf(run, 'person', ['create'])) {
    if (made.size === LOOKED_AT) break;
    made.add(id);
  }
  return made;
}

/** Notes what new accounts show that nobody can have typed in: the service fills it in by itself. */
export function noteMade(
  run: Run,
  { entries, answer }: { readonly entries: readonly PersonEntry[]; readonly answer: Employees },
  made: ReadonlySet<string>,
): void {
  let accounts = run.ledger.fact('newAccounts');
  const before = accounts;
  for (const { id, username, sent } of entries) {
    const employee = made.has(id) ? answer.found.get(username) : undefined;
    if (employee !== undefined) accounts = withNewAccount(accounts, unmappedOf(sent, shownOf(employee)));
  }
  if (accounts !== null && accounts !== before) run.ledger.setFacts({ newAccounts: accounts });
}

import type { App } from './app.ts';
import { hasLedger, openAppLedger } from './setup.ts';
import { LedgerError } from '../domain/errors.ts';
import type { Ledger } from '../domain/ports/ledger/ledger.ts';
import type { RefusalStore } from '../source/connect/refusals.ts';

/** Remembers refused passwords in the ledger: a run of a schedule outside knows nothing of the one before. */
export function refusedIn(ledger: Ledger): RefusalStore {
  const all = () => ledger.fact('refusedSecrets') ?? {};
  return {
    of: (secret) => ledger.keyed(secret),
    get: (account) => all()[account],
    set(account, refused) {
      const { [account]: _, ...others } = all();
      ledger.setFacts({ refusedSecrets: refused === null ? others : { ...others, [account]: refused } });
    },
  };
}

/** Ends the pauses of passwords that the source has just taken. A ledger that cannot be written keeps them. */
export function forgetRefused(app: App): void {
  if (app.refusals.taken.size === 0 || !hasLedger(app)) return;
  try {
    const ledger = openAppLedger(app, 'write');
    const { get, set } = refusedIn(ledger);
    for (const account of app.refusals.taken) if (get(account) !== undefined) set(account, null);
    ledger.close();
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error;
  }
}

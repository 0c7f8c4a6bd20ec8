import { LedgerError } from '../../domain/errors.ts';
import type { Log } from '../../domain/events.ts';
import type { Lease } from '../../domain/ports/ledger/runs.ts';

const RENEW_MS = 15_000;

/**
 * Renews a lease until the function that it returns is called, which releases it. A ledger that cannot be written now
 * (a full disk) ends its run before the next call; here it is only noted, since a lease expires by itself.
 */
export function keepLease(lease: Pick<Lease, 'renew' | 'release'>, log: Log): () => void {
  const tolerant = (work: () => unknown): void => {
    try {
      work();
    } catch (error) {
      if (!(error instanceof LedgerError)) throw error;
      log.note('warn', 'the lease cannot be written; it expires by itself', { error });
    }
  };
  const renewal = setInterval(() => tolerant(() => lease.renew()), RENEW_MS);
  return () => {
    clearInterval(renewal);
    tolerant(() => lease.release());
  };
}

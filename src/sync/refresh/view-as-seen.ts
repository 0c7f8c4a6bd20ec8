import { LedgerError } from '../../domain/errors.ts';
import type { Run } from '../state/world.ts';
import type { ServiceView } from './service-view.ts';

/** Returns the service as the ledger last saw it, without asking. Throws a LedgerError where it never saw all of it. */
export function viewAsSeen({ ledger }: Run): ServiceView {
  const rootOrgId = ledger.fact('rootOrgId');
  if (rootOrgId === null || ledger.fact('watermark') === null)
    throw new LedgerError(
      'plan --recorded: the ledger has not seen all of the service yet, so nothing can be compared: let one run end first (rollcall sync)',
    );
  const nodes = ledger.view.organizations().length;
  const nothing = { count: 0, total: 0 };
  return {
    rootOrgId,
    told: new Set(),
    evidence: {
      organizations: { count: nodes, total: nodes },
      users: nothing,
      employees: { asked: 0, found: 0 },
    },
  };
}

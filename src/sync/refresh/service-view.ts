import type { ServiceEvidence } from '../../domain/changes.ts';

/** The service as this run has read it. Nodes and accounts are in the ledger's view. */
export interface ServiceView {
  readonly rootOrgId: string;
  /** See UnitsInput.told. */
  readonly told: ReadonlySet<string>;
  readonly evidence: ServiceEvidence;
}

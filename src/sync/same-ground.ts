import { PlanError } from '../domain/errors.ts';
import type { Run } from './world.ts';

/**
 * What all records stand on: the source's base or queries and kind of id, `sync.root`, the service's root node. With
 * another one every record would look missing, new or moved at once, so nothing is sent.
 */
export function requireSameGround(run: Run): void {
  const { ledger, source, sync } = run;
  requireSame('source: base, queries or kind of id', ledger.fact('identity'), source.identity);
  requireSame('sync.root', ledger.fact('root'), sync.root ?? 'none');
}

export function requireSameRootNode(run: Run, rootOrgId: string): void {
  requireSame('service: the root node of the organization', run.ledger.fact('rootOrgId'), rootOrgId);
}

/** After a complete read of both sides. */
export function rememberGround(run: Run, rootOrgId: string): void {
  run.ledger.setFacts({ identity: run.source.identity, root: run.sync.root ?? 'none', rootOrgId });
}

function requireSame(what: string, known: string | null, now: string): void {
  if (known === null || known === now) return;
  throw new PlanError(
    `${what} was ${known} and is ${now} now: everything would look moved. Nothing is sent; set it back, or use ` +
      'another state.path, so that existing records are found and adopted anew',
  );
}

import type { Ledger } from '../../domain/ports/ledger/ledger.ts';
import type { Held } from '../../domain/changes.ts';
import { sourceChange } from '../../domain/reading/source-identity.ts';
import { digest } from '../../lib/digest.ts';
import { hashOf } from '../../plan/changes/change-digest.ts';
import { inSteps } from '../../lib/in-steps.ts';
import type { ServiceView } from '../refresh/refresh-service.ts';
import type { RunRequest } from '../state/run-request.ts';
import type { Run } from '../state/world.ts';
import { requireKnown } from './hold-back.ts';
import { requestProblem } from '../../domain/run-problems.ts';

/**
 * Returns the one question whether the source's identity, `sync.root` or the service's root node may be others than those
 * that the ledger knows; `null`: they are the same, or this request approves the others. Until then nothing else is
 * planned: nearly all people may look new, missing or moved, and no record can tell whether that is so. What is the same
 * or approved is remembered. Throws a RequestError for a revert, and for a hash under which nothing is held.
 */
export async function askForIdentity(run: Run, view: ServiceView, request: RunRequest): Promise<Held | null> {
  const { ledger, sync, source } = run;
  const now = { identity: source.identity, root: sync.root ?? 'none', rootOrgId: view.rootOrgId };
  const about = changesTo(run.ledger, now);
  if (about === '') {
    ledger.setFacts(now);
    return null;
  }
  if (run.reverting !== null) throw requestProblem('revert-other-source', { about });
  const asked = digest(JSON.stringify([about, now]));
  const hash = await inSteps(hashOf([asked]));
  const approval = request.approve.find((one) => one.hash === hash);
  if (approval !== undefined) {
    ledger.setFacts(now);
    run.tally.released.set(hash, 1);
    run.log.note('warn', `approved: ${about}`, { hash, by: approval.by });
    return null;
  }
  requireKnown(run.ledger, request.approve, []);
  const held: Held = { guard: 'source', hash, count: 1, limit: 0, first: [], about, cause: null };
  if (!request.dryRun) ledger.approvals.setHeld([{ held, of: { digest: asked } }]);
  return held;
}

function changesTo(ledger: Ledger, now: Readonly<Record<'identity' | 'root' | 'rootOrgId', string>>): string {
  const another = sourceChange(ledger.fact('identity'), now.identity);
  const words = [
    another === null ? null : `another source: ${another}`,
    changed('sync.root', ledger.fact('root'), now.root),
    changed("the service's root node", ledger.fact('rootOrgId'), now.rootOrgId),
  ];
  return words.filter((text) => text !== null).join(', ');
}

function changed(what: string, known: string | null, now: string): string | null {
  return known === null || known === now ? null : `${what} was ${known} and is ${now} now`;
}

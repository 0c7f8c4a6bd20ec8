import type { PersonChange } from '../../domain/changes.ts';
import { RefusedError } from '../../domain/errors.ts';
import type { PersonEntry } from '../../domain/ports/ledger/entries.ts';
import type { Employee } from '../../domain/ports/service.ts';
import { shownOf } from '../../domain/ports/shown.ts';
import { bodyOf } from './person-body.ts';
import { itemOf } from '../state/call-item.ts';
import type { NodeBook } from '../../plan/nodes/node-book.ts';
import { UNSTOPPABLE, type SendingRun } from '../state/world.ts';
import { listSome } from '../../domain/text/printable.ts';

/** Returns the nodes of ours where the employee still has a position that was not sent. */
export function oldPositions(
  nodes: NodeBook,
  { sent }: PersonEntry,
  { positions }: Employee,
): readonly string[] {
  const wanted = new Set(sent.positions.map(({ unit }) => nodes.orgIdOf(unit)));
  return positions.map(({ orgId }) => orgId).filter((orgId) => !wanted.has(orgId) && nodes.ours.has(orgId));
}

/**
 * Takes away positions that an import has left, by a modification: its positions are all that the employee is to have
 * (promise 9). Returns `false` if that failed, which is recorded already.
 */
export async function takeAwayOldPositions(
  run: SendingRun,
  entry: PersonEntry,
  employee: Employee,
): Promise<boolean> {
  const change = rewriteOf(entry, employee.id);
  const body = bodyOf(run, change, shownOf(employee));
  if (typeof body === 'string') return true;
  let isSent = false;
  await run.calls.make({
    operation: 'employee.modify',
    items: [itemOf(run.approved, change)],
    splits: false,
    send: async () => {
      try {
        await run.service.modifyEmployee(employee.id, body, UNSTOPPABLE);
      } catch (error) {
        if (!(error instanceof RefusedError) || error.unheard) throw error;
        return [
          run.calls.failed(
            change,
            `${stillThere(oldPositions(run.nodes, entry, employee))}; ${error.message}`,
          ),
        ];
      }
      isSent = true;
      return [{ is: 'modified', id: entry.id }];
    },
    look: async () => {
      const now = await run.service.employee(employee.id, UNSTOPPABLE);
      if (now === null || oldPositions(run.nodes, entry, now).length > 0) return null;
      isSent = true;
      return [{ is: 'modified', id: entry.id }];
    },
  });
  return isSent;
}

export function stillThere(orgIds: readonly string[]): string {
  return `old positions are still there: ${listSome(orgIds)}`;
}

/**
 * Returns a change that sends again what was sent. It is not in this plan; the next plan has it if it is not read back
 * as it should be.
 */
export function rewriteOf({ id, username, sent }: PersonEntry, employeeId: string | null): PersonChange {
  return {
    subject: 'person',
    kind: 'update',
    id,
    username,
    payload: sent,
    employeeId,
    why: { code: 'oldPosition' },
    fields: [],
    guard: null,
    cause: null,
  };
}

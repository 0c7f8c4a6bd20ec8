import type { PersonChange } from '../../domain/changes.ts';
import type { Employee } from '../../domain/ports/service.ts';
import { shownOf } from '../../domain/ports/shown.ts';
import { lookAgain, Patience } from '../ask/look-again.ts';
import { itemOf } from '../state/call-item.ts';
import { rewriteOf } from '../calls/old-positions.ts';
import { bodyOf } from '../calls/person-body.ts';
import { UNSTOPPABLE, type SendingRun } from '../state/world.ts';

/**
 * Takes from a leaver the headships that the plan lists, by a modification: an import may unlock accounts. If that fails,
 * which is recorded, the account is locked all the same.
 */
export async function takeHeadship(run: SendingRun, change: PersonChange, employee: Employee): Promise<void> {
  const entry = run.ledger.people.entry(change.id);
  if (entry === null || !change.fields.some(({ field }) => field === 'positions')) return;
  const positions = change.payload.positions.filter(({ unit }) => run.nodes.orgIdOf(unit) !== undefined);
  const { name = entry.sent.fields['name'] ?? null } = employee.fields;
  const without = { ...rewriteOf(entry, employee.id), payload: { fields: { name }, positions } };
  const body = bodyOf(run, without, shownOf(employee));
  if (positions.length === 0 || typeof body === 'string') return;
  const isHead = async (): Promise<boolean> =>
    lookAgain(new Patience(run.clock), {
      look: async () => {
        const now = await run.service.employee(employee.id, UNSTOPPABLE);
        return (
          now?.positions.some(
            ({ orgId, fields }) => fields['chief'] === true && run.nodes.ours.has(orgId),
          ) === true
        );
      },
      isSettled: (isStill) => !isStill,
      signal: UNSTOPPABLE,
    });
  const done = [{ is: 'modified', id: change.id }] as const;
  await run.calls.make({
    operation: 'employee.modify',
    items: [itemOf(run.approved, without)],
    splits: false,
    send: async () => {
      await run.service.modifyEmployee(employee.id, body, UNSTOPPABLE);
      return (await isHead()) ? [run.calls.failed(change, 'still shown as head of a unit')] : done;
    },
    look: async () => ((await isHead()) ? null : done),
  });
}

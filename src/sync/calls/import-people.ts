import type { PersonChange } from '../../domain/changes.ts';
import type { Settlement } from '../../domain/ports/ledger/journal.ts';
import type { EmployeeBody, ItemOutcome } from '../../domain/ports/service.ts';
import { itemOf } from './call-item.ts';
import { doubt, failed, journalled } from './journalled.ts';
import { shownOtherwise } from './person-body.ts';
import { UNSTOPPABLE, type SendingRun } from '../state/world.ts';

export interface Importable {
  readonly change: PersonChange;
  readonly body: EmployeeBody;
}

/** Sends one import through the journal. Returns `split` where the batch failed as a whole, and has to be halved. */
export async function importPeople(
  run: SendingRun,
  batch: readonly Importable[],
): Promise<'settled' | 'split'> {
  const changes = batch.map(({ change }) => change);
  return journalled(run, {
    operation: 'employee.import',
    items: changes.map((change) => itemOf(run, change)),
    send: async () => {
      const bodies = batch.map(({ body }) => body);
      const outcomes = await run.service.importEmployees(bodies, UNSTOPPABLE);
      const unnamed = await readBack(
        run,
        batch.filter((_, index) => outcomes[index]?.outcome === 'unknown'),
      );
      return changes.map((change, index) =>
        settlementOf(run, change, unnamed.get(change.id) ?? outcomes[index]),
      );
    },
    splits: batch.length > 1,
    look: () => Promise.resolve(null),
  });
}

/** Reads back items that are in neither map of the answer: only those that are shown as sent are done. */
async function readBack(
  run: SendingRun,
  items: readonly Importable[],
): Promise<ReadonlyMap<string, ItemOutcome>> {
  const found = new Map<string, ItemOutcome>();
  if (items.length === 0) return found;
  const usernames = items.map(({ change }) => change.username);
  const answer = await run.service.employees(usernames, UNSTOPPABLE);
  for (const { change } of items) {
    const employee = answer.found.get(change.username);
    if (employee !== undefined && shownOtherwise(run, change.payload, employee).length === 0)
      found.set(change.id, { outcome: 'done', value: '' });
  }
  return found;
}

/** Returns what became of a record. */
function settlementOf(run: SendingRun, change: PersonChange, outcome: ItemOutcome | undefined): Settlement {
  if (outcome === undefined || outcome.outcome === 'done') return { is: 'imported', id: change.id, change };
  if (outcome.outcome === 'refused') return failed(run, change, `refused by the service: ${outcome.reason}`);
  return doubt(run, change, 'the answer of the service did not name it, and it is not shown as sent');
}

import type { Calls } from '../state/calls.ts';
import type { NodeBook } from '../../plan/nodes/node-book.ts';
import type { Ledger } from '../../domain/ports/ledger/ledger.ts';
import { isRekey, type PersonChange } from '../../domain/changes.ts';
import { inParallel } from '../../lib/in-parallel.ts';
import { itemOf } from '../state/call-item.ts';
import { importedPeople, inBatches, personChangesOf } from '../calls/steps.ts';
import { accountOf, bodyOf, shownOtherwise } from '../calls/person-body.ts';
import { halvingUnlessAll } from '../calls/refused-alike.ts';
import { type SendingRun, UNSTOPPABLE } from '../state/world.ts';
import type { Settlement } from '../../domain/ports/ledger/journal.ts';
import type { EmployeeBody, ItemOutcome } from '../../domain/ports/service.ts';

/** Imports people in batches, several at a time: joins, adoptions, updates, and people who were enabled before. */
export async function applyPeople(run: SendingRun): Promise<void> {
  run.progress.start('apply', importedPeople(run.tally));
  const { calls, limits } = run;
  const size = (): number => calls.sizeOf('employee.import', limits.peoplePerImport);
  const batches = madeAtOnce(run.ledger, inBatches(importable(run), size));
  const send = async (batch: readonly Importable[]): Promise<void> => {
    const work = (part: readonly Importable[]): Promise<'settled' | 'split'> => importPeople(run, part);
    const passed = await halvingUnlessAll(run, batch, {
      operation: 'employee.import',
      work,
      changeOf: ({ change }) => change,
    });
    calls.keepTo('employee.import', batch.length, passed);
    run.progress.advance(batch.length);
  };
  // One after the other until the service has taken something: their order shows whether it refuses everything.
  while (!calls.refusals.isTaken('employee.import')) {
    const next = batches.next();
    if (next.done === true) break;
    await send(next.value);
  }
  await inParallel({ [Symbol.iterator]: () => batches }, limits.concurrency, send);
}

/** Makes each batch in one transaction of the ledger: a lock for each look-up would take longer than the look-up. */
function madeAtOnce<T>(ledger: Ledger, batches: Iterable<T>): Iterator<T> {
  const inner = batches[Symbol.iterator]();
  return { next: () => ledger.transaction(() => inner.next()) };
}

/**
 * Yields the people that nothing keeps back, and whose units are all in the service. The others wait, with the reason.
 */
function* importable(run: SendingRun): Iterable<Importable> {
  for (const change of personChangesOf(run.ledger.plan, 'import')) {
    if (isRekey(change)) continue;
    const reason = obstacle(run, change);
    const body = bodyOf(run, change, accountOf(run.ledger.view, change));
    if (reason !== null) run.lists.block(change, reason);
    else if (typeof body === 'string')
      run.lists.block(change, `waits for unit ${body}: it is not in the service`);
    else yield { change, body };
  }
}

function obstacle(run: SendingRun, change: PersonChange): string | null {
  if (change.kind === 'enable' && isDisabled(run, change)) return 'waits until it is enabled';
  if (isLeftBehind(run.nodes, change)) return `waits for unit ${change.cause}: it could not be moved`;
  return null;
}

function isDisabled({ ledger }: SendingRun, { id, why }: PersonChange): boolean {
  const entry = ledger.people.entry(id);
  return entry?.state === 'disabled' || (why.code === 'disableUnshown' && entry?.disabledAt !== null);
}

/** Returns whether the person is imported only because of a move, and no unit of theirs has moved. */
function isLeftBehind(nodes: NodeBook, { cause, payload }: PersonChange): boolean {
  return cause !== null && !payload.positions.some(({ unit }) => nodes.hasMoved(unit));
}

interface Importable {
  readonly change: PersonChange;
  readonly body: EmployeeBody;
}

/** Sends one import through the journal. Returns `split` if the batch failed as a whole, and has to be halved. */
async function importPeople(run: SendingRun, batch: readonly Importable[]): Promise<'settled' | 'split'> {
  const changes = batch.map(({ change }) => change);
  return run.calls.make({
    operation: 'employee.import',
    items: changes.map((change) => itemOf(run.approved, change)),
    send: async () => {
      const bodies = batch.map(({ body }) => body);
      const outcomes = await run.service.importEmployees(bodies, UNSTOPPABLE);
      const unnamed = await readBack(
        run,
        batch.filter((_, index) => outcomes[index]?.outcome === 'unknown'),
      );
      return changes.map((change, index) =>
        settlementOf(run.calls, change, unnamed.get(change.id) ?? outcomes[index]),
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
    if (employee !== undefined && shownOtherwise(run.nodes, change.payload, employee).length === 0)
      found.set(change.id, { outcome: 'done', value: '' });
  }
  return found;
}

/** Returns what became of a record. */
function settlementOf(calls: Calls, change: PersonChange, outcome: ItemOutcome | undefined): Settlement {
  if (outcome === undefined || outcome.outcome === 'done') return { is: 'imported', id: change.id, change };
  if (outcome.outcome === 'refused') return calls.failed(change, `refused by the service: ${outcome.reason}`);
  return calls.doubt(change, 'the answer of the service did not name it, and it is not shown as sent');
}

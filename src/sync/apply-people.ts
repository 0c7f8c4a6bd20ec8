import { isRekey, type PersonChange } from '../domain/changes.ts';
import type { Settlement } from '../domain/journal.ts';
import type { EmployeeBody, EmployeePosition, ItemOutcome } from '../domain/service.ts';
import { shownOf } from '../domain/shown.ts';
import { eachBounded } from '../lib/each-bounded.ts';
import { differsFrom, expectedOf } from '../plan/compare.ts';
import { outgoingPerson } from '../plan/outgoing.ts';
import { block } from './block.ts';
import { changesOf, inBatches } from './changes-of.ts';
import { doubt, failed, halving, journalled } from './journalled.ts';
import { UNSTOPPABLE, type Run } from './world.ts';

const IMPORTED = ['create', 'adopt', 'update', 'enable'] as const;

/** Imports people in batches, several at a time: joins, adoptions, updates, and who was enabled before. */
export async function applyPeople(run: Run): Promise<void> {
  const total = IMPORTED.reduce((sum, kind) => sum + run.tally.people[kind], 0);
  run.progress.start('apply', total);
  const batches = inBatches(importable(run), run.limits.peoplePerImport);
  await eachBounded(batches, run.limits.concurrency, async (batch) => {
    await halving(batch, (part) => importPeople(run, part));
    run.progress.advance(batch.length);
  });
}

interface Importable {
  readonly change: PersonChange;
  readonly body: EmployeeBody;
}

/** Those whose units are all in the service; the others wait, with the unit named. */
function* importable(run: Run): Iterable<Importable> {
  for (const change of changesOf(run, 'person', IMPORTED)) {
    if (isRekey(change)) continue;
    if (change.kind === 'enable' && run.ledger.people.entry(change.id)?.state === 'disabled') {
      block(run, change, 'waits until it is enabled');
      continue;
    }
    if (isLeftBehind(run, change)) {
      block(run, change, `waits for unit ${change.cause}, which could not be moved`);
      continue;
    }
    const positions = positionsOf(run, change);
    if (typeof positions === 'string')
      block(run, change, `waits for unit ${positions}, which is not in the service`);
    else yield { change, body: bodyOf(run, change, positions) };
  }
}

/** Imported for a move alone, and no unit of the person has moved. */
function isLeftBehind(run: Run, { cause, payload }: PersonChange): boolean {
  return cause !== null && !payload.positions.some(({ unit }) => unit !== null && run.moved.has(unit));
}

/** Positions by organization id, or the unit that has none. */
export function positionsOf(run: Run, { payload }: PersonChange): readonly EmployeePosition[] | string {
  const positions: EmployeePosition[] = [];
  for (const { unit, fields } of payload.positions) {
    const orgId = run.orgIds.get(unit);
    if (orgId === undefined) return String(unit);
    const known = Object.entries(fields).filter(([, value]) => value !== null);
    positions.push({ orgId, fields: Object.fromEntries(known) });
  }
  return positions;
}

/** All that is mapped, with the secrets that were read in this run. */
export function bodyOf(run: Run, change: PersonChange, positions: readonly EmployeePosition[]): EmployeeBody {
  const { id, username, payload, kind } = change;
  const secrets = run.ledger.staging.secretsOf(id);
  const options = { clear: run.sync.clear, creating: kind === 'create', id };
  return { username, positions, fields: outgoingPerson({ ...payload.fields, ...secrets }, options) };
}

/** `adopt: trust` sends nothing where every shown field is as it should be. */
function trusted(run: Run, { kind, fields }: PersonChange): boolean {
  return kind === 'adopt' && run.sync.adopt === 'trust' && fields.length === 0;
}

async function importPeople(run: Run, batch: readonly Importable[]): Promise<'settled' | 'split'> {
  const sent = batch.filter(({ change }) => !trusted(run, change));
  const changes = batch.map(({ change }) => change);
  return journalled(run, {
    operation: 'employee.import',
    changes,
    send: async () => {
      const bodies = sent.map(({ body }) => body);
      const outcomes = bodies.length === 0 ? [] : await run.service.importEmployees(bodies, UNSTOPPABLE);
      const unnamed = await readBack(
        run,
        sent.filter((_, index) => outcomes[index]?.outcome === 'unknown'),
      );
      const byId = new Map(sent.map(({ change }, index) => [change.id, outcomes[index]]));
      return changes.map((change) =>
        settlementOf(run, change, unnamed.get(change.id) ?? byId.get(change.id)),
      );
    },
    splits: sent.length > 1,
    look: () => Promise.resolve(null),
  });
}

/** An item in neither map is read back, never taken as done: done is whoever is shown as sent. */
async function readBack(run: Run, items: readonly Importable[]): Promise<ReadonlyMap<string, ItemOutcome>> {
  const found = new Map<string, ItemOutcome>();
  if (items.length === 0) return found;
  const employees = await run.service.employees(
    items.map(({ change }) => change.username),
    UNSTOPPABLE,
  );
  for (const { change } of items) {
    const employee = employees.find(({ username }) => username === change.username);
    if (employee === undefined) continue;
    const expected = expectedOf(change.payload, (unit) => run.orgIds.get(unit));
    if (differsFrom(expected, shownOf(employee), change.payload).length > 0) continue;
    found.set(change.id, { outcome: 'done', value: '' });
  }
  return found;
}

/** A trusted adoption has no outcome: nothing was sent, and it is read back like the others. */
function settlementOf(run: Run, change: PersonChange, outcome: ItemOutcome | undefined): Settlement {
  if (outcome === undefined || outcome.outcome === 'done') return { is: 'imported', id: change.id, change };
  if (outcome.outcome === 'refused') return failed(run, change, `refused by the service: ${outcome.reason}`);
  return doubt(run, change, 'the answer of the service did not name it, and it is not shown as sent');
}

import type { Approvals } from '../../plan/changes/change-digest.ts';
import type { Ledger } from '../../domain/ports/ledger/ledger.ts';
import type { NodeBook } from '../../plan/nodes/node-book.ts';
import type { Clock } from '../../lib/clock.ts';
import type { PersonChange } from '../../domain/changes.ts';
import type { Settlement } from '../../domain/ports/ledger/journal.ts';
import type { Employee, EmployeeBody, Employees, Service } from '../../domain/ports/service.ts';
import { mergePositions } from '../../plan/people/merge-positions.ts';
import { outgoingPerson } from '../../plan/values/outgoing.ts';
import { itemOf } from '../state/call-item.ts';
import { inBatches, personChangesOf } from '../calls/steps.ts';
import { findAccounts, type Account } from '../ask/find-accounts.ts';
import { lookAgain, Patience } from '../ask/look-again.ts';
import { type Calls, halving } from '../state/calls.ts';
import { positionsOf } from '../calls/person-body.ts';
import { NOT_HERE, switchLocks } from './switch-locks.ts';
import { UNSTOPPABLE, type SendingRun } from '../state/world.ts';

const VANISHED_AT_ONCE = 500;

/** Settles people who vanished and are wanted no longer: nothing is sent, only the ledger changes. */
export async function applyVanished(ledger: Ledger, approved: Approvals, calls: Calls): Promise<void> {
  for (const changes of inBatches(personChangesOf(ledger.plan, 'forget'), () => VANISHED_AT_ONCE)) {
    const settled = changes.map(({ id }): Settlement => ({ is: 'vanished', id }));
    const done = (): Promise<readonly Settlement[]> => Promise.resolve(settled);
    const items = changes.map((change) => itemOf(approved, change));
    await calls.make({ operation: 'employee.forget', items, send: done, splits: false, look: done });
  }
}

/** Disables and removes people, each after a look that the username is still that of the same employee. */
export async function applyLeavers(run: SendingRun): Promise<void> {
  await switchLocks(run, 'disable');
  const { calls, limits } = run;
  // A removal is an import.
  const size = (): number => calls.sizeOf('employee.import', limits.peoplePerImport);
  for (const batch of inBatches(personChangesOf(run.ledger.plan, 'remove'), size)) {
    const passed = await halving(batch, (part) => removePeople(run, part));
    calls.keepTo('employee.import', batch.length, passed);
  }
}

/** Enables people who are active again. They are imported with the others afterwards. */
export async function applyEnables(run: SendingRun): Promise<void> {
  await switchLocks(run, 'enable');
}

const look = (run: SendingRun, changes: readonly PersonChange[]): Promise<Employees> =>
  findAccounts(run.service, changes, UNSTOPPABLE);

interface Looked {
  readonly employee: Employee | undefined;
  readonly unclear: string | undefined;
}

/**
 * Returns why the account is not removed after all, or `null`. An account that we disabled and that is in use again
 * stays.
 */
function keptReason(run: SendingRun, change: PersonChange, { employee, unclear }: Looked): string | null {
  const { view, people } = run.ledger;
  if (unclear !== undefined) return unclear;
  if (employee === undefined) {
    view.saveEmployees([change.username], { found: new Map(), unclear: new Map() });
    return NOT_HERE;
  }
  if (employee.locked || people.entry(change.id)?.state !== 'disabled') return null;
  view.saveEmployees([], { found: new Map([[change.username, employee]]), unclear: new Map() });
  return 'was enabled by somebody in the meantime: looked at again by the next run';
}

async function removePeople(run: SendingRun, batch: readonly PersonChange[]): Promise<'settled' | 'split'> {
  const { found, unclear } = await look(run, batch);
  const removable = batch.filter((change) => {
    const { username } = change;
    const reason = keptReason(run, change, { employee: found.get(username), unclear: unclear.get(username) });
    if (reason !== null) run.lists.block(change, reason);
    return reason === null;
  });
  if (removable.length === 0) return 'settled';
  return run.calls.make({
    operation: 'employee.remove',
    items: removable.map((change) => itemOf(run.approved, change)),
    send: () => sendRemovals(run, removable, found),
    splits: removable.length > 1,
    look: async () => {
      const left = await look(run, removable);
      const isAway = left.found.size === 0 && left.unclear.size === 0;
      return isAway ? removable.map(({ id }) => ({ is: 'personGone', id })) : null;
    },
  });
}

type Found = Employees['found'];

/** Sends removals. Those that were not reported as removed are looked for by id too. */
async function sendRemovals(
  run: SendingRun,
  changes: readonly PersonChange[],
  employees: Found,
): Promise<readonly Settlement[]> {
  // An import goes by the username that the account has now.
  const bodies = changes.map((change) => {
    const { username } = employees.get(change.username) ?? change;
    return removalBody(run.nodes, { ...change, username });
  });
  const outcomes = await run.service.importEmployees(bodies, UNSTOPPABLE);
  const asked = changes.map(({ username, employeeId }, index) => {
    return { username, employeeId: outcomes[index]?.outcome === 'done' ? null : employeeId };
  });
  const left = await stillHere(run.clock, run.service, asked, employees);
  return changes.map((change, index): Settlement => {
    if (!left.has(change.username)) return { is: 'personGone', id: change.id };
    const outcome = outcomes[index];
    const words = outcome?.outcome === 'refused' ? outcome.reason : 'it is still an employee';
    return run.calls.failed(change, `not removed: ${words}`);
  });
}

/** Returns who is still there, or may be. An account with another id is not the one that was removed. */
async function stillHere(
  clock: Clock,
  service: Service,
  accounts: readonly Account[],
  before: Found,
): Promise<ReadonlySet<string>> {
  return lookAgain<ReadonlySet<string>>(new Patience(clock), {
    look: async () => {
      const { found, unclear } = await findAccounts(service, accounts, UNSTOPPABLE);
      const here = [...found].filter(([username, { id }]) => before.get(username)?.id === id);
      return new Set([...here.map(([username]) => username), ...unclear.keys()]);
    },
    isSettled: ({ size }) => size === 0,
    signal: UNSTOPPABLE,
  });
}

/** Returns the deletion form of an import: `ops: REMOVE`, with the required fields (interface, Employees). */
function removalBody(nodes: NodeBook, change: PersonChange): EmployeeBody {
  const wanted = positionsOf(nodes, change.payload);
  const positions = typeof wanted === 'string' ? null : mergePositions(wanted, [], nodes.ours);
  const { rootOrgId } = nodes;
  const required = { name: change.payload.fields['name'] ?? change.username };
  return {
    username: change.username,
    fields: outgoingPerson(required, { clear: 'omit', creating: false, id: change.id }),
    positions: positions ?? [{ orgId: rootOrgId, fields: { primary: true } }],
    ops: 'REMOVE',
  };
}

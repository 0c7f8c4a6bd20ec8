import type { PersonChange } from '../domain/changes.ts';
import type { Settlement } from '../domain/journal.ts';
import type { Employee, EmployeeBody } from '../domain/service.ts';
import { inParallel } from '../lib/in-parallel.ts';
import { mergePositions } from '../plan/merge-positions.ts';
import { outgoingPerson } from '../plan/outgoing.ts';
import { positionsOf } from './person-body.ts';
import { block } from './block.ts';
import { changesOf, inBatches } from './changes-of.ts';
import { findAccounts, type Account, type Found } from './find-accounts.ts';
import { failed, halving, journalled } from './journalled.ts';
import { UNSTOPPABLE, type Run } from './world.ts';

/** Looked at in one go before their calls. */
const LOOK_AT_ONCE = 200;
/** Looks whether somebody is gone, and the pause between them. */
const LOOKS = 4;
const LOOK_AGAIN_MS = 1_000;

/** Disables and removals, each after a look that the username is still that employee. */
export async function applyLeavers(run: Run): Promise<void> {
  await forEachLooked(run, ['disable'], (change, employee) =>
    switchLock(run, change, { employee, lock: true }),
  );
  for (const batch of inBatches(changesOf(run, 'person', ['remove']), run.limits.peoplePerImport)) {
    await halving(batch, (part) => removePeople(run, part));
  }
}

/** Rehires: enabled first, imported with the others after. */
export async function applyEnables(run: Run): Promise<void> {
  await forEachLooked(run, ['enable'], (change, employee) =>
    switchLock(run, change, { employee, lock: false }),
  );
}

const look = (run: Run, changes: readonly PersonChange[]): Promise<Found> =>
  findAccounts(run, changes, UNSTOPPABLE);

async function forEachLooked(
  run: Run,
  kinds: readonly PersonChange['kind'][],
  work: (change: PersonChange, employee: Employee | undefined) => Promise<void>,
): Promise<void> {
  for (const batch of inBatches(changesOf(run, 'person', kinds), LOOK_AT_ONCE)) {
    const employees = await look(run, batch);
    await inParallel(batch, run.limits.concurrency, (change) => work(change, employees.get(change.username)));
  }
}

/** Why this is not the employee whom we know under this username, or `null`. */
function strangerReason(change: PersonChange, employee: Employee): string | null {
  if (employee.username !== change.username)
    return `the account's username was changed in the service to ${employee.username}: left as it is`;
  if (change.employeeId === null || change.employeeId === employee.id) return null;
  return `the username is employee ${employee.id} now, not ${change.employeeId}: somebody else's, left as it is`;
}

interface LockCase {
  readonly employee: Employee | undefined;
  readonly lock: boolean;
}

/** Disables or enables one account by its employee id from the employees list. */
async function switchLock(run: Run, change: PersonChange, { employee, lock }: LockCase): Promise<void> {
  if (employee === undefined)
    return block(run, change, 'is no employee here any more: looked at again by the next run');
  const stranger = strangerReason(change, employee);
  if (stranger !== null) return block(run, change, stranger);
  if (employee.locked && lock) return block(run, change, 'was locked by somebody else in the meantime');
  const { service } = run;
  const done: Settlement = lock
    ? { is: 'disabled', id: change.id, at: run.clock.now() }
    : { is: 'enabled', id: change.id };
  await journalled(run, {
    operation: lock ? 'employee.disable' : 'employee.enable',
    changes: [change],
    send: async () => {
      if (lock) await service.disableEmployee(employee.id, UNSTOPPABLE);
      else if (employee.locked) await service.enableEmployee(employee.id, UNSTOPPABLE);
      return [done];
    },
    splits: false,
    look: async () => ((await look(run, [change])).get(change.username)?.locked === lock ? [done] : null),
  });
}

/** Why the account is not removed after all, or `null`: one that we disabled and that is in use again stays. */
function keptReason(run: Run, change: PersonChange, employee: Employee): string | null {
  const stranger = strangerReason(change, employee);
  if (stranger !== null || employee.locked) return stranger;
  if (run.ledger.people.entry(change.id)?.state !== 'disabled') return null;
  run.ledger.view.saveEmployees([], [employee]);
  return 'was enabled by somebody in the meantime: looked at again by the next run';
}

async function removePeople(run: Run, batch: readonly PersonChange[]): Promise<'settled' | 'split'> {
  const employees = await look(run, batch);
  const removable = batch.filter((change) => {
    const employee = employees.get(change.username);
    const reason = employee === undefined ? null : keptReason(run, change, employee);
    if (reason !== null) block(run, change, reason);
    return reason === null;
  });
  if (removable.length === 0) return 'settled';
  return journalled(run, {
    operation: 'employee.remove',
    changes: removable,
    send: () => sendRemovals(run, removable, employees),
    splits: removable.length > 1,
    look: async () => {
      const left = await look(run, removable);
      return left.size === 0 ? removable.map(({ id }) => ({ is: 'personGone', id })) : null;
    },
  });
}

/** Who is gone already needs no call; who is not said to be removed is looked for by id too. */
async function sendRemovals(
  run: Run,
  changes: readonly PersonChange[],
  employees: Found,
): Promise<readonly Settlement[]> {
  const present = changes.filter(({ username }) => employees.has(username));
  const bodies = present.map((change) => removalBody(run, change));
  const outcomes = bodies.length === 0 ? [] : await run.service.importEmployees(bodies, UNSTOPPABLE);
  const asked = present.map(({ username, employeeId }, index) => {
    return { username, employeeId: outcomes[index]?.outcome === 'done' ? null : employeeId };
  });
  const left = await stillHere(run, asked);
  return changes.map((change): Settlement => {
    if (!left.has(change.username)) return { is: 'personGone', id: change.id };
    const outcome = outcomes[present.indexOf(change)];
    const words = outcome?.outcome === 'refused' ? outcome.reason : 'it is still an employee';
    return failed(run, change, `not removed: ${words}`);
  });
}

/** What the service took it may show a little later. */
async function stillHere(run: Run, accounts: readonly Account[]): Promise<Found> {
  for (let looks = LOOKS; ; looks -= 1) {
    const left = await findAccounts(run, accounts, UNSTOPPABLE);
    if (left.size === 0 || looks === 1) return left;
    await run.clock.sleep(LOOK_AGAIN_MS, UNSTOPPABLE);
  }
}

/** The deletion form of an import: `ops: REMOVE` with the required fields along (interface, Employees). */
function removalBody(run: Run, change: PersonChange): EmployeeBody {
  const wanted = positionsOf(run, change.payload);
  const positions =
    typeof wanted === 'string' ? null : mergePositions(wanted, [], { positions: 'all', nodes: run.nodes });
  const rootOrgId = run.orgIds.get(null) ?? '';
  const required = { name: change.payload.fields['name'] ?? change.username };
  return {
    username: change.username,
    fields: outgoingPerson(required, { clear: 'omit', creating: false, id: change.id }),
    positions: positions ?? [{ orgId: rootOrgId, fields: { primary: true } }],
    ops: 'REMOVE',
  };
}

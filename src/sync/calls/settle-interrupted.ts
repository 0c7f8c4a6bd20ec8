import type { OpenCall, Operation, Settlement } from '../../domain/ports/ledger/journal.ts';
import type { PersonEntry, UnitEntry } from '../../domain/ports/ledger/entries.ts';
import type { Employees, Organization } from '../../domain/ports/service.ts';
import { serialBefore } from '../../domain/records/left-node.ts';
import { laterClock } from '../state/both-clocks.ts';
import { findAccounts, type Account } from '../ask/find-accounts.ts';
import { readOne } from '../ask/read-nodes.ts';
import type { Run } from '../state/world.ts';

/**
 * Settles the calls that a crash left open: they were written down and not settled. What became of them is read from
 * the service. The decisions of this run do the rest, since a record in doubt is compared anew (promise 6).
 */
export async function settleInterrupted(run: Run): Promise<void> {
  const open = run.ledger.journal.unsettled();
  if (open.length === 0 || run.isServiceSilent === true) return;
  const units = new Map(run.ledger.units.all().map((unit) => [unit.id, unit]));
  const accounts = await accountsNow(run, open);
  for (const call of open) {
    const settlements: Settlement[] = [];
    for (const { subject, id } of call.items) {
      const settled = await (subject === 'unit'
        ? unitNow(run, call, units.get(id))
        : personNow(run, call, { id, accounts }));
      if (settled !== null) settlements.push(settled);
    }
    // A call stays open if one of its units could not be asked for: the next run looks at it again.
    if (!call.items.some(({ subject, id }) => subject === 'unit' && run.unclear.units.has(id)))
      run.ledger.journal.settle(call.call, settlements);
  }
  run.log.note('info', 'calls of an interrupted run were settled', { calls: open.length });
}

/** Calls whose result no node shows. The code that needs the result looks at it, or makes the call again. */
const UNSEEN: ReadonlySet<Operation> = new Set(['org.sweep', 'media.upload']);

/**
 * Returns what the service shows of a unit. A node without a known id is found by its serial number, wherever the
 * interrupted call was; so is the new node of a unit that was about to leave its own. A node that was to be swept is
 * looked at again anyway.
 */
async function unitNow(
  run: Run,
  { operation }: OpenCall,
  unit: UnitEntry | undefined,
): Promise<Settlement | null> {
  if (unit === undefined || UNSEEN.has(operation)) return null;
  const { id, orgId, serialNo, sent } = unit;
  const withSerial = (serial: string): Promise<Organization | null> =>
    run.service.organizationBySerial(serial, run.stop);
  const ask = async (): Promise<Organization | null> => {
    if (orgId === null) return withSerial(serialNo);
    const own = await run.service.organization(orgId, run.stop);
    const left = own === null ? null : serialBefore(own);
    return left === null ? own : ((await withSerial(left)) ?? own);
  };
  const node = await readOne(run, ask, (reason) => run.unclear.unreadableUnit(id, reason));
  if (node === null) return { is: 'unitGone', id };
  run.ledger.view.saveOrganizations([node], false);
  const isMoved = orgId !== null && node.id !== orgId;
  return { is: 'unit', id, orgId: node.id, sent, accepted: isMoved ? node.fields : null };
}

interface PersonCase {
  readonly id: string;
  readonly accounts: Employees;
}

/**
 * Returns what became of a person. A lock or unlock by our own call is ours. An import is compared and, if it
 * differs, sent again. About an account that is nowhere and was not to be removed, the plan and its guard decide.
 */
function personNow(run: Run, { operation }: OpenCall, { id, accounts }: PersonCase): Settlement | null {
  const entry = run.ledger.people.entry(id);
  if (entry === null) return null;
  const employee = accounts.found.get(entry.username);
  const isGone = employee === undefined && !accounts.unclear.has(entry.username);
  if (operation === 'employee.remove' && isGone) return { is: 'personGone', id };
  if (operation === 'employee.disable' && employee?.locked === true)
    return { is: 'disabled', id, at: laterClock(run.clock, run.service) };
  if (operation === 'employee.enable' && employee?.locked === false) return { is: 'enabled', id };
  return { is: 'reopened', id };
}

const COMPARED: ReadonlySet<Operation> = new Set(['employee.import', 'employee.modify']);

/** Looks for all accounts together. An account that was not ours before the call has its id only in the view. */
async function accountsNow(run: Run, open: readonly OpenCall[]): Promise<Employees> {
  const items = open.filter(({ operation }) => !COMPARED.has(operation)).flatMap((call) => call.items);
  const ids = new Set(items.flatMap(({ subject, id }) => (subject === 'person' ? [id] : [])));
  const accounts = [...ids].flatMap((id) => {
    const entry = run.ledger.people.entry(id);
    return entry === null ? [] : [accountOf(run, entry)];
  });
  return findAccounts(run.service, accounts, run.stop);
}

function accountOf(run: Run, { username, employeeId }: PersonEntry): Account {
  const seen = run.ledger.view.employee(username);
  return { username, employeeId: employeeId ?? seen?.id ?? null };
}

import type { PersonChange } from '../../domain/changes.ts';
import type { Settlement } from '../../domain/ports/ledger/journal.ts';
import type { Employee } from '../../domain/ports/service.ts';
import { inParallel } from '../../lib/in-parallel.ts';
import { thenAlways } from '../../lib/then-always.ts';
import { laterClock } from '../state/both-clocks.ts';
import { failureOf, itemOf } from '../state/call-item.ts';
import { inBatches, personChangesOf } from '../calls/steps.ts';
import { findAccounts, type Account } from '../ask/find-accounts.ts';
import { lookAgain, Patience } from '../ask/look-again.ts';
import { type SentCall } from '../state/calls.ts';
import { UNSTOPPABLE, type SendingRun } from '../state/world.ts';
import { takeHeadship } from './take-headship.ts';

/** How many accounts are looked at together, before their calls and after. */
const AT_ONCE = 200;

type LockKind = 'disable' | 'enable';

interface SentLock {
  readonly change: PersonChange;
  readonly account: Account;
  readonly sent: SentCall;
}

/**
 * Disables or enables accounts by their own ids. Each call stays open in the journal until the account is shown as it
 * should be (promise 9): that the service says yes proves nothing.
 */
export async function switchLocks(run: SendingRun, kind: LockKind): Promise<void> {
  for (const batch of inBatches(personChangesOf(run.ledger.plan, kind), () => AT_ONCE)) {
    const { found, unclear } = await findAccounts(run.service, batch, UNSTOPPABLE);
    const locks: SentLock[] = [];
    const sendEach = async (change: PersonChange): Promise<void> => {
      const employee = found.get(change.username);
      const reason = obstacle(change, { employee, unclear: unclear.get(change.username) });
      if (reason !== null || employee === undefined) run.lists.block(change, reason ?? NOT_HERE);
      else locks.push(await send(run, change, employee));
    };
    await thenAlways(
      async () => inParallel(batch, run.limits.concurrency, sendEach),
      async () => settleAll(run, kind, locks),
    );
  }
}

export const NOT_HERE = 'is no employee here any more: looked at again by the next run';

interface Looked {
  readonly employee: Employee | undefined;
  readonly unclear: string | undefined;
}

/** Returns why nothing is sent, or `null`. */
function obstacle(change: PersonChange, { employee, unclear }: Looked): string | null {
  if (unclear !== undefined) return unclear;
  if (employee === undefined) return NOT_HERE;
  return change.kind === 'disable' && employee.locked ? 'was locked by somebody else in the meantime' : null;
}

async function send(run: SendingRun, change: PersonChange, employee: Employee): Promise<SentLock> {
  const { service } = run;
  const { id: employeeId } = employee;
  const locks = change.kind === 'disable';
  const done: Settlement = locks
    ? { is: 'disabled', id: change.id, at: laterClock(run.clock, run.service) }
    : { is: 'enabled', id: change.id };
  const account = { username: change.username, employeeId };
  if (locks) await takeHeadship(run, change, employee);
  // A disable that was never shown: what the service shows does not tell whether the enable was done.
  const isUnshown = change.why.code === 'disableUnshown';
  const sent = await run.calls.open({
    operation: locks ? 'employee.disable' : 'employee.enable',
    items: [itemOf(run.approved, change)],
    send: async () => {
      if (locks) await service.disableEmployee(employeeId, UNSTOPPABLE);
      else if (employee.locked || isUnshown) await service.enableEmployee(employeeId, UNSTOPPABLE);
      return [done];
    },
    splits: false,
    look: async () => (!isUnshown && (await notShown(run, locks, [account])).length === 0 ? [done] : null),
  });
  return { change, account, sent };
}

/** Settles the calls. What is not shown after a few looks counts as failed, with the reason. */
async function settleAll(run: SendingRun, kind: LockKind, locks: readonly SentLock[]): Promise<void> {
  const said = locks.filter(({ sent }) => sent.settlements[0] !== undefined && isDone(sent));
  const accounts = said.map(({ account }) => account);
  const open = new Set(await stillNotShown(run, kind === 'disable', accounts));
  for (const { change, account, sent } of locks) {
    const settlements = open.has(account) ? [unconfirmed(run, change)] : sent.settlements;
    run.calls.settle({ ...sent, settlements });
  }
}

const isDone = ({ settlements }: SentCall): boolean =>
  settlements !== 'split' && settlements.every(({ is }) => is === 'disabled' || is === 'enabled');

async function stillNotShown(
  run: SendingRun,
  locked: boolean,
  accounts: readonly Account[],
): Promise<readonly Account[]> {
  return lookAgain<readonly Account[]>(new Patience(run.clock), {
    look: (before) => notShown(run, locked, before ?? accounts),
    isSettled: ({ length }) => length === 0,
    signal: UNSTOPPABLE,
  });
}

/**
 * Returns the accounts that are not shown as they should be: locked, or unlocked. One that is not shown at all is not
 * among them: it is not active either.
 */
async function notShown(
  run: SendingRun,
  locked: boolean,
  accounts: readonly Account[],
): Promise<readonly Account[]> {
  const { found } = await findAccounts(run.service, accounts, UNSTOPPABLE);
  return accounts.filter(({ username }) => (found.get(username)?.locked ?? locked) !== locked);
}

function unconfirmed(run: SendingRun, change: PersonChange): Settlement {
  const shown = change.kind === 'disable' ? 'active' : 'locked';
  const reason = `the service said that it is done, and still shows the account as ${shown}`;
  return { is: 'unconfirmed', failure: failureOf(change, reason), at: laterClock(run.clock, run.service) };
}

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

/** Disables or enables accounts by their own ids. */
export class LockSwitch {
  readonly #run: SendingRun;

  constructor(run: SendingRun) {
    this.#run = run;
  }

  /**
   * Disables or enables accounts by their own ids. Each call stays open in the journal until the account is shown as it
   * should be (promise 9): that the service says yes proves nothing.
   */
  async switch(kind: LockKind): Promise<void> {
    for (const batch of inBatches(personChangesOf(this.#run.ledger.plan, kind), AT_ONCE)) {
      const { found, unclear } = await findAccounts(this.#run.service, batch, UNSTOPPABLE);
      const locks: SentLock[] = [];
      const sendEach = async (change: PersonChange): Promise<void> => {
        const employee = found.get(change.username);
        const reason = obstacle(change, { employee, unclear: unclear.get(change.username) });
        if (reason !== null || employee === undefined) this.#run.lists.block(change, reason ?? NOT_HERE);
        else locks.push(await this.#send(change, employee));
      };
      await thenAlways(
        async () => inParallel(batch, this.#run.limits.concurrency, sendEach),
        async () => this.#settleAll(kind, locks),
      );
    }
  }

  async #send(change: PersonChange, employee: Employee): Promise<SentLock> {
    const { service } = this.#run;
    const { id: employeeId } = employee;
    const locks = change.kind === 'disable';
    const done: Settlement = locks
      ? { is: 'disabled', id: change.id, at: laterClock(this.#run.clock, this.#run.service) }
      : { is: 'enabled', id: change.id };
    const account = { username: change.username, employeeId };
    if (locks) await takeHeadship(this.#run, change, employee);
    // A disable that was never shown: what the service shows does not tell whether the enable was done.
    const isUnshown = change.why.code === 'disableUnshown';
    const sent = await this.#run.calls.open({
      operation: locks ? 'employee.disable' : 'employee.enable',
      items: [itemOf(this.#run.approved, change)],
      send: async () => {
        if (locks) await service.disableEmployee(employeeId, UNSTOPPABLE);
        else if (employee.locked || isUnshown) await service.enableEmployee(employeeId, UNSTOPPABLE);
        return [done];
      },
      splits: false,
      look: async () => (!isUnshown && (await this.#notShown(locks, [account])).length === 0 ? [done] : null),
    });
    return { change, account, sent };
  }

  /** Settles the calls. What is not shown after a few looks counts as failed, with the reason. */
  async #settleAll(kind: LockKind, locks: readonly SentLock[]): Promise<void> {
    const said = locks.filter(({ sent }) => sent.settlements[0] !== undefined && isDone(sent));
    const accounts = said.map(({ account }) => account);
    const open = new Set(await this.#stillNotShown(kind === 'disable', accounts));
    for (const { change, account, sent } of locks) {
      const settlements = open.has(account) ? [this.#unconfirmed(change)] : sent.settlements;
      this.#run.calls.settle({ ...sent, settlements });
    }
  }

  async #stillNotShown(locked: boolean, accounts: readonly Account[]): Promise<readonly Account[]> {
    return lookAgain<readonly Account[]>(new Patience(this.#run.clock), {
      look: (before) => this.#notShown(locked, before ?? accounts),
      isSettled: ({ length }) => length === 0,
      signal: UNSTOPPABLE,
    });
  }

  /**
   * Returns the accounts that are not shown as they should be: locked, or unlocked. One that is not shown at all is not
   * among them: it is not active either.
   */
  async #notShown(locked: boolean, accounts: readonly Account[]): Promise<readonly Account[]> {
    const { found } = await findAccounts(this.#run.service, accounts, UNSTOPPABLE);
    return accounts.filter(({ username }) => (found.get(username)?.locked ?? locked) !== locked);
  }

  #unconfirmed(change: PersonChange): Settlement {
    const shown = change.kind === 'disable' ? 'active' : 'locked';
    const reason = `the service said that it is done, and still shows the account as ${shown}`;
    return {
      is: 'unconfirmed',
      failure: failureOf(change, reason),
      at: laterClock(this.#run.clock, this.#run.service),
    };
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

const isDone = ({ settlements }: SentCall): boolean =>
  settlements !== 'split' && settlements.every(({ is }) => is === 'disabled' || is === 'enabled');

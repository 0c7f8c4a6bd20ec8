import type { PersonEntry } from '../../domain/ports/ledger/entries.ts';
import type { ReadBackAccount } from '../../domain/ports/ledger/view.ts';
import type { Employee, Employees } from '../../domain/ports/service.ts';
import { shownOf } from '../../domain/ports/shown.ts';
import { LISTED_FIELDS, type Fields } from '../../domain/records/fields.ts';
import { answersAhead } from '../../lib/ahead.ts';
import { inParallel } from '../../lib/in-parallel.ts';
import { sameValue } from '../../plan/values/compare.ts';
import { findAccounts } from '../ask/find-accounts.ts';
import { inQuestions } from '../ask/in-questions.ts';
import { lookAgain, Patience } from '../ask/look-again.ts';
import { failureOf } from '../state/call-item.ts';
import { oldPositions, rewriteOf, stillThere, takeAwayOldPositions } from '../calls/old-positions.ts';
import { shownOtherwise } from '../calls/person-body.ts';
import { importedPeople } from '../calls/steps.ts';
import { checkpoint } from '../state/checkpoint.ts';
import type { SendingRun } from '../state/world.ts';

const PAGES_AHEAD = 2;

const AS_BEFORE = 'was imported, but is shown exactly as before: it is imported once more';
export const STORED_OTHERWISE = 'stored differently from what was sent; accepted';

/** What all looks at people together have shown. */
interface SeenPage {
  readonly entries: readonly PersonEntry[];
  readonly answer: Employees;
  /** People who are not shown as sent. */
  readonly open: readonly PersonEntry[];
}

interface Looked {
  /** What the first look at them has shown. */
  readonly first: Employees;
  readonly patience: Patience;
  /** See `RepeatedLook`. */
  readonly asOf: number;
}

/** Reads back people who were written and not seen since. */
export class PeopleReadBack {
  readonly #run: SendingRun;
  readonly #patience: Patience;
  readonly #patienceAfter: Patience;
  /** People who are blocked or wait: nothing is sent to them, also if an earlier write is not read back. */
  readonly #leftAlone: ReadonlySet<string>;

  constructor(run: SendingRun) {
    this.#run = run;
    this.#patience = new Patience(run.clock);
    this.#patienceAfter = new Patience(run.clock);
    this.#leftAlone = new Set(run.ledger.plan.blockedPeople());
  }

  async verify(): Promise<void> {
    const { progress, tally, ledger, service, stop } = this.#run;
    progress.start('verify', importedPeople(tally));
    const look = async (entries: readonly PersonEntry[]): Promise<Omit<Looked, 'patience'>> => {
      const asOf = this.#patience.waits;
      return { asOf, first: await this.#lookAt(entries) };
    };
    const written = inQuestions(service, {
      page: (query) => ledger.people.unverified(query),
      keyOf: ({ id }) => id,
      usernameOf: ({ username }) => username,
    });
    // The service answers for the next ones while these are compared and put down.
    for await (const { question: entries, answer } of answersAhead(written, look, PAGES_AHEAD)) {
      checkpoint(stop);
      const seen = await this.#untilAsSent(entries, { ...answer, patience: this.#patience });
      this.#accept(await this.#withoutOldPositions(seen));
      progress.advance(entries.length);
    }
  }

  /** Looks again at those who are not shown as they were sent. */
  async #untilAsSent(entries: readonly PersonEntry[], { first, patience, asOf }: Looked): Promise<SeenPage> {
    return lookAgain<SeenPage>(patience, {
      look: async (before) => {
        const asked = before?.open ?? entries;
        const now = before === null ? first : await this.#lookAt(asked);
        const open = asked.filter((entry) => !this.#isAsSent(entry, now.found.get(entry.username)));
        return { entries, answer: before === null ? now : merged(before.answer, now), open };
      },
      isSettled: ({ open }) => open.length === 0,
      signal: this.#run.stop,
      asOf,
    });
  }

  /** Looks at people once. An account's own record is no answer: it shows other fields than the list. */
  async #lookAt(entries: readonly PersonEntry[]): Promise<Employees> {
    const { service, stop } = this.#run;
    const { found, unclear } = await findAccounts(service, entries, stop);
    return { found: new Map([...found].filter(([, { isUnlisted }]) => isUnlisted !== true)), unclear };
  }

  #isAsSent({ sent }: PersonEntry, employee: Employee | undefined): boolean {
    if (employee === undefined || lacksFields(sent.fields, employee.fields)) return false;
    return shownOtherwise(this.#run.nodes, sent, employee).length === 0;
  }

  /**
   * Takes old positions away, once in a run for each person, and looks for these people again. If it failed, that is
   * recorded already, and the person is left out of the result.
   */
  async #withoutOldPositions({ entries, answer, open }: SeenPage): Promise<SeenPage> {
    const { nodes, limits } = this.#run;
    const stale = entries.flatMap((entry) => {
      const employee = answer.found.get(entry.username);
      const isStale = employee?.locked === false && oldPositions(nodes, entry, employee).length > 0;
      return isStale && !this.#leftAlone.has(entry.id) ? [{ entry, employee }] : [];
    });
    if (stale.length === 0) return { entries, answer, open };
    const failed = new Set<PersonEntry>();
    await inParallel(stale, limits.concurrency, async ({ entry, employee }) => {
      if (!(await takeAwayOldPositions(this.#run, entry, employee))) failed.add(entry);
    });
    const sent = stale.map(({ entry }) => entry).filter((entry) => !failed.has(entry));
    const kept = entries.filter((entry) => !failed.has(entry));
    if (sent.length === 0) return { entries: kept, answer, open };
    const patience = this.#patienceAfter;
    const asOf = patience.waits;
    const again = await this.#untilAsSent(sent, { asOf, first: await this.#lookAt(sent), patience });
    const isSent = new Set(sent);
    const others = open.filter((entry) => !isSent.has(entry));
    return { entries: kept, answer: merged(answer, again.answer), open: [...others, ...again.open] };
  }

  #accept({ entries, answer, open }: SeenPage): void {
    const { ledger, lists } = this.#run;
    const isOpen = new Set(open);
    const judged = entries.map((entry) => [entry, this.#judge(entry, answer, isOpen.has(entry))] as const);
    const accounts = judged.flatMap(([, one]) => (typeof one === 'string' ? [] : [one]));
    // These are saved as they are accepted.
    const asSpelled = new Set(accounts.map(({ employee }) => employee.username));
    const found = new Map([...answer.found].filter(([username]) => !asSpelled.has(username)));
    const asked = entries.map(({ username }) => username).filter((username) => !asSpelled.has(username));
    const unseen = entries.filter(({ username }) => !answer.found.has(username));
    ledger.transaction(() => {
      ledger.view.saveEmployees(asked, { ...answer, found });
      ledger.view.accept(accounts);
      ledger.history.unseen(unseen.map(({ id }) => id));
      for (const [entry, trouble] of judged) {
        if (typeof trouble !== 'string' || this.#leftAlone.has(entry.id)) continue;
        const failure = failureOf(rewriteOf(entry, null), trouble);
        ledger.troubles.failed([failure]);
        lists.failed(failure);
      }
    });
  }

  /** Returns the account that can be accepted, or why what is shown cannot be. */
  #judge(entry: PersonEntry, { found, unclear }: Employees, isOpen: boolean): ReadBackAccount | string {
    const { nodes, log } = this.#run;
    const { id, username, sent } = entry;
    const employee = found.get(username);
    if (employee === undefined) {
      const why = unclear.get(username);
      return `was imported, but the employees list does not have it${why === undefined ? '' : `: ${why}`}`;
    }
    const old = oldPositions(nodes, entry, employee);
    if (old.length > 0) return stillThere(old);
    const other = isOpen ? shownOtherwise(nodes, sent, employee).map(({ field }) => field) : [];
    if (other.length === 0) return { id, employee };
    if (this.#isAsBefore(entry, employee, other)) return AS_BEFORE;
    log.note('debug', STORED_OTHERWISE, { subject: 'person', id, username, fields: other });
    return { id, employee };
  }

  /**
   * Returns whether an update has changed nothing of what is shown, although one of the fields that it changes is not
   * shown as sent: it was not done, or shows later. After a second one the service has its own way to keep what was sent.
   */
  #isAsBefore({ id, username }: PersonEntry, employee: Employee, other: readonly string[]): boolean {
    const { view, plan, troubles } = this.#run.ledger;
    const before = view.employee(username);
    if (before?.id !== employee.id || JSON.stringify(before.shown) !== JSON.stringify(shownOf(employee)))
      return false;
    const record = { subject: 'person', id } as const;
    const isChanged = plan.updatedFields(record).some((field) => other.includes(field));
    return isChanged && troubles.failures(record)[0]?.reason !== AS_BEFORE;
  }
}

function merged(before: Employees, now: Employees): Employees {
  return {
    found: new Map([...before.found, ...now.found]),
    unclear: new Map([...before.unclear, ...now.unclear]),
  };
}

/**
 * Returns whether the answer lacks a field that was sent. The service may leave out a field that is empty, so what was
 * sent may only not be visible yet.
 */
function lacksFields(sent: Fields, shown: Fields): boolean {
  return LISTED_FIELDS.some(
    (name) => !sameValue(sent[name], null) && sent[name] !== false && !(name in shown),
  );
}

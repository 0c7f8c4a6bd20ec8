import type { PersonEntry } from '../../domain/ports/ledger/entries.ts';
import type { Employee, Employees } from '../../domain/ports/service.ts';
import { LISTED_FIELDS, type Fields } from '../../domain/records/fields.ts';
import { sameValue } from '../../plan/values/compare.ts';
import { findAccounts } from '../ask/find-accounts.ts';
import { inQuestions } from '../ask/in-questions.ts';
import { lookAgain, type Patience } from '../ask/look-again.ts';
import { shownOtherwise } from '../calls/person-body.ts';
import type { SendingRun } from '../state/world.ts';

/** Yields people who were written and not seen since. */
export const writtenPeople = (run: SendingRun): Iterator<readonly PersonEntry[]> =>
  inQuestions(run, {
    page: (query) => run.ledger.people.unverified(query),
    keyOf: ({ id }) => id,
    usernameOf: ({ username }) => username,
  });

/** What all looks together have shown. */
export interface SeenPage {
  readonly answer: Employees;
  /** People who are not shown as sent. */
  readonly open: readonly PersonEntry[];
}

interface Looked {
  readonly entries: readonly PersonEntry[];
  /** What the first look at them has shown. */
  readonly first: Employees;
  readonly patience: Patience;
  /** See `RepeatedLook`. */
  readonly asOf: number;
}

/** Looks again at those who are not shown as they were sent. */
export async function readPeopleBack(
  run: SendingRun,
  { entries, first, patience, asOf }: Looked,
): Promise<SeenPage> {
  return lookAgain<SeenPage>(run, patience, {
    look: async (before) => {
      const asked = before?.open ?? entries;
      const now = before === null ? first : await lookAt(run, asked);
      const open = asked.filter((entry) => !isAsSent(run, entry, now.found.get(entry.username)));
      return { answer: before === null ? now : merged(before.answer, now), open };
    },
    isSettled: ({ open }) => open.length === 0,
    signal: run.stop,
    asOf,
  });
}

/** Looks at people once. An account's own record is no answer: it shows other fields than the list. */
export async function lookAt(run: SendingRun, entries: readonly PersonEntry[]): Promise<Employees> {
  const { found, unclear } = await findAccounts(run, entries, run.stop);
  return { found: new Map([...found].filter(([, { isUnlisted }]) => isUnlisted !== true)), unclear };
}

export function merged(before: Employees, now: Employees): Employees {
  return {
    found: new Map([...before.found, ...now.found]),
    unclear: new Map([...before.unclear, ...now.unclear]),
  };
}

function isAsSent(run: SendingRun, { sent }: PersonEntry, employee: Employee | undefined): boolean {
  if (employee === undefined || lacksFields(sent.fields, employee.fields)) return false;
  return shownOtherwise(run, sent, employee).length === 0;
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

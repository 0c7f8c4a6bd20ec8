import type { Ledger } from '../../domain/ports/ledger/ledger.ts';
import type { ServiceEvidence } from '../../domain/changes.ts';
import type { Asking } from '../../domain/ports/ledger/view.ts';
import type { Employees, Service } from '../../domain/ports/service.ts';
import { answersAhead } from '../../lib/ahead.ts';
import { inSteps, othersGo } from '../../lib/in-steps.ts';
import { inQuestions } from '../ask/in-questions.ts';
import { checkpoint } from '../state/checkpoint.ts';
import type { Run } from '../state/world.ts';

const PAGES_AHEAD = 2;
/** How many likely employees are named to the service client; at least one of them should exist. */
const WITNESSES = 3;

export type Asked = ServiceEvidence['employees'];

/**
 * Asks the employees list for people, and saves what it says of them in the view. If a question turns out to be too
 * long, people who were asked for before may have been missed, so all are asked for again. This ends, since the length
 * falls each time.
 */
export async function askEmployees(run: Run, whom: Asking): Promise<Asked> {
  const { view } = run.ledger;
  let total = await inSteps(view.prepareToAsk(whom));
  await othersGo();
  run.service.suppose(view.likelyEmployees(WITNESSES));
  for (;;) {
    run.progress.start('refresh', total);
    const answered = await askOnce(run);
    if (answered !== 'again') return answered;
    if (typeof whom !== 'string') total = await inSteps(view.prepareToAsk({ ...whom, anew: true }));
  }
}

const itself = (username: string): string => username;

async function askOnce(run: Run): Promise<Asked | 'again'> {
  const { view } = run.ledger;
  let asked = 0;
  let found = 0;
  const list = async (usernames: readonly string[]): Promise<Listed> => {
    const most = namesPerQuery(run);
    return { most, employees: await whoIsThere(run.ledger, run.service, run.stop, usernames) };
  };
  const toAsk = inQuestions(run.service, {
    page: (query) => view.usernamesToAsk(query),
    keyOf: itself,
    usernameOf: itself,
  });
  for await (const { question: usernames, answer: listed } of answersAhead(toAsk, list, PAGES_AHEAD)) {
    checkpoint(run.stop);
    if (asked > 0 && namesPerQuery(run) < listed.most) return 'again';
    view.saveEmployees(usernames, listed.employees);
    found += listed.employees.found.size;
    asked += usernames.length;
    run.progress.advance(usernames.length);
  }
  return { asked, found };
}

/**
 * Asks for known accounts by their own ids, and for the usernames that none of them has: those of others, and of
 * accounts that are gone or go under another username now.
 */
async function whoIsThere(
  ledger: Ledger,
  service: Service,
  stop: AbortSignal,
  usernames: readonly string[],
): Promise<Employees> {
  const known = ledger.people.accounts(usernames);
  const own = await service.accountsById(known, stop);
  const employees = [...own.found.values()];
  const shown = new Set(employees.map(({ username }) => username));
  const reasons = known.flatMap(({ id, username }) => {
    const reason = own.unclear.get(id);
    return reason === undefined ? [] : [[username, `${NOT_ASKED}: ${reason}`] as const];
  });
  const unclear = new Map(reasons);
  const others = usernames.filter((username) => !shown.has(username) && !unclear.has(username));
  const named = await service.employees(others, stop);
  const all = [...named.found.values(), ...employees];
  return {
    found: new Map(all.map((employee) => [employee.username, employee])),
    unclear: new Map([...named.unclear, ...unclear]),
  };
}

/** Said of an account that is neither gone nor there: nothing is decided about it in this run. */
const NOT_ASKED = 'not in the list of employees, and could not be asked for by its id';

interface Listed {
  /** How many names a question might have when these people were asked for. */
  readonly most: number;
  readonly employees: Employees;
}

function namesPerQuery({ service }: Run): number {
  return service.listLimits().namesPerQuery ?? Infinity;
}

import type { PageQuery } from '../../domain/ports/ledger/view.ts';
import type { Service } from '../../domain/ports/service.ts';

/** How many people are read from the ledger together: a few questions. */
const PEOPLE_AT_ONCE = 500;

/** People in the order of a key. */
interface Pages<T> {
  readonly page: (query: PageQuery) => readonly T[];
  readonly keyOf: (one: T) => string;
  readonly usernameOf: (one: T) => string;
}

/**
 * Yields all people in parts that end where a question for employees ends, so that no short one is asked for the last
 * few of each page.
 */
export function* inQuestions<T>(
  service: Service,
  { page, keyOf, usernameOf }: Pages<T>,
): Generator<readonly T[]> {
  let left: readonly T[] = [];
  for (let after = ''; ;) {
    const next = page({ after, limit: PEOPLE_AT_ONCE });
    const last = next.at(-1);
    if (last === undefined) break;
    after = keyOf(last);
    const people = [...left, ...next];
    const whole = service.wholeQuestions(people.map(usernameOf));
    yield people.slice(0, whole);
    left = people.slice(whole);
  }
  if (left.length > 0) yield left;
}

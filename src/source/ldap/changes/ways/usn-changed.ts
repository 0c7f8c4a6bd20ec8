import { AndFilter, EqualityFilter, GreaterThanEqualsFilter, NotFilter, type Filter } from 'ldapts';

import type { FullReadNeeded } from '../../../../domain/reading/increment.ts';
import { lookAt, type Looking } from '../../read/look-at.ts';
import type { ChangesCourse, PeopleSearch } from '../people-search.ts';
import type { Told, Touched, Way } from '../way.ts';

/** Up to where a domain controller was seen: numbers of one are not those of another, nor of a restored one. */
export interface UsnPosition {
  readonly invocation: string;
  readonly usn: string;
}

const CHANGED = 'uSNChanged';

/** Numbers that a domain controller gives its changes ([MS-ADTS], 3.1.1.1.9), and a list of all ids for who left. */
export class UsnChanged implements Way<UsnPosition> {
  readonly how = 'usnChanged';
  readonly madeAttribute = 'uSNCreated';
  readonly parents = null;
  readonly #people: PeopleSearch;
  readonly #course: ChangesCourse;

  constructor(people: PeopleSearch, course: ChangesCourse) {
    this.#people = people;
    this.#course = course;
  }

  begin(): Promise<UsnPosition | FullReadNeeded> {
    return usnPosition(this.#course);
  }

  check(since: UsnPosition, now: UsnPosition): Promise<FullReadNeeded | null> {
    return Promise.resolve(whyNotSince(since, now));
  }

  isOld(made: string | null, since: UsnPosition): boolean {
    return wasMadeBefore(made, since);
  }

  touched({ usn }: UsnPosition): readonly Touched[] {
    return [{ filter: new AndFilter({ filters: [changedAfter(usn), ...NO_LEAVES] }) }];
  }

  since({ usn }: UsnPosition): Promise<Told> {
    return Promise.resolve({
      changed: () => this.#people.narrowed(changedAfter(usn)),
      present: () => this.#people.allKeys(),
      listsBases: true,
      gone: () => [],
    });
  }
}

/** Holds for what may have others below it: accounts, contacts and groups may not, by the schema of Active Directory. */
export const NO_LEAVES: readonly Filter[] = ['person', 'group'].map(
  (value) => new NotFilter({ filter: new EqualityFilter({ attribute: 'objectClass', value }) }),
);

export const wasMadeBefore = (made: string | null, { usn }: UsnPosition): boolean =>
  made === null || BigInt(made) <= BigInt(usn);

const changedAfter = (usn: string): Filter =>
  new GreaterThanEqualsFilter({ attribute: CHANGED, value: String(BigInt(usn) + 1n) });

export async function usnPosition(course: Looking): Promise<UsnPosition | FullReadNeeded> {
  const attributes = ['highestCommittedUSN', 'dsServiceName'];
  const [root] = await lookAt(course, { base: '', scope: 'base', attributes });
  const [[usn = ''], [service]] = [root?.('highestCommittedUSN') ?? [], root?.('dsServiceName') ?? []];
  if (!/^\d+$/u.test(usn) || service === undefined)
    return { why: 'the domain controller does not tell its highestCommittedUSN' };
  const [settings] = await lookAt(course, { base: service, scope: 'base', attributes: ['invocationId'] });
  const [invocation] = settings?.('invocationId') ?? [];
  if (invocation === undefined) return { why: `invocationId of ${service} is not to be seen` };
  return { invocation, usn };
}

export function whyNotSince(since: UsnPosition, now: UsnPosition): FullReadNeeded | null {
  if (since.invocation !== now.invocation)
    return { why: 'another domain controller answers, or it was restored (invocationId)' };
  if (BigInt(now.usn) < BigInt(since.usn))
    return { why: 'the domain controller went back behind what was read (highestCommittedUSN)' };
  return null;
}

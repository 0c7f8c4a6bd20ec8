/** People of a plan who are worth a look before the first run: of each kind one, and accounts that may be no people. */
import type { PersonChange } from '../../domain/changes.ts';
import type { SequencedChange } from '../../domain/ports/ledger/plan-book.ts';
import { isEmpty } from '../../domain/records/fields.ts';
import { personOf } from '../../domain/records/named-person.ts';

/** A person who would be created, and why this one is shown. */
export interface Example {
  /** End of `for example`; empty for the first person. */
  readonly kind: string;
  readonly change: PersonChange;
}

/** What the new people of a plan show. */
export interface Shown {
  /** At most four different people, the first of the plan first. */
  readonly examples: readonly Example[];
  /** People who look like services: how many, and the first of them. */
  readonly services: { readonly count: number; readonly first: readonly PersonChange[] };
}

/** How many accounts that look like services are named. */
const MOST_SERVICES = 10;

/** Characters of ordinary names and logins: those of ASCII, and Chinese ones. */
const UNUSUAL = /[^\p{Script=Han}\w .,'@()-]/u;

const SERVICE =
  /(?<!\p{L})(?:svc|service|admin|administrator|backup|test|printer|scan|scanner|robot|noreply)(?!\p{L})/iu;

const isElsewhere = ({ payload }: PersonChange, first: PersonChange): boolean =>
  payload.positions.some(({ unit }) => first.payload.positions.every((position) => position.unit !== unit));

const ELSEWHERE = 'of another unit';
const KINDS: readonly (readonly [kind: string, fits: typeof isElsewhere])[] = [
  ['with several positions', ({ payload }) => payload.positions.length > 1],
  // A mail address that no rule reads says nothing about a person.
  ['without mail', ({ payload: { fields } }) => 'email' in fields && isEmpty(fields['email'])],
  ['with unusual characters', (change) => namesOf(change).some((name) => UNUSUAL.test(name))],
  [ELSEWHERE, isElsewhere],
];

const namesOf = (change: PersonChange): readonly string[] => [change.username, personOf(change).name ?? ''];

/** Goes once through the changes, and keeps one person of each kind. */
export function shownIn(changes: Iterable<Pick<SequencedChange, 'change'>>): Shown {
  const found = new Map<string, PersonChange>();
  const services: PersonChange[] = [];
  let first: PersonChange | null = null;
  let count = 0;
  for (const { change } of changes) {
    if (change.subject !== 'person' || change.kind !== 'create') continue;
    if (looksLikeService(change) && (count += 1) <= MOST_SERVICES) services.push(change);
    if (first === null) first = change;
    else takeIfNew(found, change, first);
  }
  return { examples: first === null ? [] : chosen(first, found), services: { count, first: services } };
}

/** Takes a person for the first kind that fits and has nobody yet. */
function takeIfNew(found: Map<string, PersonChange>, change: PersonChange, first: PersonChange): void {
  const [kind] = KINDS.find(([each, fits]) => !found.has(each) && fits(change, first)) ?? [];
  if (kind !== undefined) found.set(kind, change);
}

/** Returns the first person and the others; who is nothing but in another unit is needed only if no other one is. */
function chosen(first: PersonChange, found: ReadonlyMap<string, PersonChange>): readonly Example[] {
  const all = KINDS.flatMap(([kind]) => {
    const change = found.get(kind);
    return change === undefined ? [] : [{ kind, change }];
  });
  const others = all.filter(({ kind }) => kind !== ELSEWHERE);
  const isSpread = others.some(({ change }) => isElsewhere(change, first));
  return [{ kind: '', change: first }, ...(isSpread ? others : all)];
}

/** Returns whether a person has neither mail nor title, and a name as services have it: a hint, not a proof. */
function looksLikeService(change: PersonChange): boolean {
  const { fields, positions } = change.payload;
  return (
    isEmpty(fields['email']) &&
    positions.every((position) => isEmpty(position.fields['job_title'])) &&
    namesOf(change).some((name) => SERVICE.test(name))
  );
}

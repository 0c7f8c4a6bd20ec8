/** People of a plan who are worth a look before the first run: of each kind one, and accounts that may be no people. */
import type { PersonChange } from '../../domain/changes.ts';
import type { SequencedChange } from '../../domain/ports/ledger/plan-book.ts';
import { isEmpty } from '../../domain/records/fields.ts';
import { personOf } from '../../domain/records/named-person.ts';

/** What the new people of a plan show. */
export interface Shown {
  /** At most four different people, each by the kind that stands for them; the first of the plan by an empty text. */
  readonly examples: ReadonlyMap<string, PersonChange>;
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
  const examples = new Map<string, PersonChange>();
  const services = { count: 0, first: [] as PersonChange[] };
  for (const { change } of changes) {
    if (change.subject !== 'person' || change.kind !== 'create') continue;
    if (looksLikeService(change) && (services.count += 1) <= MOST_SERVICES) services.first.push(change);
    const kind = openKind(examples, change);
    if (kind !== undefined) examples.set(kind, change);
  }
  const [first, ...others] = examples.values();
  // Who is nothing but in another unit is needed only if none of the others is.
  const isSpread = others.some(
    (other) => other !== examples.get(ELSEWHERE) && first !== undefined && isElsewhere(other, first),
  );
  if (isSpread) examples.delete(ELSEWHERE);
  return { examples, services };
}

/** Returns the first kind that fits a person and has nobody yet. */
function openKind(found: ReadonlyMap<string, PersonChange>, change: PersonChange): string | undefined {
  const first = found.get('');
  if (first === undefined) return '';
  return KINDS.find(([kind, fits]) => !found.has(kind) && fits(change, first))?.[0];
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

import { listSome, printable } from '../text/printable.ts';
import type { SourcePart, UnknownAttribute } from './source-part.ts';

/**
 * How many records had an attribute or column that decides who is active, in scope or protected, or whose partner
 * somebody is.
 */
export interface Deciding {
  readonly part: SourcePart['part'];
  /** Name of the source, where there are several. */
  readonly from?: string;
  readonly name: string;
  /** Places of the name in the configuration: `source.people.fields.active`. */
  readonly places: readonly string[];
  /** Records that had a value, of those decoded. */
  readonly had: number;
  readonly decoded: number;
  /** Records that were recognized as they came: nobody looked for a value in them. */
  readonly recognized: number;
  /** The same of those decoded who are in scope and have not left; absent: partners have none. */
  readonly scope?: Scoped;
}

/** How many people there are, and how many of them had a value. */
interface Scoped {
  readonly had: number;
  readonly of: number;
}

/** The same as the last complete read found it. */
export type DecidedBefore = Pick<Deciding, 'part' | 'from' | 'name' | 'had'> & {
  /** Number of all records of the part. */
  readonly of: number;
  /** As above; absent: an older rollcall did not keep them. */
  readonly places?: readonly string[];
  readonly scope?: Scoped;
};

/** Names with their counts, of one source: another one has its own. */
export interface DecidedFact {
  readonly identity: string;
  readonly names: readonly DecidedBefore[];
  /** Names that few had and nobody has now: while changes wait for that reason, their counts stay. */
  readonly doubted: readonly string[];
}

/** Names that had values in the last complete read and have none at all now. */
export interface Vanished {
  /** Most had them: they are hidden from the reading account, and unknown. */
  readonly hidden: readonly Deciding[];
  /** Few had them, who may all have left the source: what would change for that reason is held where it is several. */
  readonly doubted: readonly Deciding[];
  /** Nobody had them of those who were decoded: before anything can be said, all have to be. */
  readonly open: readonly Deciding[];
}

/** What one person alone had may go with this person. */
const SEVERAL = 2;

/** Returns whether it is the same name of the same part of one source. */
export const isSameName = (one: Pick<Deciding, 'part' | 'from' | 'name'>, other: typeof one): boolean =>
  one.part === other.part && one.from === other.from && one.name === other.name;

export const decidedBefore = (fact: DecidedFact | null, identity: string): readonly DecidedBefore[] =>
  fact?.identity === identity ? fact.names : [];

/** Adds up what several lists of one source tell of the same name. */
export function addedUp(all: readonly Deciding[]): readonly Deciding[] {
  return all.reduce<readonly Deciding[]>((sums, one) => {
    const same = sums.find((each) => isSameName(each, one));
    if (same === undefined) return [...sums, one];
    const sum = {
      ...same,
      had: same.had + one.had,
      decoded: same.decoded + one.decoded,
      recognized: same.recognized + one.recognized,
      ...(same.scope !== undefined &&
        one.scope !== undefined && {
          scope: { had: same.scope.had + one.scope.had, of: same.scope.of + one.scope.of },
        }),
    };
    return sums.map((each) => (each === same ? sum : each));
  }, []);
}

const MEMBERS_OF = 'members of ';

/** Returns what the members of a group are called among names that decide, where rules read who is in which group. */
export const membersOf = (dn: string): string => `${MEMBERS_OF}${dn}`;

/** Returns whether the name stands for the members of a group. */
export const isMembersOf = (name: string): boolean => name.startsWith(MEMBERS_OF);

/**
 * Returns the names with the groups that had members in the last complete read and are not there at all: whoever was in
 * one may be in it still, where it is hidden or has another name.
 */
export function withLostGroups(
  before: readonly DecidedBefore[],
  now: readonly Deciding[],
): readonly Deciding[] {
  const lost = before.filter(
    (one) => isMembersOf(one.name) && one.had > 0 && !now.some((each) => isSameName(each, one)),
  );
  return [
    ...now,
    ...lost.map(({ part, from, name, of, places = [] }) => {
      const counts = { had: 0, decoded: of, recognized: 0 };
      return { part, ...(from !== undefined && { from }), name, places, ...counts };
    }),
  ];
}

/**
 * Returns the names that have vanished.
 *
 * @param turned number of people whom this read would enable, create or disable, though it did not before
 */
export function vanishedIn(
  before: readonly DecidedBefore[],
  now: readonly Deciding[],
  turned: number,
): Vanished {
  const lost = now.flatMap((one) => {
    const known = before.find((each) => isSameName(each, one));
    return known !== undefined && known.had > 0 && one.had === 0 && isRead(one) ? [{ one, known }] : [];
  });
  // Groups of one person each say as much as one group of them all.
  const inGroups = lost.reduce((sum, { known: { name, had } }) => (isMembersOf(name) ? sum + had : sum), 0);
  const gone = lost.flatMap(({ one, known }) => {
    if ((isMembersOf(one.name) ? inGroups : known.had) < SEVERAL) return [];
    const isUsual = known.had * 2 >= known.of;
    // The number may be of several reads, and too high: where somebody turns, who was recognized is looked at once more.
    return mayAll(known, one) || turned >= (isUsual ? 1 : SEVERAL) ? [{ one, isUsual }] : [];
  });
  const open = gone.filter(({ one, isUsual }) => one.recognized > 0 && (isUsual || turned >= SEVERAL));
  const whole = gone.filter(({ one }) => one.recognized === 0);
  return {
    hidden: whole.filter(({ isUsual }) => isUsual).map(({ one }) => one),
    doubted: whole.filter(({ isUsual }) => !isUsual).map(({ one }) => one),
    open: open.map(({ one }) => one),
  };
}

const isRead = ({ decoded, recognized }: Deciding): boolean => decoded + recognized > 0;

/** Returns whether all who had a value can have lost it: who was recognized has what they had. */
const mayAll = (known: DecidedBefore, { recognized }: Deciding): boolean =>
  known.of - recognized >= known.had;

/** Returns what the ledger keeps of this read. What has vanished, or was looked for in some records alone, stays as it was. */
export function decidedNow(
  before: readonly DecidedBefore[],
  now: readonly Deciding[],
  vanished: readonly Deciding[],
): readonly DecidedBefore[] {
  return now.flatMap((one): readonly DecidedBefore[] => {
    const known = before.find((each) => isSameName(each, one));
    if (known !== undefined && (!isRead(one) || vanished.includes(one))) return [known];
    const { part, from, name, recognized, decoded, places } = one;
    const had = recognized === 0 ? one.had : Math.max(known?.had ?? 0, one.had);
    return [
      {
        part,
        ...(from !== undefined && { from }),
        name,
        had,
        of: decoded + recognized,
        places,
        ...scopeOf(one, known),
      },
    ];
  });
}

/** Returns the counts of those in scope. Who was recognized is one of those who had a value before. */
function scopeOf(
  { scope, recognized }: Deciding,
  known: DecidedBefore | undefined,
): Pick<DecidedBefore, 'scope'> {
  const before = known?.scope;
  if (scope === undefined || recognized === 0 || before === undefined)
    return scope === undefined ? {} : { scope };
  return { scope: { had: Math.max(before.had, scope.had), of: Math.max(before.of, scope.of) } };
}

/** Returns the names that decide who is protected, as readings call them in `has`. */
export const protectingNames = (names: readonly DecidedBefore[]): readonly string[] =>
  names.filter(({ places = [] }) => places.includes('sync.protect.where')).map((one) => absentName(one));

const nameOf = ({ from, name }: Pick<Deciding, 'from' | 'name'>): string =>
  printable(from === undefined ? name : `${from}.${name}`);

/** Returns what readings call it in `has`: people name their own values alone, and those of partners with their source. */
export const absentName = ({ part, from, name }: Pick<Deciding, 'part' | 'from' | 'name'>): string =>
  part === 'partners' && from !== undefined ? `${from}.${name}` : name;

/** Returns how the ledger calls it among those that are doubted. */
export const decidingName = nameOf;

const WHAT_TO_DO =
  'have it filled in again, or, where it is hidden from the reading account, give it the right; where it is gone for good, ' +
  'take it out of the rule';

/** Returns a sentence about a name that most had and nobody has: `employeeType (source.people.fields.active): …`. */
export function describeHidden({
  part,
  from,
  name,
  places,
}: UnknownAttribute & { readonly from?: string }): string {
  const who = part === 'people' ? 'people' : 'partners';
  const at = listSome(places.map((place) => printable(place)));
  return `${nameOf({ name, ...(from !== undefined && { from }) })} (${at}): most ${who} had it in the last complete read, and nobody has it now; ${WHAT_TO_DO}`;
}

/** Returns a sentence about a name that few had. */
export function describeDoubted(one: Deciding): string {
  const at = listSome(one.places.map((place) => printable(place)));
  const lost = isMembersOf(one.name)
    ? 'somebody was in the last complete read, and it is empty, renamed or not there now'
    : 'several had it in the last complete read, and nobody has it now';
  return (
    `${nameOf(one)} (${at}): ${lost}. Where more than one person would be enabled, created or disabled, that is held: ` +
    'look whether the reading account may still read it'
  );
}

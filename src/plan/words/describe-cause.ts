import { timeText } from '../../domain/text/time-text.ts';
import { emptiedIn } from '../../domain/buckets.ts';
import type { AskedPart } from '../../domain/ports/ledger/ledger-facts.ts';
import type { Guard } from '../../domain/settings.ts';
import { listSome, printable } from '../../domain/text/printable.ts';
import type { Cause } from '../causes/find-causes.ts';
import type { KindOfTrait } from '../causes/trait.ts';
import type { UnitStanding } from '../causes/unit-standing.ts';

/** What the words of a cause are made with. */
export interface CauseWords {
  readonly bucket: string;
  readonly labelOf: (unit: string) => string;
  readonly standingOf: (unit: string) => UnitStanding;
  readonly hasUnitsBelow: (unit: string) => boolean;
  /** Returns the units that a moved unit leaves and comes into; `null` in it is the top. */
  readonly moveOf: (unit: string) => Move | null;
}

export interface Move {
  readonly from: string | null;
  readonly to: string | null;
}

/** A verb and the rest: `be` in Sales, `have` the tag Staff, or what the records do. */
interface Saying {
  readonly verb: 'be' | 'have' | 'do';
  /** What is said of several records. */
  readonly rest: string;
  /** What is said of a unit after that. */
  readonly more?: string;
}

const STANDING: Readonly<Record<UnitStanding, string>> = {
  gone: ', which is gone as well',
  again: ', which is gone as well, while another unit has its name',
  moved: ', which moves in this plan',
  renamed: ', which gets another name in this plan',
  blocked: ', which is left as it is, since its record cannot be used',
  there: ', which is still there',
};

const NAMES: Readonly<Record<string, string>> = {
  tags: 'tag',
  employee_rank_name: 'rank',
  job_title: 'job title',
  source_type: 'source type',
};

/** Returns a field's name for a person. */
const nameOf = (field: string): string => printable(NAMES[field] ?? field);

type Say = (cause: Cause, words: CauseWords) => Saying;

const isOfUnits = ({ bucket }: CauseWords): boolean => bucket.split(' ')[1] === 'unit';

function placed({ value }: Cause, words: CauseWords): Saying {
  const below = words.hasUnitsBelow(value);
  const where = isOfUnits(words) || below ? 'in or below' : 'in';
  const standing = words.standingOf(value);
  const more = standing === 'there' && !isOfThoseGone(words) ? '' : STANDING[standing];
  return { verb: 'be', rest: `${where} ${words.labelOf(value)}`, more };
}

function valued({ field, value }: Cause): Saying {
  if (value === '') return { verb: 'have', rest: `no ${nameOf(field)}` };
  return { verb: 'have', rest: `the ${nameOf(field)} ${JSON.stringify(printable(value))}` };
}

const placeOf = (unit: string | null, labelOf: CauseWords['labelOf']): string =>
  unit === null ? 'the top' : labelOf(unit);

const SAYINGS: Readonly<Record<KindOfTrait, Say>> = {
  follows: ({ value }, { labelOf, moveOf }) => {
    const move = moveOf(value);
    const where = move === null ? '' : ` from ${placeOf(move.from, labelOf)} to ${placeOf(move.to, labelOf)}`;
    return { verb: 'do', rest: `follow the move of ${labelOf(value)}${where}` };
  },
  into: ({ value }, { labelOf }) => ({ verb: 'do', rest: `move into ${labelOf(value)}` }),
  change: ({ field, value }) => ({ verb: 'do', rest: `change ${nameOf(field)} ${printable(value)}` }),
  field: ({ field }) => ({ verb: 'do', rest: `change ${nameOf(field)}` }),
  unit: placed,
  base: ({ value }) => ({ verb: 'be', rest: `below ${printable(value)}` }),
  value: valued,
  domain: ({ field, value }) => ({ verb: 'have', rest: `an ${field} at ${printable(value)}` }),
  prefix: ({ field, value }) => ({
    verb: 'have',
    rest: `${field === 'id' ? 'an id' : 'a username'} that begins with ${JSON.stringify(printable(value))}`,
  }),
  made: ({ value }) => ({ verb: 'have', rest: `an account that was made on ${value}` }),
};

/** What is held may be gone: then it is told as it was. */
const GONE: ReadonlySet<string> = new Set(['leavers', 'gone', 'unitsRemoved']);

const isOfThoseGone = ({ bucket }: CauseWords): boolean => GONE.has(bucket.split(' ')[0] ?? '');

const VERBS = {
  be: { past: ['was', 'were'], present: ['is', 'are'] },
  have: { past: ['had', 'had'], present: ['has', 'have'] },
  /** Stands for `have` where it is said again. */
  do: { past: ['did', 'did'], present: ['does', 'do'] },
} as const;

/** Returns the sentences for what was found, or `null` for nothing. */
export function describeCauses(causes: readonly Cause[], words: CauseWords): string | null {
  const told = causes.filter((cause) => !isTheBucket(cause, words));
  return told.length === 0 ? null : told.map((cause) => sentenceOf(cause, words)).join('. ');
}

/** Returns whether the cause only repeats what the guard counts. */
function isTheBucket({ what, field }: Cause, { bucket }: CauseWords): boolean {
  const emptied = emptiedIn(bucket);
  if (emptied === null || (what !== 'field' && what !== 'change')) return false;
  return emptied === field || emptied.startsWith(`${field}.`) || emptied === `positions.${field}`;
}

function sentenceOf(cause: Cause, words: CauseWords): string {
  const { verb, rest, more = '' } = SAYINGS[cause.what](cause, words);
  const subject = subjectOf(cause);
  if (verb === 'do') return `${subject} ${rest}`;
  const tense = isOfThoseGone(words) ? 'past' : 'present';
  const others = cause.others === 0 ? 'none' : cause.others.toLocaleString('en');
  const again = VERBS[verb === 'have' ? 'do' : verb][tense][cause.others <= 1 ? 0 : 1];
  const beside = `${others} of the ${cause.ofOthers.toLocaleString('en')} others ${again}`;
  return `${subject} ${VERBS[verb][tense][1]} ${rest}${more}; ${beside}`;
}

function subjectOf({ held, of, isSecond }: Cause): string {
  const [some, all] = [held.toLocaleString('en'), of.toLocaleString('en')];
  if (isSecond) return held === of ? `The other ${all}` : `${some} of the other ${all}`;
  return held === of ? `All ${all}` : `${some} of the ${all}`;
}

/** Guards whose counts follow from what the source is asked. */
const OF_THE_SOURCE: ReadonlySet<string> = new Set<Guard>([
  'leavers',
  'joiners',
  'updates',
  'emptied',
  'unitsRemoved',
  'unitsMoved',
  'adopted',
  'usernameReuse',
]);

/** Says that the source has lately been asked something else, where that may be why; `null`: it has not. */
export function describeAsked(asked: readonly AskedPart[], bucket: string): string | null {
  const [guard = '', subject] = bucket.split(' ');
  if (!OF_THE_SOURCE.has(guard)) return null;
  const meant = asked.filter(({ part }) => (part === 'units') === (subject === 'unit'));
  const latest = Math.max(...meant.map(({ changedAt }) => changedAt ?? 0));
  if (meant.length === 0) return null;
  return `The query, filter or mapping of ${meant.map(({ part }) => part).join(' and ')} is another one since ${timeText(latest)}`;
}

const LOOK = 'look whether the reading account may still read it';

/** What leavers lack: of how many records it is known, and how many have no value of it. */
interface Lacked {
  readonly name: string;
  readonly of: number;
  readonly lack: number;
}

/** Returns what leavers lack that most people had in the last complete read. */
export const describeLacked = (lacked: readonly Lacked[]): string =>
  'What decides about people is absent now, and most of those in scope had it in the last complete read: ' +
  `${listSome(lacked.map(({ name, of, lack }) => `${name} (in ${lack} of the ${of} records)`))}; ${LOOK}`;

/** Returns what several had in the last complete read, and nobody has now. */
export const describeDoubtedNames = (names: readonly string[]): string =>
  'Somebody had this in the last complete read, and nobody has it now: ' +
  `${listSome(names.map((name) => printable(name)))}; ${LOOK}`;

/** Returns what is absent in so many of the records, and was there while they said otherwise. */
export const describeAbsent = (names: readonly string[], people: number): string =>
  `absent now for ${people} of them, and there before: ` +
  `${listSome(names.map((name) => printable(name)))}; ${LOOK}`;

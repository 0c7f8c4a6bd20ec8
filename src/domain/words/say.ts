import type { Reason, ReasonCode } from '../reasons/reason.ts';
import { printable, printableText } from '../text/printable.ts';
import { REASONS } from '../reasons/reasons.ts';

/** Names of units by source id, as `unitLabels` gives them. */
export type Labels = ReadonlyMap<string, string>;

const NO_LABELS: Labels = new Map();
const HOLE = /\{(?<name>\w+)(?::(?<one>[^|}]*)\|(?<many>[^}]*))?\}/gu;
/** Stands for what is not said: it differs between the records of a list, or was erased. */
export const OMITTED = '…';

/** Returns a reason in words, safe in a line; without labels units are named by their ids. */
export function say(reason: Reason, labels: Labels = NO_LABELS): string {
  const { refs = [], values = {} } = reason;
  const units = refs.flatMap(({ subject, id }) =>
    subject === 'unit' ? [labels.get(id) ?? printable(id)] : [],
  );
  const fill = (_: string, name: string, one?: string, many?: string): string => {
    if (name === 'unit') return units[0] ?? OMITTED;
    if (name === 'units') return units.join(' > ');
    const value = String(values[name] ?? OMITTED);
    if (name === 'because' || name === 'how') return say({ ...reason, code: value as ReasonCode }, labels);
    if (one !== undefined) return `${value} ${value === '1' ? one : many}`;
    return name === 'words' ? printableText(value) : printable(value);
  };
  const words = REASONS[reason.code].replaceAll(HOLE, fill);
  return values['theirs'] === undefined ? words : `${words}; ${theirs(String(values['theirs']))}`;
}

/** Says of an account that others made whose name it has. */
const theirs = (name: string): string =>
  `the account was made by others and ${name === '' ? 'shows no name' : `has the name ${printable(name)}`}`;

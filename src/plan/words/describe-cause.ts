import { timeText } from '../../domain/text/local-time.ts';
import type { AskedPart } from '../../domain/ports/ledger/ledger-facts.ts';
import type { Guard } from '../../domain/settings.ts';
import { printable } from '../../domain/text/printable.ts';
import { isOfChange, type Cause, type KindOfTrait } from '../causes/shared-traits.ts';
import { nameUnits, type UnitLabels } from './unit-labels.ts';

/** What the words of a cause are made with. */
export interface CauseWords {
  readonly labels: UnitLabels;
  readonly isThere: (unit: string) => boolean;
}

const SAYINGS: Readonly<Record<KindOfTrait, (value: string, words: CauseWords) => string>> = {
  unit: (unit, { labels, isThere }) =>
    `in ${labels.get(unit) ?? printable(unit)}${isThere(unit) ? '' : ', which is gone as well'}`,
  base: (value) => `brought by ${printable(value)}`,
  domain: (value) => `with an email at ${printable(value)}`,
  change: (value) => `change of ${printable(value)}`,
  status: (value, { labels }) => nameUnits(value, labels),
};

/** Says what the held people have in common, and how many of the others have it, which a change alone has not. */
export function describeCause(cause: Cause, words: CauseWords): string {
  const { what, value, held, of, others, ofOthers } = cause;
  const [some, all] = [held.toLocaleString('en'), of.toLocaleString('en')];
  const subject = held === of ? `All ${all}` : `${some} of the ${all}`;
  const count = others === 0 ? 'none' : others.toLocaleString('en');
  const beside = isOfChange(cause) ? '' : `, and ${count} of the ${ofOthers.toLocaleString('en')} others`;
  return `${subject}${beside}: ${SAYINGS[what](value, words)}`;
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

/** Says that the source has lately been asked something else, if that may be why; `null`: it has not. */
export function describeAsked(asked: readonly AskedPart[], bucket: string): string | null {
  const [guard = '', subject] = bucket.split(' ');
  if (!OF_THE_SOURCE.has(guard)) return null;
  const meant = asked.filter(({ part }) => (part === 'units') === (subject === 'unit'));
  const latest = Math.max(...meant.map(({ changedAt }) => changedAt ?? 0));
  if (meant.length === 0) return null;
  return `The query, filter or mapping of ${meant.map(({ part }) => part).join(' and ')} is another one since ${timeText(latest)}`;
}

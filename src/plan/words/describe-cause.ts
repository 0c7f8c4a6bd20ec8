import { timeText } from '../../domain/text/local-time.ts';
import type { AskedPart } from '../../domain/ports/ledger/ledger-facts.ts';
import type { Guard } from '../../domain/settings.ts';
import { printable } from '../../domain/text/printable.ts';
import type { Cause, KindOfTrait } from '../causes/shared-traits.ts';
import { nameUnits, type UnitLabels } from './unit-labels.ts';

/** What the words of a cause are made with. */
export interface CauseWords {
  readonly bucket: string;
  readonly labels: UnitLabels;
  readonly isThere: (unit: string) => boolean;
  readonly hasUnitsBelow: (unit: string) => boolean;
}

/** How a trait is said of several records, and the verb for the others: `; none of the 100 others was`. */
interface Saying {
  readonly text: string;
  readonly again: 'be' | 'have' | null;
}

/** What is held may be gone: then it is told as it was. */
const GONE: ReadonlySet<string> = new Set(['leavers', 'gone', 'unitsRemoved']);

const isOfThoseGone = ({ bucket }: CauseWords): boolean => GONE.has(bucket.split(' ')[0] ?? '');

function placed(unit: string, words: CauseWords): Saying {
  const are = isOfThoseGone(words) ? 'were' : 'are';
  const where = words.hasUnitsBelow(unit) ? 'in or below' : 'in';
  const stays = isOfThoseGone(words) ? ', which is still there' : '';
  const standing = words.isThere(unit) ? stays : ', which is gone as well';
  return { text: ` ${are} ${where} ${words.labels.get(unit) ?? printable(unit)}${standing}`, again: 'be' };
}

const SAYINGS: Readonly<Record<KindOfTrait, (value: string, words: CauseWords) => Saying>> = {
  unit: placed,
  base: (value, words) => {
    const are = isOfThoseGone(words) ? 'were' : 'are';
    return { text: ` ${are} brought by ${printable(value)}`, again: 'be' };
  },
  domain: (value, words) => {
    const have = isOfThoseGone(words) ? 'had' : 'have';
    return { text: ` ${have} an email at ${printable(value)}`, again: 'have' };
  },
  change: (value) => ({ text: ` change ${printable(value)}`, again: null }),
  status: (value, { labels }) => ({ text: `: ${nameUnits(value, labels)}`, again: null }),
};

const AGAIN = {
  be: { past: ['was', 'were'], present: ['is', 'are'] },
  have: { past: ['did', 'did'], present: ['does', 'do'] },
} as const;

/** Says what the held records have in common, and how many of the others have it. */
export function describeCause(cause: Cause, words: CauseWords): string {
  const { held, of, others, ofOthers } = cause;
  const { text, again } = SAYINGS[cause.what](cause.value, words);
  const [some, all] = [held.toLocaleString('en'), of.toLocaleString('en')];
  const subject = held === of ? `All ${all}` : `${some} of the ${all}`;
  if (again === null) return subject + text;
  const verb = AGAIN[again][isOfThoseGone(words) ? 'past' : 'present'][others <= 1 ? 0 : 1];
  const count = others === 0 ? 'none' : others.toLocaleString('en');
  return `${subject}${text}; ${count} of the ${ofOthers.toLocaleString('en')} others ${verb}`;
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

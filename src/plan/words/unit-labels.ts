import { printable, printableText } from '../../domain/text/printable.ts';

/** What units are called in texts, by source id: the name, with the id in brackets if several have it. */
export type UnitLabels = ReadonlyMap<string, string>;

/**
 * Returns what to call each unit.
 *
 * @param names as they are now
 * @param before as they were, if that is known: a reader who knows an old name must not take one unit for another
 */
export function unitLabels(
  names: ReadonlyMap<string, string>,
  before: ReadonlyMap<string, string> = new Map(),
): UnitLabels {
  const called = new Map<string, Set<string>>();
  for (const [id, name] of [...names, ...before]) {
    const text = printable(name);
    called.set(text, (called.get(text) ?? new Set()).add(id));
  }
  const label = (id: string, name: string): string => {
    const text = printable(name);
    return called.get(text)?.size === 1 || name === id ? text : `${text} (${printable(id)})`;
  };
  return new Map([...names].map(([id, name]) => [id, label(id, name)]));
}

/** Words after which reasons name a unit by its source id. Text in quotes is the source's own, and stays. */
const BEFORE_ID = /(?:\b(?:unit|parent|below|move of|ancestor:|circle:)|>) /gu;
const LONGEST_ID = 200;
const END = /[\s:;,"]/u;

/** Returns a reason for a line of text, with units by name: `waits for unit Sales: …` instead of the id. */
export function nameUnits(reason: string, labels: UnitLabels): string {
  let named = '';
  let last = 0;
  for (const { index, 0: word } of reason.matchAll(BEFORE_ID)) {
    const from = index + word.length;
    const id = idAt(reason, from, labels);
    if (id === null || from < last) continue;
    named += reason.slice(last, from) + (labels.get(id) ?? id);
    last = from + id.length;
  }
  return printableText(named + reason.slice(last));
}

/** Returns the longest known id that begins here: ids may contain blanks. */
function idAt(text: string, from: number, labels: UnitLabels): string | null {
  const most = Math.min(text.length, from + LONGEST_ID);
  for (let end = most; end > from; end -= 1) {
    if (end < text.length && !END.test(text[end] ?? '')) continue;
    const id = text.slice(from, end);
    if (labels.has(id)) return id;
  }
  return null;
}

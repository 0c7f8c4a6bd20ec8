import type { HistoryEntry } from '../../domain/ports/history.ts';
import { printable, printableText } from '../../domain/text/printable.ts';
import type { Line, Paint } from '../../domain/text/line.ts';
import { wordsOf } from '../../plan/changes/kinds.ts';
import { approverOf } from '../../plan/words/written-entry.ts';
import { changeTexts } from '../../plan/words/describe-change.ts';
import { nameUnits } from '../../plan/words/unit-labels.ts';

export interface EntryWords {
  /** Names of units by source id. */
  readonly names: ReadonlyMap<string, string>;
  readonly paint: Paint;
}

const time = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/** Returns an entry for a person: a line of the change, then a line for each field. */
export function describeEntry(entry: HistoryEntry, { names, paint }: EntryWords): readonly Line[] {
  const { at, subject, kind, label, id, run, why, fields } = entry;
  const { sign, tone } = wordsOf(kind);
  const what = paint(tone, `${sign} ${kind} ${subject} ${printable(label)} (${printable(id)})`);
  const head = `${time(at)}  `;
  const text = `${what}  ${printableText(nameUnits(why, names))}${approvedText(entry)}  [${run}]`;
  return [{ head, text }, ...changeTexts(fields, names).map((line) => ({ head: '    ', text: line }))];
}

function approvedText({ approval, guard }: HistoryEntry): string {
  if (approval === null) return '';
  const held = guard === null ? '' : ` (sync.guard.${guard})`;
  return `; approved by ${printable(approverOf(approval))}: ${approval.hash}${held}`;
}

import { SourceError } from '../../domain/errors.ts';
import type { SourceRead } from '../../domain/reading/source.ts';
import type { SourceMark } from '../../domain/reading/source-part.ts';
import type { Run } from '../state/world.ts';

/**
 * Returns the marks of this read. Throws a SourceError if the source is older than at the last complete read, or cut since (promise 1). Only a person who
 * asks for a full run says that it is right.
 */
export async function requireAhead(run: Run, read: SourceRead): Promise<readonly SourceMark[]> {
  const marks = await read.marks();
  if (run.waitsForNothing && run.reverting === null) return marks;
  const before = valuesBefore(run);
  const now = new Set(marks.map(({ name }) => name));
  const lacking = Object.keys(before).filter((name) => !now.has(name));
  const isBehind = ({ name, value, group }: SourceMark): boolean =>
    value < (before[name] ?? '') || (group !== undefined && lacking.some((one) => one.startsWith(group)));
  const behind = marks.find(isBehind);
  if (behind === undefined) return marks;
  throw new SourceError(
    `source: ${behind.behind}; the read is incomplete and nothing is sent. ` +
      'Wait until the source has caught up; if it is right as it is, run: rollcall sync --full',
  );
}

/** Remembers the marks of a complete read. */
export function keepMarks(run: Run, marks: readonly SourceMark[]): void {
  const before = valuesBefore(run);
  if (marks.every(({ name, value }) => before[name] === value)) return;
  const now = Object.fromEntries(marks.map(({ name, value }) => [name, value]));
  run.ledger.setFacts({ marks: { identity: run.source.identity, values: { ...before, ...now } } });
}

function valuesBefore({ ledger, source }: Run): Readonly<Record<string, string>> {
  const known = ledger.fact('marks');
  return known?.identity === source.identity ? known.values : {};
}

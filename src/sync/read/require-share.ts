import type { Ledger } from '../../domain/ports/ledger/ledger.ts';
import { describeShortfalls, shortfalls, sizeOf, withUnmeasured } from '../../domain/ports/read-size.ts';
import { ofSameSource } from '../../domain/reading/source-identity.ts';
import type { SourceMark } from '../../domain/reading/source-part.ts';
import type { Source, SourceEvidence, SourceRead } from '../../domain/reading/source.ts';
import type { Run } from '../state/world.ts';
import { readProblem } from '../../domain/run-problems.ts';

/**
 * Throws a SourceError if a part that cannot prove its end has far fewer records than in the last complete read, unless a
 * person asks for a full run, which says that this is right; or if partners or one of several bases have none at all.
 * Otherwise remembers how many there are; an increment does not tell how many people each base has.
 */
export function requireShare({ ledger, source, isSourceRight }: Run, { parts }: SourceEvidence): void {
  const now = sizeOf(source.identity, parts);
  if (now.parts.length === 0) return;
  const known = ofSameSource(ledger.fact('readSize'), source.identity);
  const short = shortfalls(known, now, parts).filter(({ kind }) => kind !== 'few' || !isSourceRight);
  if (short.length > 0) throw readProblem('read-lost-part', { words: describeShortfalls(short) });
  ledger.setFacts({ readSize: withUnmeasured(now, known) });
}

/**
 * Returns the marks of this read and of the tables of `lookups`. Throws a SourceError if something is older than at the
 * last complete read, or cut since (promise 1). Only a person who asks for a full run says that it is right.
 */
export async function requireAhead(run: Run, read: SourceRead): Promise<readonly SourceMark[]> {
  const marks = [...(await read.marks()), ...(run.source.tableMarks ?? [])];
  if (run.isSourceRight) return marks;
  const before = valuesBefore(run.ledger, run.source);
  const now = new Set(marks.map(({ name }) => name));
  const lacking = Object.keys(before).filter((name) => !now.has(name));
  const isBehind = ({ name, value, group, isAhead = false }: SourceMark): boolean =>
    (!isAhead && value < (before[name] ?? '')) ||
    (group !== undefined && lacking.some((one) => one.startsWith(group)));
  const behind = marks.find(isBehind);
  if (behind === undefined) return marks;
  throw readProblem('read-behind', { behind: behind.behind });
}

/** Remembers the marks of a complete read, and forgets those that a group lacks now: somebody said that this is right. */
export function keepMarks(ledger: Ledger, source: Source, marks: readonly SourceMark[]): void {
  const before = valuesBefore(ledger, source);
  const now = Object.fromEntries(marks.map(({ name, value }) => [name, value]));
  const known = Object.entries(before);
  const groups = marks.flatMap(({ group = [] }) => group);
  const kept = known.filter(([name]) => name in now || !groups.some((group) => name.startsWith(group)));
  if (kept.length === known.length && marks.every(({ name, value }) => before[name] === value)) return;
  const values = { ...Object.fromEntries(kept), ...now };
  ledger.setFacts({ marks: { identity: source.identity, values } });
}

function valuesBefore(ledger: Ledger, source: Source): Readonly<Record<string, string>> {
  return ofSameSource(ledger.fact('marks'), source.identity)?.values ?? {};
}

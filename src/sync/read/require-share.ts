import { SourceError } from '../../domain/errors.ts';
import { describeShortfalls, shortfalls, sizeOf, withUnmeasured } from '../../domain/ports/read-size.ts';
import { ofSameSource } from '../../domain/reading/source-identity.ts';
import type { SourceMark } from '../../domain/reading/source-part.ts';
import type { SourceEvidence, SourceRead } from '../../domain/reading/source.ts';
import type { Run } from '../state/world.ts';

/**
 * Throws a SourceError if a part that cannot prove its end has far fewer records than in the last complete read, or
 * partners or one of several bases have none at all any more.
 * Otherwise remembers how many there are; an increment does not tell how many people each base has.
 */
export function requireShare({ ledger, source }: Run, { parts }: SourceEvidence): void {
  const now = sizeOf(source.identity, parts);
  if (now.parts.length === 0) return;
  const known = ofSameSource(ledger.fact('readSize'), source.identity);
  const short = shortfalls(known, now, parts);
  if (short.length > 0) throw new SourceError(describeShortfalls(short));
  ledger.setFacts({ readSize: withUnmeasured(now, known) });
}

/**
 * Throws a SourceError if a table of `lookups` had entries in the last complete read and has none: its values
 * would change for all people. Otherwise remembers how many entries there are.
 */
export function requireTables({ ledger, source }: Run): void {
  const { tables = {} } = source;
  const before = ledger.fact('tables') ?? {};
  const emptied = emptiedTables(before, tables);
  if (emptied !== null) throw new SourceError(emptied);
  if (JSON.stringify(before) !== JSON.stringify(tables)) ledger.setFacts({ tables });
}

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
      'Wait until the source has caught up; if this state is right, run: rollcall sync --full',
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
  return ofSameSource(ledger.fact('marks'), source.identity)?.values ?? {};
}

/** Number of entries of each table of `lookups` that is a file, by its name. */
type Sizes = Readonly<Record<string, number>>;

/**
 * Returns a sentence about tables that have no entry and had some in the last complete read: their values
 * would change for all people. `null`: there are none.
 */
function emptiedTables(before: Sizes, now: Sizes): string | null {
  const emptied = Object.keys(now).filter((name) => now[name] === 0 && (before[name] ?? 0) > 0);
  if (emptied.length === 0) return null;
  const sentences = emptied.map((name) => {
    const entries = before[name] === 1 ? 'one entry' : `${(before[name] ?? 0).toLocaleString('en')} entries`;
    return `lookups.${name}.file has its header alone, and had ${entries} in the last complete read`;
  });
  return (
    `source: ${sentences.join(', and ')}; the read is taken as incomplete and nothing is sent. Export it again; if it ` +
    'is empty for good, write values: {} in its place'
  );
}

import { SourceError } from '../../domain/errors.ts';
import { describeShortfalls, shortfalls, sizeOf, withUnmeasured } from '../../domain/ports/read-size.ts';
import { emptiedTables } from '../../domain/reading/emptied-tables.ts';
import type { SourceEvidence } from '../../domain/reading/source.ts';
import type { Run } from '../state/world.ts';

/**
 * Throws a SourceError where a part that cannot prove its end has far fewer records than in the last complete read, or
 * partners or one of several bases have none at all any more.
 * Otherwise remembers how many there are; an increment does not tell how many people each base has.
 */
export function requireShare({ ledger, source }: Run, { parts }: SourceEvidence): void {
  const now = sizeOf(source.identity, parts);
  if (now.parts.length === 0) return;
  const known = ledger.fact('readSize');
  const short = shortfalls(known, now, parts);
  if (short.length > 0) throw new SourceError(describeShortfalls(short));
  ledger.setFacts({ readSize: withUnmeasured(now, known) });
}

/**
 * Throws a SourceError where a table of `lookups` had entries in the last complete read and has none: what it says of
 * everybody would change. Otherwise remembers how many there are.
 */
export function requireTables({ ledger, source }: Run): void {
  const { tables = {} } = source;
  const before = ledger.fact('tables') ?? {};
  const emptied = emptiedTables(before, tables);
  if (emptied !== null) throw new SourceError(emptied);
  if (JSON.stringify(before) !== JSON.stringify(tables)) ledger.setFacts({ tables });
}

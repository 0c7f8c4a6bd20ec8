import { SourceError } from '../../domain/errors.ts';
import { describeShortfalls, shortfalls, sizeOf } from '../../domain/ports/read-size.ts';
import type { SourceEvidence } from '../../domain/reading/source.ts';
import type { Run } from '../state/world.ts';

/**
 * Throws a SourceError where a part that cannot prove its end has far fewer records than in the last complete read, or
 * partners or one of several bases have none at all any more.
 * Otherwise remembers how many there are.
 */
export function requireShare({ ledger, source }: Run, { parts }: SourceEvidence): void {
  const now = sizeOf(source.identity, parts);
  if (now.parts.length === 0) return;
  const short = shortfalls(ledger.fact('readSize'), now, parts);
  if (short.length > 0) throw new SourceError(describeShortfalls(short));
  ledger.setFacts({ readSize: now });
}

/**
 * Throws a SourceError where a table of `lookups` had entries in the last complete read and has none: what it says of
 * everybody would change. Otherwise remembers how many there are.
 */
export function requireTables({ ledger, source }: Run): void {
  const { tables = {} } = source;
  const before = ledger.fact('tables') ?? {};
  const emptied = Object.keys(tables).filter((name) => tables[name] === 0 && (before[name] ?? 0) > 0);
  if (emptied.length === 0) {
    if (JSON.stringify(before) !== JSON.stringify(tables)) ledger.setFacts({ tables });
    return;
  }
  const told = emptied.map((name) => {
    const entries = before[name] === 1 ? 'one entry' : `${(before[name] ?? 0).toLocaleString('en')} entries`;
    return `lookups.${name}.file has its header alone, and had ${entries} in the last complete read`;
  });
  throw new SourceError(
    `source: ${told.join(', and ')}; the read is taken as incomplete and nothing is sent. Export it again; where it ` +
      'is empty for good, write values: {} in its place',
  );
}

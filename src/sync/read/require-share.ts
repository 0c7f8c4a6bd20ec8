import { SourceError } from '../../domain/errors.ts';
import { describeShortfalls, shortfalls, sizeOf } from '../../domain/ports/read-size.ts';
import type { SourceEvidence } from '../../domain/records/source.ts';
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

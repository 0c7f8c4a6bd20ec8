import { SourceError } from '../../domain/errors.ts';
import { shortfall } from '../../domain/ports/read-size.ts';
import type { SourceEvidence } from '../../domain/records/source.ts';
import type { Run } from '../state/world.ts';

/**
 * Throws a SourceError where a source that cannot prove its end has far fewer records than in the last complete read.
 * Otherwise remembers how many there are.
 */
export function requireShare({ ledger, source }: Run, { parts }: SourceEvidence): void {
  const { atLeastPercent, identity } = source;
  if (atLeastPercent === undefined) return;
  const now = { identity, parts: parts.map(({ part, records }) => ({ part, records })) };
  const short = shortfall(ledger.fact('readSize'), now, atLeastPercent);
  if (short !== null) {
    throw new SourceError(
      `source: this read has ${short}: less than ${atLeastPercent} % (source.complete.atLeastPercent), so it is taken ` +
        'as incomplete and nothing is sent. Export it again; where so many are really gone, lower atLeastPercent for ' +
        'one run',
    );
  }
  ledger.setFacts({ readSize: now });
}

import { printableText, withStop } from '../domain/text/printable.ts';
import type { Standing } from '../runtime/health.ts';

export { standingOf, type Standing } from '../runtime/health.ts';

/** Returns the lines that stand above everything else, each a sentence; none, if all is as usual. */
export function standingLines({ isReportOnly, otherDaemons, reloadRefused }: Standing): readonly string[] {
  return [
    ...(isReportOnly ? ['Report only (sync.mode: report): nothing is sent.'] : []),
    ...(otherDaemons > 0 ? [`${otherDaemons + 1} daemons work on this ledger: stop all but one.`] : []),
    ...(reloadRefused === null
      ? []
      : [
          `The daemon keeps its old configuration. It refused the new one: ${withStop(printableText(reloadRefused))}`,
        ]),
  ];
}

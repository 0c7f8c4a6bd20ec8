import type { Source } from '../../domain/reading/source.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Ledger } from '../../domain/ports/ledger/ledger.ts';
import type { AskedPart } from '../../domain/ports/ledger/ledger-facts.ts';
import type { Decisive } from '../../domain/records/records.ts';
import { digest } from '../../lib/digest.ts';
import { inSteps } from '../../lib/in-steps.ts';
import { decidingRules, protection } from '../state/deciding-rules.ts';
import type { OneRecord } from '../state/run-request.ts';
import type { Run } from '../state/world.ts';

/** How long a change of the query, filter or mapping is named as a cause. Its effects show within a few reads. */
const NAMED_FOR_MS = 86_400_000;

const PARTS = ['units', 'people', 'positions'] as const;

/**
 * Remembers what the source is asked in each part: query, base and filter, and the mapping. Only digests are kept, with
 * the time of the latest change. Called after a complete read.
 */
export function rememberAsked(source: Source, ledger: Ledger, clock: Clock): void {
  const known = ledger.fact('asked');
  const now = PARTS.map((part): AskedPart => {
    const [is, was] = [digest(source.asks[part]), known?.find((one) => one.part === part)];
    if (was?.digest === is) return was;
    if (was === undefined) return { part, digest: is, changedAt: null };
    // An edit that was undone is none.
    if (was.before?.digest === is) return { part, ...was.before };
    const before = { digest: was.digest, changedAt: was.changedAt };
    return { part, digest: is, changedAt: clock.now(), before };
  });
  if (JSON.stringify(now) !== JSON.stringify(known)) ledger.setFacts({ asked: now });
}

/** Returns the parts for which the source has lately been asked something else than before. */
export function askedAnew(ledger: Ledger, clock: Clock): readonly AskedPart[] {
  const since = clock.now() - NAMED_FOR_MS;
  return (ledger.fact('asked') ?? []).filter(({ changedAt }) => changedAt !== null && changedAt >= since);
}

/** Remembers what records have of the names that decide about them, once it is known what of them waits. */
export async function keepSeen(
  run: Run,
  units: ReadonlyMap<string, Decisive>,
  only: OneRecord | undefined,
): Promise<void> {
  const read = {
    rules: decidingRules(run.source, run.sync),
    units,
    protection: protection(run.sync),
    only: only ?? null,
  };
  await inSteps(run.ledger.seen.keep(read));
}

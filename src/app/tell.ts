import type { Log } from '../domain/events.ts';
import type { Ledger } from '../domain/ports/ledger/ledger.ts';
import type { Service } from '../domain/ports/service.ts';
import type { Settings } from '../domain/settings.ts';
import { systemClock } from '../lib/clock.ts';
import type { Outcome } from '../notify/notices/outcome.ts';
import { notify, type NotifyStore } from '../notify/notifier.ts';
import type { RunReport } from '../sync/end-run.ts';

/** Milliseconds in which somebody is told of a run; a stop waits for it. */
const TELL_MS = 15_000;

interface Teller {
  readonly settings: Settings;
  readonly service: Service;
  readonly log: Log;
}

/** Tells people of a run that has ended, where that is configured. */
export async function tell(
  { settings, service, log }: Teller,
  ledger: Ledger,
  report: RunReport,
): Promise<void> {
  if (settings.notify === undefined) return;
  const store: NotifyStore = {
    load: () => ledger.fact('notified'),
    save: (notified) => ledger.setFacts({ notified }),
  };
  const deps = {
    settings: settings.notify,
    timezone: settings.sync.timezone,
    store,
    messenger: service,
    log,
  };
  await notify(deps, outcomeOf(ledger, report, systemClock.now()), AbortSignal.timeout(TELL_MS));
}

const TROUBLES_TOLD = 10;

function outcomeOf(ledger: Ledger, { end, error }: RunReport, at: number): Outcome {
  const inside = ledger.leftInside.list(TROUBLES_TOLD);
  const troubles = [...inside, ...ledger.troubles.failures().slice(0, TROUBLES_TOLD)];
  const { result, failed, blocked, counts } = end;
  return {
    at,
    result,
    error: error instanceof Error ? error.message : '',
    held: result === 'failed' || result === 'stopped' ? [] : ledger.approvals.held(),
    failed,
    blocked,
    troubles: troubles.map(({ label, reason }) => `${label}: ${reason}`),
    leaversInside: ledger.leftInside.count(),
    counts,
  };
}

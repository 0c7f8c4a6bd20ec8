import { RequestError } from '../domain/errors.ts';
import type { Log } from '../domain/events.ts';
import type { Attachment, Messenger } from '../domain/ports/messenger.ts';
import type { Ledger } from '../domain/ports/ledger/ledger.ts';
import type { Settings } from '../domain/settings.ts';
import { doneIn, type Outcome } from '../notify/notices.ts';
import { notify, type NotifyStore } from '../notify/notifier.ts';
import type { RunReport } from '../sync/end-run.ts';

/** Milliseconds in which somebody is told of a run; a stop waits for it. */
const TELL_MS = 15_000;

interface Teller {
  readonly settings: Pick<Settings, 'notify'> & {
    readonly sync: Pick<Settings['sync'], 'timezone'>;
    readonly approvals?: object | undefined;
  };
  readonly service: Messenger;
  readonly log: Log;
}

interface Telling {
  readonly report: RunReport;
  /** The plan as a page, where it may be news. */
  readonly page: Attachment | null;
  /** Now, ms since the epoch. */
  readonly at: number;
}

/** Tells people of a run that has ended, where that is configured. */
export async function tell(
  { settings, service, log }: Teller,
  ledger: Ledger,
  { report, page, at }: Telling,
): Promise<void> {
  // Whoever typed what cannot be done was told on the terminal.
  if (settings.notify === undefined || report.error instanceof RequestError) return;
  const store: NotifyStore = {
    load: () => ledger.fact('notified'),
    save: (notified) => ledger.setFacts({ notified }),
  };
  const deps = {
    settings: settings.notify,
    timezone: settings.sync.timezone,
    store,
    messenger: service,
    page,
    takesReplies: settings.approvals !== undefined,
    log,
  };
  await notify(deps, outcomeOf(ledger, report, at), AbortSignal.timeout(TELL_MS));
}

const TROUBLES_TOLD = 10;
/** Records in trouble of which is remembered that somebody was told: beyond that, nobody reads them one by one. */
const MOST_KEYS = 20_000;
/** How the reason begins of whoever is inside because a guard holds the leaving. */
const HELD = 'held: ';

function outcomeOf(ledger: Ledger, { end, error }: RunReport, at: number): Outcome {
  const inside = ledger.leftInside.list(MOST_KEYS);
  const waiting = inside.filter(({ reason }) => reason.startsWith(HELD));
  const left = inside.filter(({ reason }) => !reason.startsWith(HELD));
  const ids = new Set(left.map(({ id }) => id));
  const failures = ledger.troubles.failures().slice(0, MOST_KEYS);
  const others = failures.filter(({ subject, id }) => subject !== 'person' || !ids.has(id));
  const { result, failed, blocked } = end;
  return {
    at,
    result,
    error: error instanceof Error ? error.message : '',
    held: result === 'failed' || result === 'stopped' ? [] : ledger.approvals.held(),
    failed,
    blocked,
    troubles: [...left, ...others].slice(0, TROUBLES_TOLD).map(({ label, reason }) => `${label}: ${reason}`),
    leaversInside: ledger.leftInside.count(),
    heldInside: waiting.length,
    inTrouble: [
      ...left.map(({ id }) => `inside ${id}`),
      ...failures.map(({ subject, id }) => `${subject} ${id}`),
    ],
    doneSince: (since) => doneIn(ledger.history.entries({ since, of: null })),
  };
}

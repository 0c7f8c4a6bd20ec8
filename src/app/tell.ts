import { rmSync } from 'node:fs';
import { recordKey } from '../domain/changes.ts';
import type { App } from './app.ts';
import { RequestError } from '../domain/errors.ts';
import type { Log } from '../domain/events.ts';
import type { Ledger } from '../domain/ports/ledger/ledger.ts';
import type { Digest } from '../domain/ports/ledger/ledger-facts.ts';
import { REPORTED, type LeftInside } from '../domain/ports/ledger/left-inside.ts';
import type { Attachment, Messenger } from '../domain/ports/messenger.ts';
import type { Settings } from '../domain/settings.ts';
import { digestOf, plannedDigest, type Outcome } from '../notify/notices.ts';
import { notify, type NotifyStore } from '../notify/notifier.ts';
import { systemWatch } from '../lib/clock.ts';
import { standingOf } from '../runtime/health.ts';
import { personName } from '../domain/records/named-person.ts';
import type { RunReport } from '../sync/end-run.ts';
import { isWritten, type OnPlan } from './write-page.ts';

/** Milliseconds for the messages about a run; a stop waits for them. */
const NOTIFY_MS = 15_000;

interface NotifyDeps {
  readonly settings: Pick<Settings, 'notify' | 'state' | 'sync'> & {
    readonly approvals?: object | undefined;
  };
  readonly service: Messenger;
  readonly log: Log;
}

interface EndedRun {
  readonly report: RunReport;
  /** The plan as a page, where it may be news. */
  readonly page: Attachment | null;
  /** The first records of its plan, if it sends nothing. */
  readonly named?: Digest['named'];
  /** Now, ms since the epoch. */
  readonly at: number;
}

/** Tells people of a run that has ended, where that is configured. */
export async function notifyOfRun(
  { settings, service, log }: NotifyDeps,
  ledger: Ledger,
  { report, page, named = [], at }: EndedRun,
): Promise<void> {
  // The terminal has already shown a command that cannot be done.
  if (settings.notify === undefined || report.error instanceof RequestError) return;
  const store: NotifyStore = {
    load: () => ledger.fact('notified'),
    save: (notified) => ledger.setFacts({ notified }),
  };
  const deps = {
    settings: settings.notify,
    store,
    messenger: service,
    page,
    takesReplies: settings.approvals !== undefined,
    log,
  };
  const daemons = standingOf(settings, { time: at, watch: systemWatch });
  const outcome = { ...outcomeOf(ledger, report, at), reported: reportedOf(report, named), daemons };
  await notify(deps, outcome, AbortSignal.timeout(NOTIFY_MS));
}

function reportedOf({ end }: RunReport, named: Digest['named']): Outcome['reported'] {
  return end.mode === 'report' ? { counts: plannedDigest(end.counts, named), held: end.held } : null;
}

const TOP_TROUBLES = 10;
/** Number of records in trouble that are remembered as reported. */
const MOST_KEYS = 20_000;
/** Returns whether leavers are still active only because a guard holds the change, or nothing is sent at all. */
const isWaiting = ({ reason }: LeftInside): boolean => reason.startsWith('held: ') || reason.endsWith(REPORTED);

function outcomeOf(
  ledger: Ledger,
  { end, error }: RunReport,
  at: number,
): Omit<Outcome, 'reported' | 'daemons'> {
  const { count, first: inside } = ledger.leftInside.list(MOST_KEYS);
  const waiting = inside.filter(isWaiting);
  const open = inside.filter((one) => !isWaiting(one));
  const ids = new Set(open.map(({ id }) => id));
  const failures = ledger.troubles.failures().slice(0, MOST_KEYS);
  const failing = failures.filter(({ subject, id }) => subject !== 'person' || !ids.has(id));
  const troubles = [...open, ...failing].slice(0, TOP_TROUBLES);
  const listed = new Set(troubles.map(recordKey));
  const waits = ledger.troubles.blocked(TOP_TROUBLES).filter((one) => !listed.has(recordKey(one)));
  const { result, failed, blocked } = end;
  return {
    at,
    result,
    error: error instanceof Error ? error.message : '',
    held: result === 'failed' || result === 'stopped' ? [] : ledger.approvals.held(),
    failed,
    blocked,
    troubles: [...troubles, ...waits]
      .slice(0, TOP_TROUBLES)
      .map((one) => `${personName(one)}: ${one.reason}`),
    leaversInside: count,
    heldInside: waiting.length,
    inTrouble: [...open.map(({ id }) => `inside ${id}`), ...failures.map(recordKey)],
    appliedSince: (since) => digestOf(ledger.history.entries({ since, of: null })),
  };
}

/** The plan of a run as a page, made where a message about what it holds may be news. */
interface HeldPage {
  readonly onPlan: OnPlan;
  /** Returns the page; `null`: no message needs it. */
  readonly page: () => Attachment | null;
  /** Removes the file. */
  readonly end: () => void;
}

/**
 * Prepares the page next to the ledger, always under the same name, so that it replaces a file that a crash
 * left. Returns `null` if the page is not sent to anyone.
 */
export function heldPage(
  { settings, ...app }: Pick<App, 'settings' | 'log' | 'command'>,
  ledger: Ledger,
): HeldPage | null {
  if (settings.notify?.on.includes('problems') !== true) return null;
  const path = `${settings.state.path}.plan.html`;
  let page: Attachment | null = null;
  return {
    onPlan(...planned) {
      const [plan] = planned;
      const reported = ledger.fact('notified')?.held ?? {};
      if (plan.held.every(({ hash }) => reported[hash] !== undefined)) return;
      if (isWritten({ ...app, settings, path }, planned))
        page = { path, name: `rollcall-plan-${plan.hash}.html`, contentType: 'text/html' };
    },
    page: () => page,
    end: () => {
      rmSync(path, { force: true });
    },
  };
}

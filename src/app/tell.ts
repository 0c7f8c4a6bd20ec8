import { rmSync } from 'node:fs';
import { recordKey } from '../domain/changes.ts';
import type { App } from './app.ts';
import { openChannels } from './channels.ts';
import { LedgerError, RequestError } from '../domain/errors.ts';
import type { Log, Observer } from '../domain/events.ts';
import type { Ledger } from '../domain/ports/ledger/ledger.ts';
import { REPORTED, type LeftInside } from '../domain/ports/ledger/left-inside.ts';
import type { Attachment, Messenger } from '../domain/ports/messenger.ts';
import type { Digest, NotifyBook } from '../domain/ports/ledger/ledger-facts.ts';
import type { ChannelName, Settings } from '../domain/settings.ts';
import { digestOf, NOTHING_KNOWN, plannedDigest, type Outcome } from '../notify/notices.ts';
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
  readonly observer?: Observer | undefined;
  readonly log: Log;
}

interface EndedRun {
  readonly report: Pick<RunReport, 'run' | 'end' | 'error'>;
  /** The plan as a page, where it may be news. */
  readonly page: Attachment | null;
  /** The first records of its plan, if it sends nothing. */
  readonly named?: Digest['named'];
  /** Now, ms since the epoch. */
  readonly at: number;
}

/**
 * Tells people of a run that has ended, where that is configured.
 * @param ledger `null`: it could not be opened, so that the run could not begin
 */
export async function notifyOfRun(
  { settings, service, observer, log }: NotifyDeps,
  ledger: Ledger | null,
  { report, page, named = [], at }: EndedRun,
): Promise<void> {
  const { notify: wanted, approvals, state } = settings;
  // The terminal has already shown a command that cannot be done.
  if (wanted === undefined || report.error instanceof RequestError) return;
  const takesReplies = approvals !== undefined;
  const deps = {
    settings: wanted,
    channels: await openChannels(wanted, { messenger: service, takesReplies }),
    storeOf: (channel: ChannelName) => storeOf(ledger, channel, state.path),
    run: report.run,
    page,
    failed: (channel: ChannelName) => observer?.notifyFailed(channel),
    log,
  };
  const daemons = standingOf(settings, { time: at, watch: systemWatch });
  const outcome = { ...outcomeOf(ledger, report, at), reported: reportedOf(report, named), daemons };
  await notify(deps, outcome, AbortSignal.timeout(NOTIFY_MS));
}

function reportedOf({ end }: EndedRun['report'], named: Digest['named']): Outcome['reported'] {
  return end.mode === 'report' ? { counts: plannedDigest(end.counts, named), held: end.held } : null;
}

/** What books would have got, by ledger and channel, while the ledger takes nothing: a full disk is an alarm as well. */
const UNWRITTEN = new Map<string, NotifyBook>();

function storeOf(ledger: Ledger | null, channel: ChannelName, path: string): NotifyStore {
  const key = `${channel} ${path}`;
  return {
    load() {
      const [written, unwritten] = [ledger?.fact('notified')?.[channel] ?? null, UNWRITTEN.get(key)];
      if (written === null || unwritten === undefined) return unwritten ?? written;
      const { failures, failedAt, sent, lastError } = unwritten;
      return { ...written, failures, failedAt, sent, lastError };
    },
    save(book) {
      UNWRITTEN.set(key, book);
      if (ledger === null) return;
      try {
        ledger.setFacts({ notified: { ...ledger.fact('notified'), [channel]: book } });
        UNWRITTEN.delete(key);
      } catch (error) {
        if (!(error instanceof LedgerError)) throw error;
      }
    },
  };
}

const TOP_TROUBLES = 10;
/** Number of records in trouble that are remembered as reported. */
const MOST_KEYS = 20_000;
/** Returns whether leavers are still active only because a guard holds the change, or nothing is sent at all. */
const isWaiting = ({ reason }: LeftInside): boolean =>
  reason.startsWith('held: ') || reason.endsWith(REPORTED);

function outcomeOf(
  ledger: Ledger | null,
  { end, error }: EndedRun['report'],
  at: number,
): Omit<Outcome, 'reported' | 'daemons'> {
  const { result } = end;
  const ended = { at, result, error: error instanceof Error ? error.message : '' };
  return ledger === null || result === 'failed' || result === 'stopped'
    ? { ...ended, ...NOTHING_KNOWN }
    : { ...ended, ...foundIn(ledger, end) };
}

function foundIn(
  ledger: Ledger,
  { failed, blocked }: RunReport['end'],
): Omit<Outcome, 'at' | 'result' | 'error' | 'reported' | 'daemons'> {
  const { count, first: inside } = ledger.leftInside.list(MOST_KEYS);
  const waiting = inside.filter(isWaiting);
  const open = inside.filter((one) => !isWaiting(one));
  const ids = new Set(open.map(({ id }) => id));
  const failures = ledger.troubles.failures().slice(0, MOST_KEYS);
  const failing = failures.filter(({ subject, id }) => subject !== 'person' || !ids.has(id));
  const troubles = [...open, ...failing].slice(0, TOP_TROUBLES);
  const listed = new Set(troubles.map(recordKey));
  const waits = ledger.troubles.blocked(TOP_TROUBLES).filter((one) => !listed.has(recordKey(one)));
  return {
    held: ledger.approvals.held(),
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
  const { to, email, on = [] } = settings.notify ?? {};
  const channels = [
    ...(to === undefined ? [] : ['messenger' as const]),
    ...(email === undefined ? [] : ['email' as const]),
  ];
  if (channels.length === 0 || !on.includes('problems')) return null;
  const path = `${settings.state.path}.plan.html`;
  let page: Attachment | null = null;
  return {
    onPlan(...planned) {
      const [plan] = planned;
      const books = ledger.fact('notified') ?? {};
      const isKnown = (hash: string): boolean =>
        channels.every((channel) => books[channel]?.held[hash] !== undefined);
      if (plan.held.every(({ hash }) => isKnown(hash))) return;
      if (isWritten({ ...app, settings, path }, planned))
        page = { path, name: `rollcall-plan-${plan.hash}.html`, contentType: 'text/html' };
    },
    page: () => page,
    end: () => {
      rmSync(path, { force: true });
    },
  };
}

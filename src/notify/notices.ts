import type { Held } from '../domain/changes.ts';
import type { RunResult } from '../domain/events.ts';
import type { HistoryEntry } from '../domain/ports/history.ts';
import type { Digest, NotifyBook } from '../domain/ports/ledger/ledger-facts.ts';
import type { NotifySettings } from '../domain/settings.ts';

const DAY_MS = 24 * 3_600_000;
/** Failed runs in a row before a message is sent: one or two failures usually pass by themselves. */
const FAILURES_REPORTED = 3;

/** A notice that is to be sent, and the book after it was sent. */
export interface DueNotice {
  readonly notice: Notice;
  readonly after: (book: NotifyBook) => NotifyBook;
}

/** Returns the book with what this run adds to it, whether a message is sent or not. */
export function counted(book: NotifyBook, outcome: Outcome): NotifyBook {
  const isFailed = outcome.result === 'failed';
  return {
    ...book,
    ...stillHeld(book, outcome),
    // A run that was stopped says nothing of the next one.
    failures: isFailed ? book.failures + 1 : outcome.result === 'stopped' ? book.failures : 0,
    sent: book.sent.filter((at) => at > outcome.at - DAY_MS && at <= outcome.at),
  };
}

/** Only a run that has come to an end knows what is held. */
function stillHeld(book: NotifyBook, outcome: Outcome): Pick<NotifyBook, 'held' | 'wasHeld'> {
  const { result } = outcome;
  if (result === 'failed' || result === 'stopped') return { held: book.held };
  const hashes = new Set(outcome.held.map(({ hash }) => hash));
  const before = Object.entries(book.held);
  const open = before.filter(([hash]) => hashes.has(hash));
  return { held: Object.fromEntries(open), wasHeld: book.wasHeld === true || open.length < before.length };
}

/**
 * Returns the notices after a run: what changed since the last notice, and what lasts for so long that it is sent
 * again as a reminder. Pure.
 */
export function decideNotices(
  book: NotifyBook,
  outcome: Outcome,
  { on }: Pick<NotifySettings, 'on'>,
): readonly DueNotice[] {
  const repeatAt = outcome.at - DAY_MS;
  const notices =
    outcome.result === 'failed'
      ? failed(book, outcome, repeatAt)
      : outcome.result === 'stopped'
        ? []
        : [
            ...recovered(book, outcome),
            ...held(book, outcome, repeatAt),
            ...partial(book, outcome, repeatAt),
            ...digest(book, outcome),
          ];
  return notices.filter(({ notice }) => on.includes(notice.on === 'changes' ? 'changes' : 'problems'));
}

/** Returns whether a reminder is due, also if the time of the last notice lies in the future. */
const isDue = (last: number, { at }: Outcome, repeatAt: number): boolean => last <= repeatAt || last > at;

function failed(book: NotifyBook, outcome: Outcome, repeatAt: number): readonly DueNotice[] {
  const { failures, failedAt } = book;
  if (failures < FAILURES_REPORTED || (failedAt !== null && !isDue(failedAt, outcome, repeatAt))) return [];
  const { error, at } = outcome;
  const notice: Notice = { on: 'failed', error, failures, isReminder: failedAt !== null };
  return [{ notice, after: (now) => ({ ...now, failedAt: at }) }];
}

function recovered(book: NotifyBook, outcome: Outcome): readonly DueNotice[] {
  const from = overFor(book, outcome);
  if (from === null) return [];
  const isWell = outcome.held.length === 0 && troubled(outcome) === 0;
  const over = { failed: { failedAt: null }, held: { wasHeld: false }, partial: PARTIAL_OVER };
  const clear = isWell ? { ...over.failed, ...over.held, ...over.partial } : over[from];
  const after = (now: NotifyBook): NotifyBook => ({ ...now, ...clear });
  // As long as something is held or fails, no notice says that one thing is over.
  if (!isWell && from === 'held') return [];
  return [{ notice: { on: 'recovered', from, isWell }, after }];
}

const PARTIAL_OVER = { partialAt: null, inTrouble: [] } as const;

/** Returns what was reported before and is over now. */
function overFor(book: NotifyBook, outcome: Outcome): 'failed' | 'held' | 'partial' | null {
  if (book.failedAt !== null) return 'failed';
  if (book.partialAt !== null && troubled(outcome) === 0) return 'partial';
  return book.wasHeld === true && outcome.held.length === 0 ? 'held' : null;
}

/** Returns how many records fail, or are inside for another reason than a guard that holds. */
const troubled = ({ failed: bad, leaversInside, heldInside }: Outcome): number =>
  bad + leaversInside - heldInside;

function held(book: NotifyBook, outcome: Outcome, repeatAt: number): readonly DueNotice[] {
  if (outcome.held.length === 0) return [];
  const unreported = outcome.held.filter(({ hash }) => book.held[hash] === undefined);
  const isOld = outcome.held.some(({ hash }) => isDue(book.held[hash] ?? outcome.at, outcome, repeatAt));
  if (unreported.length === 0 && !isOld) return [];
  const notice: Notice = { on: 'held', held: outcome.held, isReminder: unreported.length === 0 };
  const hashes = Object.fromEntries(outcome.held.map(({ hash }) => [hash, outcome.at]));
  return [{ notice, after: (now) => ({ ...now, held: hashes }) }];
}

function partial(book: NotifyBook, outcome: Outcome, repeatAt: number): readonly DueNotice[] {
  const { failed: bad, blocked, leaversInside, heldInside, troubles, inTrouble, at } = outcome;
  if (troubled(outcome) === 0) return [];
  const { partialAt } = book;
  const reported = new Set(book.inTrouble);
  const isNew = partialAt === null || inTrouble.some((key) => !reported.has(key));
  if (!isNew && !isDue(partialAt, outcome, repeatAt)) return [];
  const inside = leaversInside - heldInside;
  const notice: Notice = {
    on: 'partial',
    failed: bad,
    blocked,
    leaversInside: inside,
    troubles,
    isReminder: !isNew,
  };
  return [{ notice, after: (now) => ({ ...now, partialAt: at, inTrouble }) }];
}

function digest({ digest: { since } }: NotifyBook, { at, appliedSince }: Outcome): readonly DueNotice[] {
  const isDayOver = at - since >= DAY_MS || since > at;
  if (!isDayOver) return [];
  const counts = appliedSince(Math.min(since, at));
  const { named: _, ...numbers } = counts;
  if (!Object.values<number>(numbers).some((count) => count > 0)) return [];
  const after = (now: NotifyBook): NotifyBook => ({ ...now, digest: { since: at } });
  return [{ notice: { on: 'changes', since, counts }, after }];
}

/** The result of a run, as far as notices need it. */
export interface Outcome {
  /** Time of its end, ms since the epoch. */
  readonly at: number;
  readonly result: RunResult;
  /** Why it failed, as a sentence; the empty text where it did not. */
  readonly error: string;
  readonly held: readonly Held[];
  readonly failed: number;
  readonly blocked: number;
  /** The first records that fail or are blocked: name and reason. */
  readonly troubles: readonly string[];
  readonly leaversInside: number;
  /** Keys of the records that fail and of those who are inside for another reason than a guard that holds. */
  readonly inTrouble: readonly string[];
  /**
   * Those of `leaversInside` that stay active only because a guard holds them: the message about held changes
   * is about them.
   */
  readonly heldInside: number;
  /** Returns what was done since then, ms. */
  readonly appliedSince: (since: number) => Digest;
}

export const emptyBook = (now: number): NotifyBook => ({
  held: {},
  failures: 0,
  failedAt: null,
  partialAt: null,
  digest: { since: now },
  sent: [],
  lastError: null,
});

/** One message about a run. */
export type Notice =
  | { readonly on: 'held'; readonly held: readonly Held[]; readonly isReminder: boolean }
  | { readonly on: 'failed'; readonly error: string; readonly failures: number; readonly isReminder: boolean }
  | {
      readonly on: 'partial';
      readonly failed: number;
      readonly blocked: number;
      readonly leaversInside: number;
      readonly troubles: readonly string[];
      readonly isReminder: boolean;
    }
  | {
      readonly on: 'recovered';
      readonly from: 'failed' | 'held' | 'partial';
      /** Whether nothing is held or fails any more. */
      readonly isWell: boolean;
    }
  | { readonly on: 'changes'; readonly since: number; readonly counts: Digest };

type DigestKind = Digest['named'][number]['what'];

const OF_KIND: Readonly<Partial<Record<HistoryEntry['kind'], DigestKind>>> = {
  create: 'joined',
  adopt: 'joined',
  enable: 'joined',
  disable: 'left',
  remove: 'left',
  move: 'moved',
};

/** How many are named. */
const NAMED = 10;

/** Returns what was applied: people who joined or left, people and units that moved, and everything else. */
export function digestOf(entries: Iterable<HistoryEntry>): Digest {
  const counts = { joined: 0, left: 0, moved: 0, updated: 0 };
  const named: { readonly what: DigestKind; readonly name: string }[] = [];
  for (const entry of entries) {
    const what = digestKindOf(entry);
    counts[what ?? 'updated'] += 1;
    if (what === null || named.length === NAMED) continue;
    const name = `${entry.label} (${entry.id})`;
    if (!named.some((one) => one.what === what && one.name === name)) named.push({ what, name });
  }
  return { ...counts, named };
}

function digestKindOf(entry: HistoryEntry): DigestKind | null {
  const { subject, kind } = entry;
  if (subject === 'unit') return kind === 'move' ? 'moved' : null;
  return kind === 'update' && isInOtherUnits(entry) ? 'moved' : (OF_KIND[kind] ?? null);
}

/** Returns whether a person is in other units since. */
function isInOtherUnits({ places }: HistoryEntry): boolean {
  if (places === undefined) return false;
  const [before, after] = [places.before, places.after].map((all) =>
    all.map(({ unit }) => unit ?? '').toSorted((a, b) => (a < b ? -1 : 1)),
  );
  return JSON.stringify(before) !== JSON.stringify(after);
}

import type { Change, ChangeCounts, Held } from '../domain/changes.ts';
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
    standing: stillStanding(book, outcome),
    // A run that was stopped says nothing of the next one.
    failures: isFailed ? book.failures + 1 : outcome.result === 'stopped' ? book.failures : 0,
    sent: book.sent.filter((at) => at > outcome.at - DAY_MS && at <= outcome.at),
  };
}

function stillStanding(
  { standing: before = {} }: NotifyBook,
  { daemons }: Outcome,
): NonNullable<NotifyBook['standing']> {
  const { otherDaemon, reloadRefused } = before;
  return {
    ...(daemons.otherDaemons > 0 && otherDaemon !== undefined && { otherDaemon }),
    ...(daemons.reloadRefused !== null && reloadRefused !== undefined && { reloadRefused }),
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
  if (outcome.result === 'stopped') return [];
  const ofRun =
    outcome.result === 'failed'
      ? failed(book, outcome, repeatAt)
      : [
          ...recovered(book, outcome),
          ...held(book, outcome, repeatAt),
          ...partial(book, outcome, repeatAt),
          ...reported(book, outcome, repeatAt),
          ...digest(book, outcome),
        ];
  const isReportOnly = outcome.reported !== null;
  return [...standing(book, outcome, repeatAt), ...ofRun]
    .filter(({ notice }) => on.includes(OF_CHANGES.has(notice.on) ? 'changes' : 'problems'))
    .map(({ notice, after }) => ({ notice: isReportOnly ? { ...notice, isReportOnly } : notice, after }));
}

const OF_CHANGES: ReadonlySet<Notice['on']> = new Set(['changes', 'report']);

/** Returns whether a reminder is due, also if the time of the last notice lies in the future. */
const isDue = (last: number, { at }: Outcome, repeatAt: number): boolean => last <= repeatAt || last > at;

function standing(book: NotifyBook, outcome: Outcome, repeatAt: number): readonly DueNotice[] {
  const { at, daemons } = outcome;
  const { otherDaemons, reloadRefused } = daemons;
  const found = [
    ...(otherDaemons > 0 ? [{ on: 'otherDaemon', daemons: otherDaemons + 1 } as const] : []),
    ...(reloadRefused === null ? [] : [{ on: 'reloadRefused', reason: reloadRefused } as const]),
  ];
  return found.flatMap((one) => {
    const last = book.standing?.[one.on];
    if (last !== undefined && !isDue(last, outcome, repeatAt)) return [];
    const after = (now: NotifyBook): NotifyBook => ({ ...now, standing: { ...now.standing, [one.on]: at } });
    return [{ notice: { ...one, isReminder: last !== undefined }, after }];
  });
}

/** What would have been done, once a day while it is anything. */
function reported(book: NotifyBook, outcome: Outcome, repeatAt: number): readonly DueNotice[] {
  const { at, reported: planned } = outcome;
  const { reportedAt } = book;
  if (planned === null || isEmpty(planned.counts)) return [];
  if (reportedAt !== undefined && !isDue(reportedAt, outcome, repeatAt)) return [];
  return [{ notice: { on: 'report', ...planned }, after: (now) => ({ ...now, reportedAt: at }) }];
}

const isEmpty = ({ joined, left, moved, updated }: Digest): boolean => joined + left + moved + updated === 0;

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
  const known = new Set(book.inTrouble);
  const isNew = partialAt === null || inTrouble.some((key) => !known.has(key));
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
  if (isEmpty(counts)) return [];
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
  /** What would have been done; `null`: the run was one that sends. */
  readonly reported: Reported | null;
  /** How the daemons on the ledger stand. */
  readonly daemons: { readonly otherDaemons: number; readonly reloadRefused: string | null };
  /** Returns what was done since then, ms. */
  readonly appliedSince: (since: number) => Digest;
}

/** What a run that came to no end says: the ledger is not asked, which may be what failed. */
export const NOTHING_KNOWN = {
  held: [],
  failed: 0,
  blocked: 0,
  troubles: [],
  leaversInside: 0,
  heldInside: 0,
  inTrouble: [],
  appliedSince: () => digestOf([]),
} satisfies Partial<Outcome>;

export const emptyBook = (now: number): NotifyBook => ({
  held: {},
  failures: 0,
  failedAt: null,
  partialAt: null,
  digest: { since: now },
  sent: [],
  lastError: null,
});

/** What a run would have done that sends nothing. */
export interface Reported {
  /** What was planned, also if it is held. */
  readonly counts: Digest;
  /** How many of the changes a guard holds. */
  readonly held: number;
}

/** One message about a run; `isReportOnly`: one that sends nothing. */
export type Notice = About & { readonly isReportOnly?: boolean };

type About =
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
  | ({ readonly on: 'report' } & Reported)
  | { readonly on: 'otherDaemon'; readonly daemons: number; readonly isReminder: boolean }
  | { readonly on: 'reloadRefused'; readonly reason: string; readonly isReminder: boolean }
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

/** Returns what a plan comes to, in the words of a digest. */
export function plannedDigest({ units, people }: ChangeCounts, named: Digest['named']): Digest {
  const { create, adopt, enable, disable, remove, update } = people;
  const updated = update + units.create + units.adopt + units.update + units.remove;
  return { joined: create + adopt + enable, left: disable + remove, moved: units.move, updated, named };
}

/** Returns the first records of a plan whose changes nothing holds, and what would become of them. */
export function firstPlanned(
  changes: Iterable<{ readonly goesOn: boolean; readonly change: Change }>,
): Digest['named'] {
  const named: Digest['named'][number][] = [];
  for (const { change, goesOn } of changes) {
    if (named.length === NAMED) break;
    const { subject, kind, id } = change;
    const label = change.subject === 'unit' ? change.name : change.username;
    const what = subject === 'unit' && kind !== 'move' ? 'updated' : (OF_KIND[kind] ?? 'updated');
    if (goesOn) named.push({ what, name: `${label} (${id})` });
  }
  return named;
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

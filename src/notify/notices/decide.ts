import type { NotifySettings } from '../../domain/settings.ts';
import type { Digest, NotifyBook } from '../../domain/records/notify-book.ts';
import { NO_DIGEST, type Notice, type Outcome } from './outcome.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A run that fails once or twice is followed by one that does not: nobody is told before the third. */
const FAILURES_TOLD = 3;

/** A notice, and the book as it is once that was told. */
export interface Told {
  readonly notice: Notice;
  readonly after: (book: NotifyBook) => NotifyBook;
}

/** Returns the book with what this run adds to it, whether anybody is told or not. */
export function counted(book: NotifyBook, outcome: Outcome): NotifyBook {
  const isFailed = outcome.result === 'failed';
  const { since, counts } = book.digest;
  return {
    ...book,
    // A run that was stopped says nothing of the next one.
    failures: isFailed ? book.failures + 1 : outcome.result === 'stopped' ? book.failures : 0,
    digest: { since, counts: sum(counts, appliedBy(outcome)) },
    sent: book.sent.filter((at) => at > outcome.at - DAY_MS && at <= outcome.at),
  };
}

/**
 * Returns what somebody is to be told after a run: what has changed since it was told last, and what has lasted for so
 * long that it is told again. Pure.
 */
export function decideNotices(
  book: NotifyBook,
  outcome: Outcome,
  { on, remindHours }: Pick<NotifySettings, 'on' | 'remindHours'>,
): readonly Told[] {
  const again = outcome.at - remindHours * HOUR_MS;
  const told =
    outcome.result === 'failed'
      ? failed(book, outcome, again)
      : outcome.result === 'stopped'
        ? []
        : [
            ...recovered(book, outcome),
            ...held(book, outcome, again),
            ...partial(book, outcome, again),
            ...digest(book, outcome),
          ];
  return told.filter(({ notice }) => on.includes(notice.on));
}

/** Returns whether something that was told then is told again: also where its time is in the future. */
const isDue = (told: number, { at }: Outcome, again: number): boolean => told <= again || told > at;

function failed(book: NotifyBook, outcome: Outcome, again: number): readonly Told[] {
  const { failures, failedAt } = book;
  if (failures < FAILURES_TOLD || (failedAt !== null && !isDue(failedAt, outcome, again))) return [];
  const { error, at } = outcome;
  const notice: Notice = { on: 'failed', error, failures, isReminder: failedAt !== null };
  return [{ notice, after: (now) => ({ ...now, failedAt: at }) }];
}

function recovered(book: NotifyBook, { held: now, failed: bad, leaversInside }: Outcome): readonly Told[] {
  const from =
    book.failedAt !== null
      ? 'failed'
      : Object.keys(book.held).length > 0 && now.length === 0
        ? 'held'
        : book.partialAt !== null && bad + leaversInside === 0
          ? 'partial'
          : null;
  if (from === null) return [];
  const clear = { failed: { failedAt: null }, held: { held: {} }, partial: { partialAt: null } }[from];
  return [{ notice: { on: 'recovered', from }, after: (after) => ({ ...after, ...clear }) }];
}

function held(book: NotifyBook, outcome: Outcome, again: number): readonly Told[] {
  if (outcome.held.length === 0) return [];
  const news = outcome.held.filter(({ hash }) => book.held[hash] === undefined);
  const isOld = outcome.held.some(({ hash }) => isDue(book.held[hash] ?? outcome.at, outcome, again));
  if (news.length === 0 && !isOld) return [];
  const notice: Notice = { on: 'held', held: outcome.held, isReminder: news.length === 0 };
  const hashes = Object.fromEntries(outcome.held.map(({ hash }) => [hash, outcome.at]));
  return [{ notice, after: (now) => ({ ...now, held: hashes }) }];
}

function partial(book: NotifyBook, outcome: Outcome, again: number): readonly Told[] {
  const { failed: bad, blocked, leaversInside, troubles, at } = outcome;
  if (bad + leaversInside === 0) return [];
  const { partialAt } = book;
  if (partialAt !== null && !isDue(partialAt, outcome, again)) return [];
  const isReminder = partialAt !== null;
  const notice: Notice = { on: 'partial', failed: bad, blocked, leaversInside, troubles, isReminder };
  return [{ notice, after: (now) => ({ ...now, partialAt: at }) }];
}

function digest({ digest: { since, counts } }: NotifyBook, { at }: Outcome): readonly Told[] {
  const isDayOver = at - since >= DAY_MS || since > at;
  if (!isDayOver) return [];
  const after = (now: NotifyBook): NotifyBook => ({ ...now, digest: { since: at, counts: NO_DIGEST } });
  const isAny = Object.values<number>({ ...counts }).some((count) => count > 0);
  return isAny ? [{ notice: { on: 'changes', since, counts }, after }] : [];
}

/** Returns what a run did; what it held was not done, and a run that was held as a whole did nothing of it. */
function appliedBy({ counts: { units, people }, result, held: holds }: Outcome): Digest {
  if (result === 'failed' || result === 'stopped') return NO_DIGEST;
  const less = (guards: readonly string[]): number =>
    holds.filter(({ guard }) => guards.includes(guard)).reduce((all, { count }) => all + count, 0);
  return {
    joined: Math.max(0, people.create + people.enable + people.adopt - less(['joiners', 'adopted', 'gone'])),
    left: Math.max(0, people.disable + people.remove - less(['leavers'])),
    moved: Math.max(0, units.move - less(['unitsMoved'])),
    updated: Math.max(0, people.update - less(['updates', 'emptied'])),
  };
}

function sum(a: Digest, b: Digest): Digest {
  return {
    joined: a.joined + b.joined,
    left: a.left + b.left,
    moved: a.moved + b.moved,
    updated: a.updated + b.updated,
  };
}

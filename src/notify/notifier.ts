import { AmbiguousError, sentenceOf } from '../domain/errors.ts';
import type { Log } from '../domain/events.ts';
import type { Attachment, Messenger } from '../domain/ports/messenger.ts';
import type { NotifyBook } from '../domain/ports/ledger/ledger-facts.ts';
import type { NotifySettings } from '../domain/settings.ts';
import { counted, decideNotices, emptyBook, type Outcome, type DueNotice } from './notices.ts';
import { compose } from './compose.ts';

/** Messages within a day: more of them would not be read. */
const MOST_A_DAY = 20;
/** After a message that was refused the next one is tried after so many ms. */
const PAUSE_MS = 600_000;

/** What stays in the book where the process ends before it knows more. */
const CUT_OFF = 'rollcall ended while it was on its way: it may have arrived';

/** Where the book is kept between runs. */
export interface NotifyStore {
  load(): NotifyBook | null;
  save(book: NotifyBook): void;
}

interface NotifierDeps {
  readonly settings: NotifySettings;
  readonly store: NotifyStore;
  readonly messenger: Messenger;
  /** The plan as a page, which goes along with what is held; `null`: there is none. */
  readonly page: Attachment | null;
  /** Whether answers release what is held. */
  readonly takesReplies: boolean;
  readonly log: Log;
}

/**
 * Sends messages about the result of a run, if it is news. It never throws: a message that fails is recorded,
 * and the run has ended as it has ended.
 */
export async function notify(deps: NotifierDeps, outcome: Outcome, signal: AbortSignal): Promise<void> {
  try {
    await sendDue(deps, outcome, signal);
  } catch (error) {
    deps.log.note('warn', 'no message about the run could be sent', { reason: sentenceOf(error) });
  }
}

async function sendDue(deps: NotifierDeps, outcome: Outcome, signal: AbortSignal): Promise<void> {
  const { settings, store } = deps;
  let book = counted(store.load() ?? emptyBook(outcome.at), outcome);
  const { lastError } = book;
  const isPaused = lastError !== null && Math.abs(outcome.at - lastError.at) < PAUSE_MS;
  const due = isPaused ? [] : decideNotices(book, outcome, settings);
  const { waitingSince = outcome.at, ...rest } = book;
  book = due.length > 0 && book.sent.length >= MOST_A_DAY ? { ...rest, waitingSince } : rest;
  store.save(book);
  for (const notice of due) {
    if (book.sent.length >= MOST_A_DAY) break;
    book = await send(deps, { book, due: notice, at: outcome.at }, signal);
    if (book.lastError !== null) break;
  }
}

interface Sending {
  readonly book: NotifyBook;
  readonly due: DueNotice;
  readonly at: number;
}

/**
 * Sends one message. It is recorded as sent before it goes out: afterwards nothing shows whether it did, and a message
 * is never sent twice. Only what was surely not sent is taken back.
 */
async function send(deps: NotifierDeps, sending: Sending, signal: AbortSignal): Promise<NotifyBook> {
  const { settings, store, messenger, takesReplies, log } = deps;
  const {
    book,
    due: { notice, after },
    at,
  } = sending;
  const done: NotifyBook = { ...after(book), sent: [...book.sent, at], lastError: null };
  store.save({ ...done, lastError: { at, reason: CUT_OFF } });
  try {
    await messenger.push(settings.to, compose(notice, { ...settings, takesReplies }), signal);
    store.save(done);
    return notice.on === 'held' && !notice.isReminder ? await attach(deps, { book: done, at }, signal) : done;
  } catch (error) {
    const reason = sentenceOf(error);
    log.note('warn', 'a message about the run was not taken', { about: notice.on, reason });
    const isPerhapsSent = error instanceof AmbiguousError && !error.throttled;
    const failed: NotifyBook = { ...(isPerhapsSent ? done : book), lastError: { at, reason } };
    store.save(failed);
    return failed;
  }
}

/** Sends the page after the message, which says all that matters: where it cannot be sent, that is only logged. */
async function attach(
  { settings, store, messenger, page, log }: NotifierDeps,
  { book, at }: Pick<Sending, 'book' | 'at'>,
  signal: AbortSignal,
): Promise<NotifyBook> {
  if (page === null || book.sent.length >= MOST_A_DAY) return book;
  const counting: NotifyBook = { ...book, sent: [...book.sent, at] };
  try {
    const { mediaId, size } = await messenger.uploadFile(page, signal);
    store.save(counting);
    await messenger.push(settings.to, { type: 'file', mediaId, name: page.name, size }, signal);
  } catch (error) {
    log.note('warn', 'the page of the plan could not be sent along', { reason: sentenceOf(error) });
  }
  return counting;
}

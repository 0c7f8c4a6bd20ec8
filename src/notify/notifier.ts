import { AmbiguousError, sentenceOf } from '../domain/errors.ts';
import type { Log } from '../domain/events.ts';
import type { Attachment } from '../domain/ports/messenger.ts';
import type { NotifyBook } from '../domain/ports/ledger/ledger-facts.ts';
import type { ChannelName, NotifySettings } from '../domain/settings.ts';
import type { Channel } from './channel.ts';
import { counted, decideNotices, emptyBook, type Outcome, type DueNotice } from './notices.ts';
import { compose } from './compose.ts';

/** Messages within a day: more of them would not be read. */
const MOST_A_DAY = 20;
/** After a message that was refused the next one is tried after so many ms. */
const PAUSE_MS = 600_000;

/** What stays in the book where the process ends before it knows more. */
const CUT_OFF = 'rollcall ended while it was on its way: it may have arrived';

/** Where the book of a channel is kept between runs. */
export interface NotifyStore {
  load(): NotifyBook | null;
  save(book: NotifyBook): void;
}

interface NotifierDeps {
  readonly settings: Pick<NotifySettings, 'on' | 'language'>;
  readonly channels: readonly Channel[];
  readonly storeOf: (channel: ChannelName) => NotifyStore;
  /** Id of the run. */
  readonly run: string;
  /** The plan as a page, which goes along with what is held; `null`: there is none. */
  readonly page: Attachment | null;
  /** Counts a notice that was not taken. */
  readonly failed: (channel: ChannelName) => void;
  readonly log: Log;
}

/** The same for one channel. */
interface ChannelDeps extends NotifierDeps {
  readonly channel: Channel;
  readonly store: NotifyStore;
}

/**
 * Sends notices about the result of a run on each channel for which it is news. It never throws: a notice that fails is
 * recorded for its channel alone, and the run has ended as it has ended.
 */
export async function notify(deps: NotifierDeps, outcome: Outcome, signal: AbortSignal): Promise<void> {
  const all = deps.channels.map(async (channel) => {
    try {
      await sendDue({ ...deps, channel, store: deps.storeOf(channel.name) }, outcome, signal);
    } catch (error) {
      const reason = sentenceOf(error);
      deps.log.note('warn', 'no message about the run could be sent', { channel: channel.name, reason });
    }
  });
  await Promise.all(all);
}

async function sendDue(deps: ChannelDeps, outcome: Outcome, signal: AbortSignal): Promise<void> {
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
async function send(deps: ChannelDeps, sending: Sending, signal: AbortSignal): Promise<NotifyBook> {
  const { settings, store, channel, run, log } = deps;
  const {
    book,
    due: { notice, after },
    at,
  } = sending;
  const isFirstHold = notice.on === 'held' && !notice.isReminder;
  const page = isFirstHold ? deps.page : null;
  const done: NotifyBook = { ...after(book), sent: [...book.sent, at], lastError: null };
  store.save({ ...done, lastError: { at, reason: CUT_OFF } });
  try {
    const { content: text } = compose(notice, { ...settings, takesReplies: channel.takesReplies });
    const [title = ''] = text.split('\n', 1);
    await channel.send({ notice, run, at, title, text, page }, signal);
    store.save(done);
    return await attach({ ...deps, page }, { book: done, at }, signal);
  } catch (error) {
    const reason = sentenceOf(error);
    deps.failed(channel.name);
    log.note('warn', 'a message about the run was not taken', {
      channel: channel.name,
      about: notice.on,
      reason,
    });
    const isPerhapsSent = error instanceof AmbiguousError && !error.throttled;
    const failed: NotifyBook = { ...(isPerhapsSent ? done : book), lastError: { at, reason } };
    store.save(failed);
    return failed;
  }
}

/** Sends the page after the message, which says all that matters: where it cannot be sent, that is only logged. */
async function attach(
  { store, channel, page, log }: ChannelDeps,
  { book, at }: Pick<Sending, 'book' | 'at'>,
  signal: AbortSignal,
): Promise<NotifyBook> {
  if (channel.sendPage === undefined || page === null || book.sent.length >= MOST_A_DAY) return book;
  const counting: NotifyBook = { ...book, sent: [...book.sent, at] };
  try {
    store.save(counting);
    await channel.sendPage(page, signal);
  } catch (error) {
    log.note('warn', 'the page of the plan could not be sent along', { reason: sentenceOf(error) });
  }
  return counting;
}

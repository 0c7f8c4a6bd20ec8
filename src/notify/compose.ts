import type { Held } from '../domain/changes.ts';
import type { Message } from '../domain/ports/messenger.ts';
import type { Digest } from '../domain/ports/ledger/ledger-facts.ts';
import type { NotifySettings } from '../domain/settings.ts';
import { withoutContacts } from '../domain/text/hide.ts';
import { printable } from '../domain/text/printable.ts';
import { LANGUAGES, type Language } from './languages.ts';
import type { Notice } from './notices.ts';

/** How many records a message names. */
const NAMED = 10;
const LONGEST_LINE = 300;

/** How messages are written. */
interface Composing extends Pick<NotifySettings, 'language'> {
  /** Whether an answer to the message releases what is held. */
  readonly takesReplies?: boolean | undefined;
}

type TextMessage = Extract<Message, { readonly type: 'text' }>;

/** Returns the message of a notice. */
export function compose(notice: Notice, { language, takesReplies = false }: Composing): TextMessage {
  const words = LANGUAGES[language];
  const title = titleOf(notice, words);
  const { isReportOnly = false } = notice;
  const style = { words, takesReplies: takesReplies && !isReportOnly };
  const lines = [...(isReportOnly ? [words.reportOnly] : []), ...bodyOf(notice, style), words.more];
  return { type: 'text', content: [title, ...lines].join('\n') };
}

interface Style {
  readonly words: Language;
  readonly takesReplies: boolean;
}

type NoticeOn<On extends Notice['on']> = Extract<Notice, { readonly on: On }>;
type Bodies = { readonly [On in Notice['on']]: (notice: NoticeOn<On>, style: Style) => readonly string[] };

const BODIES: Bodies = {
  held: ({ held }, style) => held.flatMap((group) => heldLines(group, style)),
  failed: (notice, { words }) => words.failed({ ...notice, error: discreet(notice.error) }),
  partial: (notice, { words }) => [
    ...words.partial(notice),
    ...notice.troubles.slice(0, NAMED).map((line) => `- ${discreet(line)}`),
  ],
  recovered: ({ from, isWell }, { words }) => (isWell ? [words.recovered[from]] : [words.recovered.still]),
  report: ({ counts, held }, { words }) => [
    ...digestLines(counts, words),
    ...(held > 0 ? [words.heldOfThem(held)] : []),
  ],
  otherDaemon: ({ daemons }, { words }) => [words.otherDaemon(daemons)],
  reloadRefused: ({ reason }, { words }) => [words.reloadRefused, discreet(reason)],
  changes: ({ counts }, { words }) => digestLines(counts, words),
};

function titleOf(notice: Notice, { title }: Language): string {
  const of = title[notice.on] as (one: Notice) => string;
  return of(notice);
}

function bodyOf(notice: Notice, style: Style): readonly string[] {
  const of = BODIES[notice.on] as (one: Notice, style: Style) => readonly string[];
  return of(notice, style);
}

function digestLines(counts: Digest, words: Language): readonly string[] {
  const { named, joined, left, moved } = counts;
  const shown = named.slice(0, NAMED);
  const rest = joined + left + moved - shown.length;
  return [
    ...words.digest(counts),
    ...shown.map(({ what, name }) => `- ${words.done[what]}: ${discreet(name)}`),
    ...(rest > 0 && shown.length > 0 ? [words.andMore(rest)] : []),
  ];
}

function heldLines(held: Held, { words, takesReplies }: Style): readonly string[] {
  const { first, count, guard, hash, about, cause } = held;
  const named = first.slice(0, NAMED);
  const rest = count - named.length;
  return [
    words.heldLine(held, words.guard(guard)),
    ...(about === '' ? [] : [discreet(about)]),
    ...(cause === null ? [] : [discreet(cause)]),
    ...named.map((name) => `- ${discreet(name)}`),
    ...(rest > 0 && named.length > 0 ? [words.andMore(rest)] : []),
    words.release(hash),
    ...(takesReplies ? [words.releaseByReply(hash)] : []),
  ];
}

/** Returns words of records or errors without mail addresses, phone numbers and what would steer a terminal, at most 300 characters long. */
export function discreet(line: string): string {
  const shown = withoutContacts(printable(line));
  return shown.length <= LONGEST_LINE ? shown : `${shown.slice(0, LONGEST_LINE - 1)}…`;
}

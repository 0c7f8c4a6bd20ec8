import type { Held } from '../../domain/changes.ts';
import type { Message } from '../../domain/ports/messenger.ts';
import type { NotifySettings } from '../../domain/settings.ts';
import { printable } from '../../domain/text/printable.ts';
import type { Notice } from '../notices/outcome.ts';
import { CHINESE } from './chinese.ts';
import { ENGLISH } from './english.ts';
import type { Language } from './language.ts';

const LANGUAGES = { en: ENGLISH, zh: CHINESE } as const satisfies Record<
  NotifySettings['language'],
  Language
>;

/** How many records a message names. */
const NAMED = 10;
const LONGEST_LINE = 300;

/** Returns the message of a notice: as plain text, or with the template of the configuration. */
export function compose(
  notice: Notice,
  { language, template }: Pick<NotifySettings, 'language' | 'template'>,
): Message {
  const words = LANGUAGES[language];
  const title = titleOf(notice, words);
  const lines = [...bodyOf(notice, words), words.more];
  if (template === undefined) return { type: 'text', content: [title, ...lines].join('\n') };
  return { type: 'template', templateId: template, data: { title, text: lines.join('\n') } };
}

type Of<On extends Notice['on']> = Extract<Notice, { readonly on: On }>;
type Bodies = { readonly [On in Notice['on']]: (notice: Of<On>, words: Language) => readonly string[] };

const BODIES: Bodies = {
  held: ({ held }, words) => held.flatMap((one) => heldLines(one, words)),
  failed: (notice, words) => words.failed({ ...notice, error: discreet(notice.error) }),
  partial: (notice, words) => [
    ...words.partial(notice),
    ...notice.troubles.slice(0, NAMED).map((line) => `- ${discreet(line)}`),
  ],
  recovered: ({ from }, words) => [words.recovered[from]],
  changes: ({ counts }, words) => words.digest(counts),
};

function titleOf(notice: Notice, { title }: Language): string {
  const of = title[notice.on] as (one: Notice) => string;
  return of(notice);
}

function bodyOf(notice: Notice, words: Language): readonly string[] {
  const of = BODIES[notice.on] as (one: Notice, language: Language) => readonly string[];
  return of(notice, words);
}

function heldLines(held: Held, words: Language): readonly string[] {
  const { first, count, guard, hash, cause } = held;
  const named = first.slice(0, NAMED);
  const rest = count - named.length;
  return [
    words.heldLine(held, words.guards[guard]),
    ...(cause === null ? [] : [discreet(cause)]),
    ...named.map((name) => `- ${discreet(name)}`),
    ...(rest > 0 && named.length > 0 ? [words.andMore(rest)] : []),
    words.release(hash),
  ];
}

/** Digits of a phone number, with what stands between them; an id of a few digits is none. */
const PHONE = /\+?\d[\d ()./-]{7,}\d/gu;
const MAIL = /([\p{L}\p{N}._%+-]{1,64})@[^\s@<>(),;:]+\.[^\s@<>(),;:]+/gu;

/** Returns words of records or errors without mail addresses, phone numbers and what would steer a terminal, at most 300 characters long. */
function discreet(line: string): string {
  const shown = printable(line).replace(MAIL, '$1@…').replace(PHONE, '…');
  return shown.length <= LONGEST_LINE ? shown : `${shown.slice(0, LONGEST_LINE - 1)}…`;
}

import type { Held } from '../domain/changes.ts';
import type { ReceivedMessage } from '../domain/ports/messenger.ts';
import type { Reply } from '../domain/records/approval.ts';
import type { NotifySettings } from '../domain/settings.ts';
import { LANGUAGES, type Language } from './languages.ts';

/** Who may approve. */
export interface ListedSender {
  /** Usernames as the service spells them. */
  readonly approvers: readonly string[];
  /** Names of the domain in callbacks. */
  readonly domains: readonly string[];
}

/** What is known when a listed approver has answered. */
export interface KnownHash {
  /** Username of the approver. */
  readonly by: string;
  /** What is held now. */
  readonly held: readonly Held[];
  /** Answers that no run has taken yet. */
  readonly open: readonly Reply[];
  /** Returns whether what is held under the hash changes the approver's own account. */
  readonly isAmongHeld: (hash: string) => boolean;
  /** The daemon sends nothing (`sync.mode: report`). */
  readonly isReportOnly: boolean;
}

/**
 * What an answer comes to:
 * - `stranger`: not from an active account that may release anything, or without a sender
 * - `otherDomain`: an approver's name, of a domain that is not accepted
 * - `nothing`: a picture, or an event such as those that follow each message: no answer
 * - `help`: nothing that releases; it is said what would
 * - `unknown`: a hash under which nothing is held
 * - `again`: it is released already, and the run is on its way
 * - `own`: the approver's own account is among the changes
 * - `reportOnly`: the daemon sends nothing, so nothing can be released
 * - `release`: to be recorded; then a run begins
 */
export type Decision =
  | { readonly is: 'nothing' }
  | { readonly is: 'stranger' }
  | { readonly is: 'otherDomain'; readonly domain: string }
  | { readonly is: 'help'; readonly by: string; readonly held: readonly Held[] }
  | { readonly is: 'unknown'; readonly by: string; readonly hash: string; readonly held: readonly Held[] }
  | { readonly is: 'again'; readonly by: string; readonly before: string }
  | { readonly is: 'own'; readonly by: string; readonly hash: string }
  | { readonly is: 'reportOnly'; readonly by: string; readonly hash: string }
  | { readonly is: 'release'; readonly by: string; readonly reply: Reply };

/** Returns the listed approver whose name the message has, letter by letter; else what the message comes to. Pure. */
export function decideSender(
  { from, domain, text, isEvent }: ReceivedMessage,
  { approvers, domains }: ListedSender,
): { readonly is: 'listed'; readonly by: string } | Decision {
  if (text === null || (isEvent && parseReply(text) === null)) return { is: 'nothing' };
  if (from === null || !approvers.includes(from)) return { is: 'stranger' };
  return domain === null || domains.includes(domain)
    ? { is: 'listed', by: from }
    : { is: 'otherDomain', domain };
}

/** Decides what the answer of an approver comes to. Pure. */
export function decideReply({ signature, text, at }: ReceivedMessage, known: KnownHash): Decision {
  const { by, held, open, isAmongHeld, isReportOnly } = known;
  const hash = parseReply(text ?? '');
  if (isReportOnly) return { is: 'reportOnly', by, hash: hash ?? 'HASH' };
  if (hash === null) return { is: 'help', by, held };
  const before = open.find((reply) => reply.hash === hash);
  if (before !== undefined) return { is: 'again', by, before: before.by };
  const group = held.find((candidate) => candidate.hash === hash);
  if (group === undefined) return { is: 'unknown', by, hash, held };
  if (isAmongHeld(hash)) return { is: 'own', by, hash };
  return { is: 'release', by, reply: { signature, hash, by, text: text ?? '', at, count: group.count } };
}

/** The documented forms. Capitals do not matter: telephones begin a sentence with one. */
const REPLY = /^\s*(?:approve|批准)\s+(?<hash>[\da-f]{12})\s*$/iu;

/** Returns the hash that an answer releases, in lower case; `null` if it is anything but `approve HASH` or 批准 HASH. */
export function parseReply(text: string): string | null {
  return REPLY.exec(text)?.groups?.['hash']?.toLowerCase() ?? null;
}

type DecisionOf<Is extends Decision['is']> = Extract<Decision, { readonly is: Is }>;
type Answers = {
  readonly [Is in Decision['is']]: (decision: DecisionOf<Is>, words: Language) => readonly string[];
};

const ANSWERS: Answers = {
  nothing: () => ['ok'],
  stranger: (_, { answers }) => [answers.stranger],
  otherDomain: (_, { answers }) => [answers.otherDomain],
  help: ({ held }, words) => howTo(held, words),
  unknown: ({ hash, held }, words) => [words.answers.unknown(hash), ...howTo(held, words)],
  again: ({ before }, { answers }) => [answers.alreadyReleased(before)],
  own: ({ hash }, { answers }) => [answers.ownAccount(hash)],
  reportOnly: ({ hash }, { answers }) => [answers.reportOnly(hash)],
  release: ({ reply }, { answers }) => [answers.accepted(reply.count)],
};

/** Returns the immediate answer to an approver. */
export function answerTo(decision: Decision, language: NotifySettings['language']): string {
  const of = ANSWERS[decision.is] as (one: Decision, words: Language) => readonly string[];
  return of(decision, LANGUAGES[language]).join('\n');
}

function howTo(held: readonly Held[], { answers, guard: nameOf }: Language): readonly string[] {
  if (held.length === 0) return [answers.nothingHeld];
  return [
    answers.howTo,
    ...held.map(({ guard, hash, count }) => `approve ${hash} (${nameOf(guard)}: ${count})`),
  ];
}

/** What an answer came to. */
interface Result {
  readonly reply: Reply;
  /** How many changes its hash released; `null`: nothing was held under it any more. */
  readonly released: number | null;
  /** How many of them are not done. */
  readonly remaining: number;
}

/** Returns the answer to an approver after a run has handled the reply. */
export function resultOf(
  { reply: { hash, count }, released, remaining: left }: Result,
  language: NotifySettings['language'],
): string {
  const { answers, more } = LANGUAGES[language];
  if (released === null) return answers.notHeld(hash);
  if (left > 0) return [answers.partlyDone(hash, left, released), more].join('\n');
  return released < count ? answers.releasedOf(hash, released, count) : answers.released(hash);
}

/** Returns what is answered to a callback that was taken before, perhaps by an earlier process. */
export const repeatedAnswer = (language: NotifySettings['language']): string =>
  LANGUAGES[language].answers.repeated;

/** Returns the answer to an approver whose reply could not be recorded. */
export const busyAnswer = (language: NotifySettings['language']): string => LANGUAGES[language].answers.busy;

import type { Held } from '../../domain/changes.ts';
import type { Reply } from '../../domain/records/approval.ts';
import type { NotifySettings } from '../../domain/settings.ts';
import type { Decision } from '../replies/decide-reply.ts';
import { LANGUAGES } from './compose.ts';
import type { Language } from './language.ts';

type Of<Is extends Decision['is']> = Extract<Decision, { readonly is: Is }>;
type Answers = {
  readonly [Is in Decision['is']]: (decision: Of<Is>, words: Language) => readonly string[];
};

const ANSWERS: Answers = {
  nothing: () => ['ok'],
  stranger: (_, { answers }) => [answers.stranger],
  otherDomain: (_, { answers }) => [answers.otherDomain],
  help: ({ held }, words) => howTo(held, words),
  unknown: ({ hash, held }, words) => [words.answers.unknown(hash), ...howTo(held, words)],
  again: ({ before }, { answers }) => [answers.again(before)],
  own: ({ hash }, { answers }) => [answers.own(hash)],
  release: ({ reply }, { answers }) => [answers.taken(reply.count)],
};

/** Returns what somebody is answered at once. */
export function answerTo(decision: Decision, language: NotifySettings['language']): string {
  const of = ANSWERS[decision.is] as (one: Decision, words: Language) => readonly string[];
  return of(decision, LANGUAGES[language]).join('\n');
}

function howTo(held: readonly Held[], { answers, guards }: Language): readonly string[] {
  if (held.length === 0) return [answers.nothingHeld];
  return [
    answers.howTo,
    ...held.map(({ guard, hash, count }) => `approve ${hash} (${guards[guard]}: ${count})`),
  ];
}

/** What an answer came to. */
export interface Result {
  readonly reply: Reply;
  /** How many changes its hash released; `null`: nothing was held under it any more. */
  readonly released: number | null;
  /** How many of them are not done. */
  readonly left: number;
}

/** Returns what an approver is told once a run has taken the answer. */
export function resultOf(
  { reply: { hash }, released, left }: Result,
  language: NotifySettings['language'],
): string {
  const { answers, more } = LANGUAGES[language];
  if (released === null) return answers.gone(hash);
  return left === 0 ? answers.done(hash) : [answers.partly(hash, left, released), more].join('\n');
}

/** Returns what is answered to a callback that was taken before, perhaps by an earlier process. */
export const repeatedAnswer = (language: NotifySettings['language']): string =>
  LANGUAGES[language].answers.repeated;

/** Returns what an approver is told whose answer could not be noted. */
export const busyAnswer = (language: NotifySettings['language']): string => LANGUAGES[language].answers.busy;

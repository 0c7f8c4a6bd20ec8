import type { Held } from '../../domain/changes.ts';
import type { Guard } from '../../domain/settings.ts';
import type { Digest } from '../../domain/records/notify-book.ts';
import type { Notice } from '../notices/outcome.ts';

type Of<On extends Notice['on']> = Extract<Notice, { readonly on: On }>;

/** What somebody is answered who has answered a message. */
export interface AnswerWords {
  readonly stranger: string;
  readonly otherDomain: string;
  readonly nothingHeld: string;
  /** The line above those that say what releases what. */
  readonly howTo: string;
  readonly unknown: (hash: string) => string;
  readonly again: (before: string) => string;
  readonly own: (hash: string) => string;
  readonly taken: (count: number) => string;
  readonly repeated: string;
  readonly busy: string;
  readonly gone: (hash: string) => string;
  readonly done: (hash: string) => string;
  readonly partly: (hash: string, left: number, of: number) => string;
}

/** The words of one language for everything that somebody is told. */
export interface Language {
  readonly guards: Readonly<Record<Guard, string>>;
  readonly title: { readonly [On in Notice['on']]: (notice: Of<On>) => string };
  /** One guard: how many changes against which limit. */
  readonly heldLine: (held: Held, guard: string) => string;
  readonly release: (hash: string) => string;
  /** How an approver releases it by an answer. */
  readonly releaseByReply: (hash: string) => string;
  readonly andMore: (count: number) => string;
  readonly failed: (notice: Of<'failed'>) => readonly string[];
  readonly partial: (notice: Of<'partial'>) => readonly string[];
  /** `still`: something else is held or fails all the same. */
  readonly recovered: Readonly<Record<Of<'recovered'>['from'] | 'still', string>>;
  readonly digest: (counts: Digest) => readonly string[];
  readonly done: Readonly<Record<Digest['named'][number]['what'], string>>;
  readonly answers: AnswerWords;
  /** The last line of every message. */
  readonly more: string;
}

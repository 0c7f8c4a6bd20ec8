import type { Held } from '../../domain/changes.ts';
import type { Guard } from '../../domain/settings.ts';
import type { Digest } from '../../domain/records/notify-book.ts';
import type { Notice } from '../notices/outcome.ts';

type Of<On extends Notice['on']> = Extract<Notice, { readonly on: On }>;

/** The words of one language for everything that somebody is told. */
export interface Language {
  readonly guards: Readonly<Record<Guard, string>>;
  readonly title: { readonly [On in Notice['on']]: (notice: Of<On>) => string };
  /** One guard: how many changes against which limit. */
  readonly heldLine: (held: Held, guard: string) => string;
  readonly release: (hash: string) => string;
  readonly andMore: (count: number) => string;
  readonly failed: (notice: Of<'failed'>) => readonly string[];
  readonly partial: (notice: Of<'partial'>) => readonly string[];
  readonly recovered: Readonly<Record<Of<'recovered'>['from'], string>>;
  readonly digest: (counts: Digest) => readonly string[];
  /** The last line of every message. */
  readonly more: string;
}

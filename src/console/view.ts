import type { Ledger } from '../domain/ports/ledger/ledger.ts';
import type { SourceRules } from '../domain/reading/source.ts';
import type { Settings } from '../domain/settings.ts';
import type { Markup } from '../page/markup.ts';
import type { StatusRequest } from '../report/read-status.ts';

/** What a view is made of. */
export interface Asked extends Pick<StatusRequest, 'now' | 'requireWritable'> {
  readonly ledger: Ledger;
  readonly settings: Pick<Settings, 'state' | 'sync'>;
  /** The rules that map records of the source. */
  readonly rules: () => SourceRules;
  /** Returns a value of the query, without blanks around it; empty if there is none. */
  readonly query: (name: string) => string;
}

export interface Viewed {
  readonly title: string;
  readonly body: readonly Markup[];
}

/** Reads what it shows from the ledger. Throws a ConfigError for a query that cannot be answered. */
export type View = (asked: Asked) => Viewed;

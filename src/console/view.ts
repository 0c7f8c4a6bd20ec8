import type { Ledger } from '../domain/ports/ledger/ledger.ts';
import type { SourceRules } from '../domain/reading/source.ts';
import type { Settings } from '../domain/settings.ts';
import type { Markup } from '../page/markup.ts';
import type { StatusRequest } from '../report/read-status.ts';

/** What a view is made of. */
export interface Asked extends Pick<StatusRequest, 'now' | 'requireWritable'> {
  readonly ledger: Ledger;
  readonly settings: Pick<Settings, 'state' | 'sync'>;
  /** File with the plan of the last run as a page. */
  readonly planFile: string;
  /** The rules that map records of the source. */
  readonly rules: () => SourceRules;
  /** Username of the approver who asks; `VIEWER`: somebody else. */
  readonly by: string;
  /** Whether anybody may approve here. */
  readonly hasApprovers: boolean;
  /** Returns a value of the query, without blanks around it; empty if there is none. */
  readonly query: (name: string) => string;
}

export type Viewed = Contents | WholePage;

interface Contents {
  readonly title: string;
  readonly body: readonly Markup[];
  /** When a browser asks again by itself; absent: never. */
  readonly refreshSeconds?: number;
}

/** A page that brings its own frame; the links to the views come into it. */
interface WholePage {
  readonly html: string;
  /** Content of its `Content-Security-Policy`. */
  readonly policy: string;
  /** What became of it, to stand above it. */
  readonly fate: Markup;
}

/** Reads what it shows from the ledger. Throws a ConfigError for a query that cannot be answered. */
export type View = (asked: Asked) => Viewed;

/**
 * What stands in the page as JSON, and what its script reads. Every text is as a person may read it: hidden
 * characters are escapes, long values are cut.
 */
export interface PageData {
  /** What is shown of each kind of change. */
  readonly kinds: Readonly<Record<string, PageKind>>;
  readonly changes: readonly PageChange[];
  /** Names of units from the top, `Research › Optics`. */
  readonly places: readonly string[];
}

export interface PageKind {
  readonly sign: string;
  readonly tone: string;
}

/** A value before or after; a list stands in lines of its own; `null`: nothing. */
export type PageValue = string | readonly string[] | null;
export type PageField = readonly [name: string, from: PageValue, to: PageValue];

export interface PageChange {
  readonly subject: 'unit' | 'person';
  readonly kind: string;
  readonly id: string;
  readonly name: string;
  /** Empty for a unit. */
  readonly username: string;
  /** Index in `places`. */
  readonly place: number;
  readonly held: boolean;
  /** What releases it, where it does not go on; else empty. */
  readonly note: string;
  /** Empty where the kind says it all. */
  readonly why: string;
  readonly fields: readonly PageField[];
}

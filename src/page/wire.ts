/**
 * What stands in the page as JSON, and what its script reads. Every text is as a person may read it: hidden
 * characters are escapes, long values are cut.
 */
export interface PageData {
  /** What is shown of each kind of change. */
  readonly kinds: Readonly<Record<string, PageKind>>;
  readonly people: readonly PagePerson[];
  /** Units that change, in which people change, and those above them. */
  readonly units: readonly PageUnit[];
}

export interface PageKind {
  readonly sign: string;
  readonly tone: string;
}

/** A value before or after; a list stands in lines of its own; `null`: nothing. */
export type PageValue = string | readonly string[] | null;
export type PageField = readonly [name: string, from: PageValue, to: PageValue];

interface PageChange {
  readonly id: string;
  readonly name: string;
  readonly held: boolean;
  /** What releases it, where it does not go on; else empty. */
  readonly note: string;
  /** Empty where the kind says it all. */
  readonly why: string;
  readonly fields: readonly PageField[];
}

export interface PagePerson extends PageChange {
  readonly kind: string;
  readonly username: string;
  /** Index in `units`. */
  readonly unit: number;
}

export interface PageUnit extends PageChange {
  /** `null`: the unit itself stays as it is. */
  readonly kind: string | null;
  /** Index in `units`; `null`: the top. */
  readonly parent: number | null;
}

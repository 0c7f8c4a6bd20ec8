/** A column, before any row is read. */
export interface ColumnShape {
  readonly name: string;
  /** As a query has to write it. */
  readonly quoted: string;
  /** Whether it alone is the primary key. */
  readonly isKey: boolean;
  /** Table that a foreign key of this column refers to; `null`: none. */
  readonly refersTo: string | null;
}

/** A table, a view or a file. */
export interface TableShape {
  /** With its schema, where that is not the usual one. */
  readonly name: string;
  /** As a query has to write it; the path of a file. */
  readonly quoted: string;
  readonly columns: readonly ColumnShape[];
}

export interface ColumnFacts extends ColumnShape {
  /** Value of each row of the sample, trimmed; empty: none. */
  readonly cells: readonly string[];
}

/** A table with the first of its rows. */
export interface TableFacts extends TableShape {
  readonly columns: readonly ColumnFacts[];
  readonly rows: number;
  /** Whether these are all its rows. */
  readonly isWhole: boolean;
}

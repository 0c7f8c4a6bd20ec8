/** A column, before any row is read. */
export interface ColumnShape {
  readonly name: string;
  /** As a query has to write it. */
  readonly quoted: string;
  /** What its name says, without the names around it; absent: the name itself. */
  readonly known?: string | undefined;
}

/** A table, a view or a file. */
export interface TableShape {
  /** With its schema, if that is not the usual one; the path of a file. */
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

/** The tables of a source. */
export interface ChosenTables<T extends TableShape> {
  readonly people: T;
  /** `undefined`: the units are values of people. */
  readonly units: T | undefined;
  /** `undefined`: people name their units themselves. */
  readonly positions: T | undefined;
}

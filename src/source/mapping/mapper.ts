import type { Reading } from '../../domain/records/records.ts';
import { ExpressionCompiler } from './expressions/expression.ts';
import type { Dialect, Scoped } from './rules/scope.ts';
import type { Cell, RawRecord } from './values/raw-record.ts';

/** The compiled rules of one part: which attributes or columns they need, and how they map a raw record. */
export interface Mapper<T> {
  /** Names to be delivered in `RawRecord.cells`, in this order. */
  readonly names: readonly string[];
  /** Places of each name in the configuration. */
  readonly places: readonly (readonly string[])[];
  /** Names whose values are secrets: never shown. */
  readonly secretNames: ReadonlySet<string>;
  map(raw: RawRecord): Reading<T>;
  /** Returns the values, by `NAME.COLUMN`, by which another source completes the record; absent: none does. */
  readonly completing?: (raw: RawRecord) => readonly (readonly [name: string, cell: Cell])[];
}

/** What decides about records beside their fields. */
export interface MappingOptions {
  readonly expressions?: ExpressionCompiler | undefined;
  /** Condition of the part: records for which it is false are out of scope. */
  readonly where?: string | undefined;
  /** `sync.protect.where`, of people. */
  readonly protect?: string | undefined;
}

export function scoped(dialect: Dialect, { expressions }: MappingOptions): Scoped {
  return { dialect, expressions: expressions ?? new ExpressionCompiler() };
}

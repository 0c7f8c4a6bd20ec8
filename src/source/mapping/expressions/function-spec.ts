import type { LocalTime } from '../../../domain/text/local-time.ts';
import type { Budget } from './budget.ts';

/** Tables of `lookup`, by name. */
export type LookupTables = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** What functions work with. */
export interface Tools {
  readonly tables: LookupTables;
  readonly budget: Budget;
  /** Names of joined sources: what they have is read as `NAME.COLUMN`. */
  readonly joined: ReadonlySet<string>;
  /** Clock of days and times that name no zone. */
  readonly local: LocalTime;
  /** The moment of the read that is being evaluated, ms. */
  readonly clock: { at: number };
  /** Set where moments have come by then, as birthdays have. */
  readonly isPast?: boolean;
}

/** Type of a value in CEL. */
export type CelType = 'string' | 'int' | 'bool' | 'list<string>' | 'google.protobuf.Timestamp';

export interface Example {
  readonly expr: string;
  /** Raw record: values by name. */
  readonly record: Readonly<Record<string, string | readonly string[]>>;
  /** Result as texts; of a list each value. */
  readonly gives: string | readonly string[];
}

/** One function of expressions: the row of the documentation, and what it does. */
export interface FunctionSpec {
  /** How it is called, for readers. */
  readonly usage: string;
  readonly about: string;
  readonly example: Example;
  /** Types of the arguments, for each way to call it. */
  readonly takes: readonly (readonly CelType[])[];
  readonly gives: CelType;
  /** Whether it is also called on its first argument: `text.lower()`. `cel`: CEL has that already. */
  readonly method: boolean | 'cel';
  /** Checks of arguments that have to be texts written in the expression: what is wrong, `null` if nothing. */
  readonly written?: Readonly<Record<number, (text: string, tools: Tools) => string | null>>;
  readonly make: (tools: Tools) => (...args: never[]) => unknown;
}

/** Returns the same specs, checked, with their names kept. */
export function specs<const T extends Readonly<Record<string, FunctionSpec>>>(table: T): T {
  return table;
}

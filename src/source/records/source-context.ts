import type { Readings, Source, SourceRead } from '../../domain/reading/source.ts';
import type { Person, PositionRow, Unit } from '../../domain/records/records.ts';
import type {
  PersonRules,
  PositionQueryRules,
  RowsWanted,
  Scoping,
  UnitRules,
} from '../../domain/source-settings.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Refusals } from '../connect/refusals.ts';
import type { ExpressionCompiler } from '../mapping/expressions/expression.ts';
import { compilePeople } from '../mapping/map-person.ts';
import { compilePositionRows } from '../mapping/map-position.ts';
import { compileUnits } from '../mapping/map-unit.ts';
import type { Mapper } from '../mapping/mapper.ts';
import type { Dialect } from '../mapping/rules/scope.ts';
import type { RawRecord } from '../mapping/values/raw-record.ts';

/** What every kind of source gets besides its own settings. */
export interface SourceContext {
  readonly expressions: ExpressionCompiler;
  /** `sync.protect.where`. */
  readonly protect: string | undefined;
  /** Tells `now` of expressions, once for each read. */
  readonly clock: Clock;
  /** Gets a password that a command printed, for the log to hide. */
  readonly onSecret?: ((secret: string) => void) | undefined;
  readonly refusals: Refusals;
  /** Completes people by records of another source. */
  readonly joined?: (people: Mapper<Person>) => Mapper<Person>;
}

/** A read that also gives raw records, which complete those of another source. */
export interface RowsRead extends SourceRead {
  /** Yields what `rows` of the settings ask for; nothing if they ask for nothing. */
  rows(): Readings<RawRecord>;
}

/** One directory or database. */
export interface RowsSource extends Source {
  open(signal: AbortSignal): Promise<RowsRead>;
}

/** The rules of each part, compiled; `null`: another source has this part, or no source has it. */
export interface Mappers {
  readonly units: Mapper<Unit> | null;
  readonly people: Mapper<Person> | null;
  readonly positions: Mapper<readonly PositionRow[]> | null;
  readonly rows: Mapper<RawRecord> | null;
}

interface SourceParts {
  readonly units?: (Scoping & { readonly rules: UnitRules }) | undefined;
  readonly people?: (Scoping & { readonly rules: PersonRules }) | undefined;
  readonly positions?: { readonly rules: PositionQueryRules } | undefined;
  readonly rows?: RowsWanted | undefined;
}

/** Compiles the rules of a source. Throws a `ConfigError`. */
export function compileParts(
  { units, people, positions, rows }: SourceParts,
  dialect: Dialect,
  { expressions, protect, joined }: SourceContext,
): Mappers {
  const person =
    people === undefined
      ? null
      : compilePeople(people.rules, dialect, { expressions, where: people.where, protect });
  return {
    units:
      units === undefined ? null : compileUnits(units.rules, dialect, { expressions, where: units.where }),
    people: person === null || joined === undefined ? person : joined(person),
    positions:
      positions === undefined ? null : compilePositionRows(positions.rules, dialect, { expressions }),
    rows: rows === undefined ? null : rawMapper(rows),
  };
}

/** Returns a mapper that gives raw records as they are. */
function rawMapper({ columns }: RowsWanted): Mapper<RawRecord> {
  const secretNames = new Set(columns.map(({ name }) => name));
  return { columns, secretNames, map: (record) => ({ ok: true, record }) };
}

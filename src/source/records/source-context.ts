import type { Person } from '../../domain/records/records.ts';
import type { Clock } from '../../lib/clock.ts';
import type { ExpressionCompiler } from '../mapping/expressions/expression.ts';
import type { Mapper } from '../mapping/mapper.ts';

/** What every kind of source gets beside its own settings. */
export interface SourceContext {
  readonly expressions: ExpressionCompiler;
  /** `sync.protect.where`. */
  readonly protect: string | undefined;
  /** Tells `now` of expressions, once for each read. */
  readonly clock: Clock;
  /** Gets a password that a command printed, for the log to hide. */
  readonly onSecret?: ((secret: string) => void) | undefined;
  /** Completes people by records of another source. */
  readonly joined?: (people: Mapper<Person>) => Mapper<Person>;
}

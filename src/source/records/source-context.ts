import type { Person } from '../../domain/records/records.ts';
import type { Clock } from '../../lib/clock.ts';
import type { ExpressionCompiler } from '../mapping/expressions/expression.ts';
import type { SourceKeep } from '../../domain/ports/source-keep.ts';
import type { Mapper } from '../mapping/mapper.ts';
import type { Recording } from '../kept/recording.ts';

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
  /** Stands before the ids of this source. */
  readonly idPrefix?: string;
  /** Takes the raw records that are read. */
  readonly keep?: SourceKeep | undefined;
  /** Gives the raw records of an earlier read, in place of the source itself. */
  readonly recording?: Recording | undefined;
}

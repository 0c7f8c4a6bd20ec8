import type { CsvSettings } from '../../src/source/csv/kind.ts';
import type { RestSettings } from '../../src/source/rest/kind.ts';
import type { ScimSettings } from '../../src/source/scim/kind.ts';
import type { SqlSettings } from '../../src/source/sql/kind.ts';
import type { Source } from '../../src/domain/reading/source.ts';
import { systemClock, type Clock } from '../../src/lib/clock.ts';
import { Refusals } from '../../src/source/connect/refusals.ts';
import { csvSource as openCsv } from '../../src/source/csv/csv-source.ts';
import { ExpressionCompiler } from '../../src/source/mapping/expressions/expression.ts';
import type { SourceContext } from '../../src/source/records/source-context.ts';
import { restSource as openRest } from '../../src/source/rest/rest-source.ts';
import { scimSource as openScim } from '../../src/source/scim/scim-source.ts';
import { sqlSource as openSql, type ConnectSql } from '../../src/source/sql/read/sql-source.ts';

const contextOf = (clock: Clock): SourceContext => ({
  expressions: new ExpressionCompiler(),
  protect: undefined,
  clock,
  refusals: new Refusals(() => clock.now()),
});

/** A source of CSV files whose time is told by a clock of the test. */
export function csvSource(settings: CsvSettings, clock: Clock = systemClock): Source {
  return openCsv(settings, contextOf(clock));
}

/** A SCIM server as a source, whose time is told by a clock of the test. */
export function scimSource(settings: ScimSettings, clock: Clock = systemClock): Source {
  return openScim(settings, contextOf(clock));
}

/** A database as a source, by a connection of the test. */
export function sqlSource(settings: SqlSettings, connect: ConnectSql): Source {
  return openSql(settings, connect, contextOf(systemClock));
}

/** An interface over HTTP as a source, whose time is told by a clock of the test. */
export function restSource(settings: RestSettings, clock: Clock = systemClock): Source {
  return openRest(settings, contextOf(clock));
}

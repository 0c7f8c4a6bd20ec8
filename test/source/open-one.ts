import type { CsvSettings, ScimSettings } from '../../src/domain/source-settings.ts';
import type { Source } from '../../src/domain/records/source.ts';
import { systemClock, type Clock } from '../../src/lib/clock.ts';
import { csvSource as openCsv } from '../../src/source/csv/csv-source.ts';
import { ExpressionCompiler } from '../../src/source/mapping/expressions/expression.ts';
import type { SourceContext } from '../../src/source/records/source-context.ts';
import { scimSource as openScim } from '../../src/source/scim/scim-source.ts';

const contextOf = (clock: Clock): SourceContext => ({
  expressions: new ExpressionCompiler(),
  protect: undefined,
  clock,
});

/** A source of CSV files whose time is told by a clock of the test. */
export function csvSource(settings: CsvSettings, clock: Clock = systemClock): Source {
  return openCsv(settings, contextOf(clock));
}

/** A SCIM server as a source, whose time is told by a clock of the test. */
export function scimSource(settings: ScimSettings, clock: Clock = systemClock): Source {
  return openScim(settings, contextOf(clock));
}

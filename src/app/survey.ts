/** What `rollcall init` looks at before there is a configuration, and `rollcall check` beside a read. */
import type { App } from './app.ts';
import { settingsFrom } from '../config/load-settings.ts';
import { PLACEHOLDER } from '../domain/draft.ts';
import type { ColumnFacts } from '../domain/survey-facts.ts';
import { sourcesOf } from '../source/kinds.ts';
import { openSource } from '../source/open-source.ts';
import { unreadColumns } from '../source/survey/survey-parts.ts';
export { addressOf } from '../source/kinds.ts';
export type { SourceKind } from '../source/kinds.ts';
export { connectDatabase } from '../source/sql/read/connect-database.ts';
export { surveyDirectory } from '../source/survey/survey-directory.ts';
export { surveyScim } from '../source/survey/survey-scim.ts';
export { surveyDatabase, surveyFile } from '../source/survey/survey-tables.ts';

/** Returns the columns of people and positions that no rule reads, by place; none of a part that cannot be looked at. */
export async function unreadIn(
  { settings: { source }, refusals }: App,
  signal: AbortSignal,
): Promise<readonly (readonly [place: string, columns: readonly ColumnFacts[]])[]> {
  const parts = sourcesOf(source).flatMap((one) =>
    (['people', 'positions'] as const).map(async (part) => {
      const columns = unreadColumns(one.source, part, { refusals, signal });
      return [`source.${part}`, await columns.catch(() => [])] as const;
    }),
  );
  return Promise.all(parts);
}

/**
 * Loads the text of a configuration, and compiles its rules, as a run would; secrets and placeholders may be
 * missing. Contacts nothing. Throws a `ConfigError`.
 *
 * @param file name for messages
 */
export function requireLoads(text: string, file: string): void {
  const complete = text.replaceAll(/\$\{file:[^}]*\}/gu, 'secret').replaceAll(PLACEHOLDER, 'placeholder');
  const { settings } = settingsFrom(complete, file, {});
  openSource(settings.source, { lookups: settings.lookups });
}

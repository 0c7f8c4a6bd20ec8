/** What `rollcall init` looks at before there is a configuration. */
import { settingsFrom } from '../config/load-settings.ts';
import { PLACEHOLDER } from '../domain/draft.ts';
import { openSource } from '../source/open-source.ts';
export { connectDatabase } from '../source/open-source.ts';
export { surveyDirectory } from '../source/survey/survey-directory.ts';
export { surveyScim } from '../source/survey/survey-scim.ts';
export { surveyDatabase, surveyFile } from '../source/survey/survey-tables.ts';

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

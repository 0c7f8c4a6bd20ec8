/** What `rollcall init` looks at before there is a configuration, and `rollcall check` beside a read. */
import type { App } from '../app.ts';
import { settingsFrom } from '../config/load-settings.ts';
import { PLACEHOLDER } from '../domain/draft.ts';
import { systemClock } from '../lib/clock.ts';
import { openSource } from '../source/open-source.ts';
import { surveyParts, type SurveyedPart } from '../source/survey/survey-parts.ts';
export { connectDatabase } from '../source/open-source.ts';
export { surveyDirectory } from '../source/survey/survey-directory.ts';
export { surveyScim } from '../source/survey/survey-scim.ts';
export { surveyDatabase, surveyFile } from '../source/survey/survey-tables.ts';

/** Looks at the first records of each part, as `surveyParts`; returns none if that fails. */
export async function surveyApp(
  { settings, log, refusals }: App,
  signal: AbortSignal,
): Promise<readonly SurveyedPart[]> {
  const onSecret = (secret: string): void => log.hide(secret);
  return surveyParts(settings.source, { clock: systemClock, onSecret, refusals, signal }).catch(() => []);
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

/** What `rollcall init` looks at before there is a configuration, and `rollcall check` beside a read. */
import { resolve } from 'node:path';
import type { App } from './app.ts';
import { settingsFrom } from '../config/load-settings.ts';
import { DraftSection, PLACEHOLDER, type Draft } from '../domain/draft.ts';
import type { SourceFlags } from '../source/init/init-kind.ts';
import { unreadEnds } from '../source/init/unread-ends.ts';
import { kindMeant, type NamedKind } from '../source/kind-meant.ts';
import { initOf, INITS, sourcesOf } from '../source/kinds.ts';
import { openSource } from '../source/open-source.ts';
export { addressOf } from '../source/kinds.ts';
export type { SourceFlags, Structure } from '../source/init/init-kind.ts';

/** Looks at the source that the flags name, and returns a proposal for `source`. Throws a `ConfigError`. */
export async function draftFromSource(flags: SourceFlags & NamedKind, signal: AbortSignal): Promise<Draft> {
  const { draft } = await INITS[kindMeant(flags)]();
  const caFile = flags.caFile === undefined ? undefined : resolve(flags.caFile);
  const { entries, ...drafted } = await draft({ ...flags, caFile }, signal);
  return { ...drafted, entries: [{ key: 'source', value: new DraftSection(entries) }] };
}

/** Returns by place the columns of people and positions that end or lock an account and that no rule reads. */
export async function unreadIn(
  { settings: { source }, refusals }: App,
  signal: AbortSignal,
): Promise<readonly (readonly [place: string, columns: readonly string[]])[]> {
  const parts = sourcesOf(source).flatMap((one) =>
    (['people', 'positions'] as const).map(async (part) => {
      const columns = unreadEnds(await initOf(one.source), [one.source, part], { refusals, signal });
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

import type { Settings } from '../domain/settings.ts';
import type { JoinSettings, OneSource, SourceSettings } from '../domain/source-settings.ts';
import { KINDS, kindOf, type SourceKind } from '../source/kinds.ts';
import type { Kind } from '../source/records/kind.ts';
import { rawAt, withRaw } from './findings/problem.ts';
import type { JoinInput, SettingsInput } from './parse-settings.ts';
import type { MemberInput } from './schema/source-schema.ts';

/**
 * Turns the shape of the file into the shape of the domain.
 * @param fileOf returns the file of a value that is exactly one `${file:…}`: a token is read again whenever it
 * is refused
 */
export function toSettings(
  input: SettingsInput,
  fileOf: (path: readonly string[]) => string | undefined,
): Settings {
  const { service, source } = input;
  const rereadable: Rereadable = (...path) => {
    const file = fileOf(path);
    return file === undefined ? undefined : { file };
  };
  return {
    ...input,
    service: {
      ...service,
      token: rereadable('service', 'token') ?? service.token,
      appToken: rereadable('service', 'appToken') ?? service.appToken,
    },
    source: sourceSettings(source, rereadable),
  };
}

type Rereadable = (...path: readonly string[]) => { readonly file: string } | undefined;

/** Turns what the file says of its sources into the shape of the domain. */
function sourceSettings(input: SettingsInput['source'], rereadable: Rereadable): SourceSettings {
  const settingsOf = (source: MemberInput<SourceKind>, name: string | null): OneSource =>
    oneSource(source, (...keys) =>
      name === null ? rereadable('source', ...keys) : rereadable('sources', name, ...keys),
    );
  if (input.type !== 'combined') return settingsOf(input, null);
  const members = input.members.map(({ source, joins, ...member }) => ({
    ...member,
    source: settingsOf(source, member.name),
    joins: joins.map((join) => joinSettings(join, settingsOf(join.source, join.from))),
  }));
  return { type: 'combined', members, distinct: input.distinct };
}

function oneSource(input: MemberInput<SourceKind>, rereadable: Rereadable): OneSource {
  const settings = (KINDS[input.type] as unknown as Kind<typeof input, OneSource>).settings(input);
  return kindOf(settings).secrets.reduce<OneSource>((source, path) => {
    const file = rereadable(...path);
    const isThere = file !== undefined && rawAt(source, path) !== undefined;
    return isThere ? (withRaw(source, path, file) as OneSource) : source;
  }, settings);
}

function joinSettings(input: JoinInput, settings: OneSource): JoinSettings {
  const { source: _, lookup, ...join } = input;
  const { ask = (asked: object) => asked } = kindOf(settings);
  const rows = ask(lookup as never, settings);
  // The lookup is of the kind of its source.
  return { ...join, partner: (wanted) => ({ ...settings, rows: { ...rows, ...wanted } }) as OneSource };
}

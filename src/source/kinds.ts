import type { OneSource, SourceSettings } from '../domain/source-settings.ts';
import { csvKind } from './csv/kind.ts';
import { ldapKind } from './ldap/kind.ts';
import type { KindInit } from './init/init-kind.ts';
import type { Kind } from './records/kind.ts';
import { restKind } from './rest/kind.ts';
import { scimKind } from './scim/kind.ts';
import { sqlKind } from './sql/kind.ts';

/** Each kind of source, as `source.type` names it. */
export const KINDS = { ldap: ldapKind, sql: sqlKind, csv: csvKind, scim: scimKind, rest: restKind } as const;

export type SourceKind = keyof typeof KINDS;
export type KindOf<K extends SourceKind> = (typeof KINDS)[K];

/** How each kind is looked at by `init` and `check`; loaded only there. */
export const INITS: { readonly [K in SourceKind]: () => Promise<KindInit<never>> } = {
  ldap: async () => (await import('./ldap/init.ts')).ldapInit,
  sql: async () => (await import('./sql/init/init.ts')).sqlInit,
  csv: async () => (await import('./csv/init.ts')).csvInit,
  scim: async () => (await import('./scim/init.ts')).scimInit,
  rest: async () => (await import('./rest/init.ts')).restInit,
};

/** Returns what there is to know of the kind of a source; each kind takes the settings of its own. */
export const kindOf = ({ type }: OneSource): Kind<unknown, OneSource> =>
  KINDS[type as SourceKind] as unknown as Kind<unknown, OneSource>;

/** Returns how the kind of a source is looked at. */
export async function initOf({ type }: OneSource): Promise<KindInit<OneSource>> {
  return (await INITS[type as SourceKind]()) as unknown as KindInit<OneSource>;
}

/** A source with the place in the configuration where its address stands. */
export interface PlacedSource {
  /** `source`, or `sources.NAME`. */
  readonly path: string;
  readonly source: OneSource;
}

/** Returns the sources that are really asked. */
export function sourcesOf(settings: SourceSettings): readonly PlacedSource[] {
  return settings.members.map(({ name, source }) => ({
    path: name === null ? 'source' : `sources.${name}`,
    source,
  }));
}

/** Returns where a source is, for a person, without user and password; of several each with its name. */
export function addressOf(settings: SourceSettings): string {
  const named = sourcesOf(settings).map(({ path, source }) => {
    const address = kindOf(source).address?.(source) ?? withoutSecrets(source.url ?? '');
    return path === 'source' ? address : `${path.replace('sources.', '')} ${address}`;
  });
  return [...new Set(named)].join(', ');
}

const withoutSecrets = (url: string): string => url.replace(/\/\/.*@/u, '//').replace(/\?.*$/u, '');

/** Returns what to do about a source that brings too little, in its words; of several each once. */
export function remediesOf(settings: SourceSettings): Readonly<Record<'lookAt' | 'widen', string>> {
  const kinds = sourcesOf(settings).map(({ source }) => kindOf(source));
  const said = (trait: 'lookAt' | 'widen'): string => [...new Set(kinds.map((one) => one[trait]))].join('; ');
  return { lookAt: said('lookAt'), widen: said('widen') };
}

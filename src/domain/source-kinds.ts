import type { OneSource, SourceSettings } from './source-settings.ts';

export type SourceKind = OneSource['type'];
export type SettingsOf<K extends SourceKind> = Extract<OneSource, { readonly type: K }>;

/** A value for each kind of source; it does not compile while a kind is missing. */
export type OfKinds<R> = { readonly [K in SourceKind]: (settings: SettingsOf<K>) => R };

interface Traits {
  /** Schemes with which its URLs begin. */
  readonly schemes: readonly string[];
  /** Schemes in words, for a person. */
  readonly urls: string;
  /** Setting that lets a read of units reach more. */
  readonly widen: string;
  /** What may be wrong if too little is read. */
  readonly lookAt: string;
  /** What positions of their own come from, for a person; `null`: people carry them. */
  readonly positionsFrom: string | null;
}

/**
 * Each kind of source, as `source.type` names it. What a folder does with a kind is in a table of its own
 * there.
 */
export const SOURCE_KINDS = {
  ldap: {
    schemes: ['ldap:', 'ldaps:'],
    urls: 'ldap:// or ldaps://',
    widen: 'widen source.units.base or filter',
    lookAt: 'base, filter and the rights of the reading account',
    positionsFrom: null,
  },
  sql: {
    schemes: ['postgres:', 'postgresql:', 'mysql:', 'mariadb:', 'sqlserver:', 'mssql:', 'oracle:', 'sqlite:'],
    urls: 'postgres://, mysql://, mariadb://, sqlserver://, oracle:// or sqlite:PATH',
    widen: 'widen source.units.query',
    lookAt: 'query and the rights of the reading account',
    positionsFrom: 'a query',
  },
  csv: {
    schemes: [],
    urls: 'paths of files',
    widen: 'export more into source.units.file',
    lookAt: 'file and the export',
    positionsFrom: 'a file',
  },
  scim: {
    schemes: ['https:', 'http:'],
    urls: 'https://',
    widen: 'widen source.units.filter',
    lookAt: 'resource, filter and the rights of the token',
    positionsFrom: 'fields { person: member, unit: id }',
  },
} as const satisfies Readonly<Record<SourceKind, Traits>>;

export type SqlScheme = (typeof SOURCE_KINDS.sql.schemes)[number];

/** Returns the scheme of a URL, such as `ldap:` for `LDAP://host`; empty if there is none. */
export function schemeOf(url: string): string {
  return /^[a-z][a-z0-9+.-]*:/iu.exec(url)?.[0].toLowerCase() ?? '';
}

const ADDRESSES: OfKinds<string> = {
  ldap: ({ url }) => withoutSecrets(url),
  sql: ({ url }) => withoutSecrets(url),
  scim: ({ url }) => withoutSecrets(url),
  csv: ({ units, people, positions, rows }) =>
    [units, people, positions, rows].flatMap((part) => part?.file ?? []).join(', '),
};

const withoutSecrets = (url: string): string => url.replace(/\/\/.*@/u, '//').replace(/\?.*$/u, '');

/** Returns where a source is, for a person, without user and password; of several each with its name. */
export function addressOf(settings: SourceSettings): string {
  if (settings.type !== 'combined') return ofKind(ADDRESSES, settings);
  const named = settings.members.map(({ name, source }) =>
    name === null ? ofKind(ADDRESSES, source) : `${name} ${ofKind(ADDRESSES, source)}`,
  );
  return [...new Set(named)].join(', ');
}

/** Returns the entry of a table for these settings, or for what the file has for them. */
export function ofKind<I extends { readonly type: SourceKind }, R>(
  table: { readonly [K in SourceKind]: (of: Extract<I, { readonly type: K }>) => R },
  input: I,
): R {
  // Each entry of a table takes the input of its own kind; the compiler cannot follow that through a union.
  const tell = table[input.type] as (of: I) => R;
  return tell(input);
}

/** A source with the place in the configuration where its address stands. */
export interface PlacedSource {
  /** `source`, or `sources.NAME`. */
  readonly path: string;
  readonly source: OneSource;
}

/** Returns the sources that are really asked. */
export function sourcesOf(settings: SourceSettings): readonly PlacedSource[] {
  if (settings.type !== 'combined') return [{ path: 'source', source: settings }];
  return settings.members.map(({ name, source }) => ({
    path: name === null ? 'source' : `sources.${name}`,
    source,
  }));
}

/** Returns what to do about a source that brings too little, in its words; of several each once. */
export function remediesOf(settings: SourceSettings): Readonly<Record<'lookAt' | 'widen', string>> {
  const kinds = sourcesOf(settings).map(({ source: { type } }) => SOURCE_KINDS[type]);
  const said = (trait: 'lookAt' | 'widen'): string => [...new Set(kinds.map((one) => one[trait]))].join('; ');
  return { lookAt: said('lookAt'), widen: said('widen') };
}

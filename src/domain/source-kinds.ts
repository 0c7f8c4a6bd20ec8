import type { SourceSettings } from './settings.ts';

export type SourceKind = SourceSettings['type'];
export type SettingsOf<K extends SourceKind> = Extract<SourceSettings, { readonly type: K }>;

/** Something of each kind of source: it does not compile while a kind is missing. */
export type OfKinds<R> = { readonly [K in SourceKind]: (settings: SettingsOf<K>) => R };

interface Traits {
  /** How its URLs begin. */
  readonly schemes: readonly string[];
  /** The same for a person. */
  readonly urls: string;
  /** What lets a read of units reach more. */
  readonly widen: string;
  /** Whether positions may come from a query of their own. */
  readonly hasPositionsQuery: boolean;
}

/** Each kind of source, as `source.type` names it. What a room does with it stands in the room's own table of kinds. */
export const SOURCE_KINDS = {
  ldap: {
    schemes: ['ldap:', 'ldaps:'],
    urls: 'ldap:// or ldaps://',
    widen: 'widen source.units.base or filter',
    hasPositionsQuery: false,
  },
  sql: {
    schemes: ['postgres:', 'postgresql:', 'mysql:', 'mariadb:', 'sqlite:'],
    urls: 'postgres://, mysql://, mariadb:// or sqlite:PATH',
    widen: 'widen source.units.query',
    hasPositionsQuery: true,
  },
} as const satisfies Readonly<Record<SourceKind, Traits>>;

export type SqlScheme = (typeof SOURCE_KINDS.sql.schemes)[number];

/** Schemes of databases that are asked for and not there. */
export const SCHEMES_TO_COME: readonly string[] = ['sqlserver:', 'mssql:', 'oracle:'];

/** `ldap:` of `LDAP://host`; empty where there is none. */
export function schemeOf(url: string): string {
  return /^[a-z][a-z0-9+.-]*:/iu.exec(url)?.[0].toLowerCase() ?? '';
}

/** Returns what a table says of these settings, or of what the file has for them. */
export function ofKind<I extends { readonly type: SourceKind }, R>(
  table: { readonly [K in SourceKind]: (of: Extract<I, { readonly type: K }>) => R },
  input: I,
): R {
  // A table has for each kind what takes that kind's input; the compiler does not follow that through a union.
  const tell = table[input.type] as (of: I) => R;
  return tell(input);
}

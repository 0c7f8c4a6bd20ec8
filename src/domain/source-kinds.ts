import type { SourceSettings } from './settings.ts';

export type SourceKind = SourceSettings['type'];
export type SettingsOf<K extends SourceKind> = Extract<SourceSettings, { readonly type: K }>;

/** A value for each kind of source; it does not compile while a kind is missing. */
export type OfKinds<R> = { readonly [K in SourceKind]: (settings: SettingsOf<K>) => R };

interface Traits {
  /** Schemes with which its URLs begin. */
  readonly schemes: readonly string[];
  /** Schemes in words, for a person. */
  readonly urls: string;
  /** Setting that lets a read of units reach more. */
  readonly widen: string;
  /** Whether positions may come from a query of their own. */
  readonly hasPositionsQuery: boolean;
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

/** Schemes of databases that people ask for and that are not supported yet. */
export const SCHEMES_TO_COME: readonly string[] = ['sqlserver:', 'mssql:', 'oracle:'];

/** Returns the scheme of a URL, such as `ldap:` for `LDAP://host`; empty where there is none. */
export function schemeOf(url: string): string {
  return /^[a-z][a-z0-9+.-]*:/iu.exec(url)?.[0].toLowerCase() ?? '';
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

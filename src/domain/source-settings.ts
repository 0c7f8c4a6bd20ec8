/** Sources as the configuration describes them, after loading; see settings.ts. */
import type { CsvComplete, CsvFormat, GroupMembers, VendorName } from './source-choices.ts';

/** How a field gets its value: an attribute or column, a constant, or CEL over the raw record. */
export type FieldRule = string | { readonly const: string | number | boolean } | { readonly expr: string };

export interface PositionRules {
  readonly unit: FieldRule;
  readonly job_title?: FieldRule | undefined;
  readonly primary?: FieldRule | undefined;
  readonly chief?: FieldRule | undefined;
  readonly source_type?: FieldRule | undefined;
}

export interface PositionQueryRules extends PositionRules {
  readonly person: FieldRule;
}

export interface UnitRules {
  readonly id: FieldRule;
  readonly refs?: readonly FieldRule[] | undefined;
  readonly parent?: FieldRule | undefined;
  /** `name` and the other unit fields under the interface's names. */
  readonly fields: Readonly<Record<string, FieldRule>>;
}

export interface PersonRules {
  readonly id: FieldRule;
  readonly username: FieldRule;
  readonly active?: FieldRule | undefined;
  readonly positions: readonly PositionRules[];
  /** `name` and the other person fields under the interface's names, secrets included. */
  readonly fields: Readonly<Record<string, FieldRule>>;
  readonly properties: Readonly<Record<string, FieldRule>>;
  /** Rules by the group of the tags. */
  readonly tag_names: Readonly<Record<string, FieldRule>>;
  readonly source_identifiers: Readonly<Record<string, FieldRule>>;
}

/** A table of `lookup`: its values by key, or a CSV file with the names of two columns. */
export type LookupSettings =
  | { readonly values: Readonly<Record<string, string | number | boolean>> }
  | { readonly file: string; readonly key: string; readonly value: string };

/** A secret: the text itself, a program that prints it, or a file that holds it. */
export type SecretSource = string | { readonly command: readonly string[] } | { readonly file: string };

/** A client of an OAuth server, which gives it a token for its secret (RFC 6749, section 4.4). */
export interface OauthClient {
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: SecretSource;
  readonly scope?: string | undefined;
}

export const isOauthClient = (token: SecretSource | OauthClient): token is OauthClient =>
  typeof token !== 'string' && 'tokenUrl' in token;

/** TLS with a source: PEM files. */
interface Tls {
  /** Authorities that are trusted in place of the system's. */
  readonly caFile?: string | undefined;
  readonly insecure: boolean;
}

/** TLS with a directory. */
export interface LdapTls extends Tls {
  /** Certificate that rollcall shows; only together with `keyFile`. */
  readonly certFile?: string | undefined;
  readonly keyFile?: string | undefined;
}

export interface LdapSettings extends Changes {
  readonly type: 'ldap';
  readonly url: string;
  /** Servers of the same directory, asked in this order if those before do not answer. */
  readonly otherUrls?: readonly string[] | undefined;
  /** Absent: `ldap://` is encrypted unless it stays on this machine. */
  readonly startTls?: boolean | undefined;
  /** Absent: the certificate in `tls` says who it is, if there is one (RFC 4513, section 5.2.3). */
  readonly bindDn?: string | undefined;
  readonly bindPassword?: SecretSource | undefined;
  readonly tls: LdapTls;
  /** Absent: 500. */
  readonly pageSize?: number | undefined;
  /** In which the server has to answer; absent: 60. */
  readonly seconds?: number | undefined;
  /** Absent: as the root entry of the server says, without defaults for filters and fields. */
  readonly vendor?: VendorName | undefined;
  /** Absent: another source has the units. */
  readonly units?:
    | (LdapSearch & Scoping & { readonly rules: UnitRules; readonly members?: GroupMembers | undefined })
    | undefined;
  /** Absent: another source has the people. */
  readonly people?:
    | (LdapSearch &
        Scoping & {
          readonly rules: PersonRules;
          /** DNs of groups whose members alone are in scope. */
          readonly memberOf?: readonly string[] | undefined;
        })
    | undefined;
  readonly rows?: (LdapSearch & RowsWanted) | undefined;
}

export interface LdapSearch {
  readonly bases: readonly string[];
  readonly scope: 'sub' | 'one';
  readonly filter: string;
  /** DNs, each with everything below it, and filters in brackets: out of scope. */
  readonly exclude?: readonly string[] | undefined;
}

/** Which records are in scope, in addition to the server's filter or the query. */
export interface Scoping {
  /** An expression; if it is false, the record counts as missing. */
  readonly where?: string | undefined;
}

/** How a database tells what changed since an earlier read. */
export interface SqlIncrements {
  /** Query for the people that changed since `:changedSince`. */
  readonly query: string;
  /** Query for the keys of all people; either this or `removed`. */
  readonly ids?: string | undefined;
  /** Query for the keys of people removed since `:changedSince`. */
  readonly removed?: string | undefined;
  /** Column of the keys; absent: the one that `id` reads. */
  readonly key?: string | undefined;
}

/** Whether only what changed is read, if the source can tell; absent: `off`. */
interface Changes {
  readonly changes?: 'auto' | 'off' | undefined;
}

/** The parts of a source, each with how it is asked for. */
interface Parts<Ask> {
  readonly units?: (Ask & Scoping & { readonly rules: UnitRules }) | undefined;
  readonly people?: (Ask & Scoping & { readonly rules: PersonRules }) | undefined;
  readonly positions?: (Ask & { readonly rules: PositionQueryRules }) | undefined;
  readonly rows?: (Ask & RowsWanted) | undefined;
}

export interface SqlSettings extends Changes, Parts<{ readonly query: string }> {
  readonly type: 'sql';
  /** Absent: the source does not report what changed. */
  readonly increments?: SqlIncrements | undefined;
  /** Begins with one of the schemes in `SOURCE_KINDS.sql`; carries the password, unless that has a key of its own. */
  readonly url: string;
  readonly password?: SecretSource | undefined;
  readonly tls: Tls;
  /** Seconds for each answer; absent: 300. Tests have less time. */
  readonly timeoutSeconds?: number | undefined;
}

/** Files of one export; each path is relative to the folder in which rollcall was started. */
export interface CsvSettings extends CsvFormat, Changes, Parts<{ readonly file: string }> {
  readonly type: 'csv';
  readonly complete: CsvComplete;
}

interface ScimListSettings {
  /** Path of the list below the URL. */
  readonly resource: string;
  readonly filter?: string | undefined;
}

export interface ScimSettings extends Changes, Parts<ScimListSettings> {
  readonly type: 'scim';
  readonly url: string;
  readonly token: SecretSource | OauthClient;
  readonly tls: Tls;
  /** Absent: 200. */
  readonly pageSize?: number | undefined;
  /** Why `totalResults` needs no other proof: a sentence of the administrator. */
  readonly complete?: { readonly trust: string } | undefined;
  /** Seconds for each answer; absent: 60. Tests have less time. */
  readonly timeoutSeconds?: number | undefined;
}

/** Raw records that complete those of another source. */
export interface RowsWanted {
  /** Place in the configuration. */
  readonly path: string;
  /** Attributes or columns, with the places in the configuration that read them. */
  readonly columns: readonly { readonly name: string; readonly places: readonly string[] }[];
}

/** One directory, database, export or identity provider. */
export type OneSource = LdapSettings | SqlSettings | CsvSettings | ScimSettings;

/** What is read: one source or several, each with what is asked of it. */
export interface SourceSettings {
  readonly members: readonly MemberSettings[];
  /** Units are made from the values of positions' `unit`. */
  readonly distinct?: DistinctSettings | undefined;
}

export interface MemberSettings {
  /** Key in `sources`; `null`: the only source. */
  readonly name: string | null;
  /** Stands before each id of this source. */
  readonly idPrefix: string;
  readonly source: OneSource;
  /** What completes its people. */
  readonly joins: readonly JoinSettings[];
}

export interface JoinSettings {
  /** Name of the other source; its names are read as `NAME.COLUMN`. */
  readonly from: string;
  /** The other source, with nothing but what is asked of it. */
  readonly partner: (wanted: RowsWanted) => OneSource;
  /** Pairs of an own attribute and one of the partner that have to be equal, in any case. */
  readonly on: readonly (readonly [own: string, partner: string])[];
  /** What becomes of a person without a partner: left as it is, or without the partner's values. */
  readonly missing: 'block' | 'empty';
}

export interface DistinctSettings {
  /** Separates a unit from those below it; `null`: there is one level. */
  readonly separator: string | null;
}

/** Sources as the configuration describes them, after loading; see settings.ts. */

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
export interface Tls {
  /** Authorities that are trusted in place of the system's. */
  readonly caFile?: string | undefined;
  readonly insecure: boolean;
}

/** Which records are in scope, in addition to the server's filter or the query. */
export interface Scoping {
  /** An expression; if it is false, the record counts as missing. */
  readonly where?: string | undefined;
}

/** Raw records that complete those of another source. */
export interface RowsWanted {
  /** Place in the configuration. */
  readonly path: string;
  /** Attributes or columns, with the places in the configuration that read them. */
  readonly columns: readonly { readonly name: string; readonly places: readonly string[] }[];
}

/** One directory, database, export or identity provider, as far as kinds are alike; `kind.ts` of its folder has the rest. */
export interface OneSource {
  readonly type: string;
  readonly url?: string;
  readonly tls?: Tls;
  /** Whether only what changed is read, if the source can tell; absent: `off`. */
  readonly changes?: 'auto' | 'off' | undefined;
  /** Absent: another source has the units. */
  readonly units?: (Scoping & { readonly rules: UnitRules }) | undefined;
  /** Absent: another source has the people. */
  readonly people?: (Scoping & { readonly rules: PersonRules }) | undefined;
  /** Absent: people carry their positions. */
  readonly positions?: { readonly rules: PositionQueryRules } | undefined;
  readonly rows?: RowsWanted | undefined;
}

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

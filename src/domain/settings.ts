/**
 * The configuration as data, after loading: defaults filled in, variables resolved. The schema in `config/` yields
 * these types; units are in the names (seconds, minutes, days) as in the contract.
 */

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

export interface LdapSettings {
  readonly type: 'ldap';
  readonly url: string;
  readonly startTls: boolean;
  readonly bindDn?: string | undefined;
  readonly bindPassword?: string | undefined;
  readonly tls: { readonly caFile?: string | undefined; readonly insecure: boolean };
  readonly pageSize: number;
  readonly referrals: 'fail' | 'ignore';
  readonly timeoutSeconds: number;
  readonly units: LdapSearch & { readonly rules: UnitRules };
  readonly people: LdapSearch & { readonly rules: PersonRules };
}

export interface LdapSearch {
  readonly base: string;
  readonly filter: string;
  readonly scope: 'sub' | 'one';
}

export interface SqlSettings {
  readonly type: 'sql';
  /** `postgres:`, `postgresql:`, `mysql:`, `mariadb:` or `sqlite:`; carries the password. */
  readonly url: string;
  readonly tls: { readonly caFile?: string | undefined; readonly insecure: boolean };
  readonly timeoutSeconds: number;
  readonly units: { readonly query: string; readonly rules: UnitRules };
  readonly people: { readonly query: string; readonly rules: PersonRules };
  readonly positions?: { readonly query: string; readonly rules: PositionQueryRules } | undefined;
}

export type SourceSettings = LdapSettings | SqlSettings;

/** Where an access token comes from; a text that stands in the configuration cannot be read again. */
export type TokenSource = string | { readonly command: readonly string[] } | { readonly file: string };

/** PEM files for TLS with the service. */
export interface ServiceTls {
  /** Authorities that are trusted in place of the system's. */
  readonly caFile?: string | undefined;
  /** Certificate that rollcall shows; only together with `keyFile`. */
  readonly certFile?: string | undefined;
  readonly keyFile?: string | undefined;
  /** Name that the service's certificate carries where it is not the host of `baseUrl`. */
  readonly serverName?: string | undefined;
}

export interface ServiceSettings {
  readonly baseUrl: string;
  readonly domainId: string;
  readonly orgCode: string;
  readonly token: TokenSource;
  /** Token of application identity, for the operations that take no other. */
  readonly appToken?: TokenSource | undefined;
  readonly tls?: ServiceTls | undefined;
  /** `http:` or `https:` URL of a proxy; carries its password. */
  readonly proxy?: string | undefined;
  readonly limits: {
    readonly requestsPerSecond: number;
    readonly concurrency: number;
    readonly unitsPerImport: number;
    readonly peoplePerImport: number;
    readonly timeoutSeconds: number;
    /**
     * Maximum number of records asked for in one page of a list; a service that refuses so many is asked for
     * fewer.
     */
    readonly pageSize: number;
    /** Maximum number of usernames in one question for employees; also asked for fewer where refused. */
    readonly namesPerQuery: number;
  };
  readonly leaveVerbs: 'auto' | 'disable' | 'lock';
}

/**
 * Limits of a guard, which trips strictly above the larger of the two; percent of the managed and active
 * records of that kind.
 */
export interface GuardLimit {
  readonly percent: number;
  readonly count: number;
}

export const GUARDS = [
  'leavers',
  'joiners',
  'updates',
  'emptied',
  'unitsRemoved',
  'unitsMoved',
  'gone',
  'lost',
  'source',
  'adopted',
  'usernameReuse',
] as const;
export type Guard = (typeof GUARDS)[number];

export interface SyncSettings {
  readonly cron: string;
  readonly fullCron: string | null;
  readonly timezone: string;
  readonly runAtStart: boolean;
  readonly root: string | null;
  readonly unitsGone: 'remove' | 'keep';
  readonly leavers: {
    readonly misses: number;
    readonly missEveryMinutes: number;
    readonly action: 'disable' | 'remove';
    readonly removeAfterDays: number | null;
  };
  readonly clear: 'empty' | 'null' | 'omit';
  readonly drift: 'repair' | 'report';
  readonly lockedElsewhere: 'report' | 'reinstate';
  readonly adopt: 'write' | 'trust';
  /**
   * How an import treats fields that nobody has mapped: tried on one account, always sent along, or always
   * left out.
   */
  readonly unmapped: 'try' | 'keep' | 'omit';
  /** Positions in nodes that are not managed: `ours` leaves them, `all` leaves only the source's. */
  readonly positions: 'ours' | 'all';
  readonly usernameChange: 'keep' | 'replace';
  readonly orphans: 'block' | 'root';
  readonly protect: { readonly usernames: readonly string[]; readonly units: readonly string[] };
  readonly guard: Readonly<Record<Guard, GuardLimit>>;
}

export const NOTIFY_ON = ['held', 'failed', 'partial', 'recovered', 'changes'] as const;
export type NotifyOn = (typeof NOTIFY_ON)[number];

/** Who gets a message: usernames, and paths of organization ids. Never empty, and never everybody. */
export interface Audience {
  readonly usernames: readonly string[];
  readonly scopes: readonly string[];
}

/** Who is told what in the messenger itself. */
export interface NotifySettings {
  readonly to: Audience;
  readonly on: readonly NotifyOn[];
  readonly language: 'en' | 'zh';
  /** Id of a template with the keys `title` and `text`. */
  readonly template?: string | undefined;
  /** Minutes of the day, in the time zone of the schedule, from which and to which nobody is told anything. */
  readonly quietHours?: { readonly from: number; readonly to: number } | undefined;
  /** Hours after which what still holds is told again. */
  readonly remindHours: number;
}

/** Where the daemon answers for itself. */
export interface HttpSettings {
  readonly listen: { readonly host: string; readonly port: number };
  readonly tls?: { readonly certFile: string; readonly keyFile: string } | undefined;
}

export interface Settings {
  readonly service: ServiceSettings;
  readonly source: SourceSettings;
  readonly sync: SyncSettings;
  readonly state: { readonly path: string; readonly keepDays: number };
  /** Absent: nobody is told. */
  readonly notify?: NotifySettings | undefined;
  /** Absent: the daemon listens nowhere. */
  readonly http?: HttpSettings | undefined;
  readonly log: { readonly level: 'trace' | 'debug' | 'info' | 'warn' | 'error' };
}

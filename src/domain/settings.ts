/**
 * The configuration as data, after loading: defaults filled in, variables resolved. The schema in `config/` yields
 * these types; units are in the names (seconds, minutes, days) as in the contract.
 */
import type { GuardLimits } from './guards.ts';
import type { LookupSettings, SecretSource, SourceSettings } from './source-settings.ts';

/** PEM files for TLS with the service. */
export interface ServiceTls {
  /** Authorities that are trusted in place of the system's. */
  readonly caFile?: string | undefined;
  /** Certificate that rollcall shows; only together with `keyFile`. */
  readonly certFile?: string | undefined;
  readonly keyFile?: string | undefined;
}

/** A store by which several processes keep one pace. */
export interface SharedPaceSettings {
  /** `redis:` or `rediss:` URL; carries its password. */
  readonly url: string;
  readonly caFile?: string | undefined;
}

/** How much a call has at most, and how long it may take: a service that refuses so much is asked for less. */
interface CallSizes {
  readonly unitsPerImport: number;
  readonly peoplePerImport: number;
  /** Records in one page of a list. */
  readonly pageSize: number;
  /** Usernames in one question for employees. */
  readonly namesPerQuery: number;
  /** Seconds for a whole request; for a file, seconds in which no byte moves. */
  readonly timeoutSeconds: number;
}

export const CALL_SIZES: CallSizes = {
  unitsPerImport: 100,
  peoplePerImport: 200,
  pageSize: 1000,
  namesPerQuery: 1000,
  timeoutSeconds: 30,
};

export interface ServiceSettings {
  readonly baseUrl: string;
  readonly domainId: string;
  readonly orgCode: string;
  readonly token: SecretSource;
  /** Token of application identity, for the operations that take no other. */
  readonly appToken?: SecretSource | undefined;
  readonly tls?: ServiceTls | undefined;
  /** `http:` or `https:` URL of a proxy; carries its password. */
  readonly proxy?: string | undefined;
  readonly limits: CallSizes & {
    readonly requestsPerSecond: number;
    readonly concurrency: number;
    /** If several processes call one service: what they share `requestsPerSecond` by. */
    readonly shared?: SharedPaceSettings | undefined;
  };
}

/** So far apart are two reads at least that count as two misses of a person. */
export const MISS_EVERY_MS = 10 * 60_000;

export interface SyncSettings {
  /** Whether the daemon sends what it plans, or only reports it. */
  readonly mode: 'apply' | 'report';
  readonly cron: string;
  /** When all of source and service is read; `null`: never. */
  readonly fullCron: string | null;
  readonly timezone: string;
  readonly root: string | null;
  readonly unitsGone: 'remove' | 'keep';
  readonly leavers: {
    readonly misses: number;
    readonly action: 'disable' | 'remove';
    readonly removeAfterDays: number | null;
  };
  readonly clear: 'empty' | 'null' | 'omit';
  readonly drift: 'repair' | 'report';
  /**
   * What an import does with values that are shown and that no rule maps: sends them along, or leaves them
   * out.
   */
  readonly unmapped: 'keep' | 'omit';
  readonly orphans: 'block' | 'root';
  readonly protect: {
    readonly usernames: readonly string[];
    readonly units: readonly string[];
    /** An expression over the records of people. */
    readonly where?: string | undefined;
  };
  readonly guard: GuardLimits;
}

export const NOTIFY_ON = ['problems', 'changes'] as const;
export type NotifyOn = (typeof NOTIFY_ON)[number];

/** Who gets a message. Never empty, and never all people. */
export interface Audience {
  readonly usernames: readonly string[];
}

export interface EmailSettings {
  /** `smtp:` or `smtps:` URL; carries user and password. */
  readonly url: string;
  readonly from: string;
  readonly to: readonly string[];
  /** Absent: `smtp:` is encrypted by STARTTLS, except on this machine. */
  readonly startTls?: boolean | undefined;
  readonly caFile?: string | undefined;
}

export const WEBHOOK_FORMS = ['json', 'slack', 'teams', 'feishu', 'dingtalk'] as const;
export type WebhookForm = (typeof WEBHOOK_FORMS)[number];

export interface WebhookSettings {
  /** A secret itself: whoever knows it can post there. */
  readonly url: string;
  readonly secret?: string | undefined;
  readonly as: WebhookForm;
}

export const CHANNELS = ['messenger', 'email', 'webhook'] as const;
export type ChannelName = (typeof CHANNELS)[number];

/** Which notices go out, and how; at least one way is given. */
export interface NotifySettings {
  /** In the messenger itself. */
  readonly to?: Audience | undefined;
  readonly email?: EmailSettings | undefined;
  readonly webhook?: WebhookSettings | undefined;
  readonly on: readonly NotifyOn[];
  readonly language: 'en' | 'zh';
}

/** Who may look at the console, and who may release there what is held. */
export interface ConsoleSettings {
  readonly token?: string | undefined;
  readonly approvers?: readonly { readonly username: string; readonly token: string }[] | undefined;
}

/** Where the daemon answers for itself. */
export interface HttpSettings {
  readonly listen: { readonly host: string; readonly port: number };
  /** The console for a browser; its token may be absent on loopback alone. Absent: there is no console. */
  readonly console?: ConsoleSettings | undefined;
  /** Who may begin runs by `POST /sync`. Absent: nobody. */
  readonly trigger?: { readonly token: string } | undefined;
}

/** How callbacks of the service are opened (interface, section Events). */
export interface ApprovalCallback {
  readonly token: string;
  /** Text of the AES key; absent in plaintext mode. */
  readonly key?: string | undefined;
  /** Identifier at the end of what is encrypted. */
  readonly applicationId?: string | undefined;
  readonly mode: CallbackMode;
  /** Names that callbacks give this domain; absent: its id alone. */
  readonly domains?: readonly string[] | undefined;
}

/** Who may release what is held by an answer in the messenger. */
export interface ApprovalSettings {
  readonly callback: ApprovalCallback;
  /** Usernames, letter by letter as the service shows them. */
  readonly approvers: readonly string[];
}

export interface Settings {
  readonly service: ServiceSettings;
  readonly source: SourceSettings;
  /** Tables of `lookup` in expressions, by name. */
  readonly lookups: Readonly<Record<string, LookupSettings>>;
  readonly sync: SyncSettings;
  readonly state: { readonly path: string; readonly keepDays: number };
  /** Absent: no messages are sent. */
  readonly notify?: NotifySettings | undefined;
  /** Absent: the daemon listens nowhere. */
  readonly http?: HttpSettings | undefined;
  /** Absent: nothing is released by an answer. */
  readonly approvals?: ApprovalSettings | undefined;
  readonly log: { readonly level: 'trace' | 'debug' | 'info' | 'warn' | 'error' };
}

/** `plain`: only `message` comes; `safe`: only `encrypt`; `compatible`: both. */
export const CALLBACK_MODES = ['plain', 'safe', 'compatible'] as const;
export type CallbackMode = (typeof CALLBACK_MODES)[number];

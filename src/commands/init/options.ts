export const INIT_KINDS = ['ldap', 'sql', 'csv'] as const;
export type InitKind = (typeof INIT_KINDS)[number];

/** Flags of `rollcall init`: each answers a question of its own. */
export interface InitOptions {
  readonly kind?: InitKind | undefined;
  readonly url?: string | undefined;
  readonly file: readonly string[];
  readonly bindDn?: string | undefined;
  readonly anonymous: boolean;
  readonly passwordFile?: string | undefined;
  readonly caFile?: string | undefined;
  readonly startTls: boolean;
  readonly base?: string | undefined;
  readonly units?: 'tree' | 'values' | 'groups' | undefined;
  readonly peopleTable?: string | undefined;
  readonly unitsTable?: string | undefined;
  readonly serviceUrl?: string | undefined;
  readonly domainId?: string | undefined;
  readonly orgCode?: string | undefined;
  readonly tokenFile?: string | undefined;
  readonly out?: string | undefined;
  readonly print: boolean;
  readonly skeleton: boolean;
}

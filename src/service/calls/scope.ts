/** Which organization of the service the calls are about. */
export interface Scope {
  readonly domainId: string;
  readonly orgCode: string;
}

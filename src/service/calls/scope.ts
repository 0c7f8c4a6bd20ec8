/** Organization of the service that the calls are about. */
export interface Scope {
  readonly domainId: string;
  readonly orgCode: string;
}

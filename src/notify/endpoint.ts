/** Where a server listens. */
export interface Endpoint {
  /** Without the brackets of IPv6. */
  readonly host: string;
  readonly port: number;
  /** `host:port`, as messages name it: the rest of an address is secret. */
  readonly at: string;
}

/** @param usual port of an address that names none */
export function endpointOf(url: URL, usual: number): Endpoint {
  const host = url.hostname.replaceAll(/[[\]]/gu, '');
  const port = Number(url.port === '' ? usual : url.port);
  return { host, port, at: `${host}:${port}` };
}

export type Method = 'GET' | 'POST' | 'DELETE';

/** One operation of the interface with its variable parts filled in. */
export interface Endpoint {
  /** Method and path as the interface writes them; the name of the operation in logs. */
  readonly call: string;
  readonly method: Method;
  /** Encoded path below the base URL, without query. */
  readonly path: string;
}

/**
 * Fills in the variable parts of a path such as `GET /v1/admin/organizations/{code}/page-orgs`. Each becomes
 * one segment, whatever it contains: `.` and `..` do not lead up either.
 */
export function endpoint(call: `${Method} /${string}`, parts: Readonly<Record<string, string>>): Endpoint {
  const [method = '', template = ''] = call.split(' ');
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeSegment(parts[name] ?? ''));
  return { call, method: method as Method, path };
}

function encodeSegment(part: string): string {
  const encoded = encodeURIComponent(part);
  return /^\.+$/.test(encoded) ? encoded.replaceAll('.', '%2E') : encoded;
}

/**
 * Encodes a query. Commas stay as they are: they separate usernames, and encoded ones would take three bytes
 * each from a list.
 */
export function encodeQuery(query: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${encodeQueryValue(value)}`);
  return pairs.join('&');
}

export function encodeQueryValue(value: string): string {
  return encodeURIComponent(value).replaceAll('%2C', ',');
}

import type { Identity, Method, Operation } from '../../interface/terms/operation.ts';
import type { PartsOf } from '../../interface/terms/paths.ts';

/** One operation of the interface with its variable parts filled in. */
export interface Endpoint {
  /** Method and path as the interface writes them; the name of the operation in logs. */
  readonly call: string;
  readonly method: Method;
  /** Encoded path below the base URL, without query. */
  readonly path: string;
  /** Whose token it needs: `application` is that of `service.appToken`; `any` where it is not given. */
  readonly identity?: Identity;
  /**
   * Whether an attempt whose outcome is not known may be sent again, and one in flight be cut off by a stop;
   * true for GET and false for the others where it is not given.
   */
  readonly repeatable?: boolean;
}

/** What of an operation's row a call needs. */
type Called = Pick<Operation, 'method' | 'path'> & Partial<Pick<Operation, 'identity' | 'repeatable'>>;

/**
 * Fills in the variable parts of an operation's path. Each becomes one segment, whatever it contains: `.` and
 * `..` do not lead up either.
 */
export function endpoint<O extends Called>(
  { method, path, identity, repeatable }: O,
  parts: Readonly<Record<PartsOf<O['path']>, string>>,
): Endpoint {
  const given: Readonly<Record<string, string>> = parts;
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeSegment(given[name] ?? ''));
  return {
    call: `${method} ${path}`,
    method,
    path: filled,
    ...(identity === undefined ? {} : { identity }),
    ...(repeatable === undefined ? {} : { repeatable }),
  };
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

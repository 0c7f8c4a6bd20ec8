import type { RefusalName } from '../../domain/errors.ts';
import type { Identity, Method, Operation, PartsOf } from '../../interface/operation.ts';
import type { CallBody } from '../files/body.ts';

/** One call as a resource asks for it. */
export interface Call<T> extends Endpoint {
  readonly query?: Readonly<Record<string, string>>;
  /** JSON as text, bytes of another type, or a form with a file from the disk; may hold secrets. */
  readonly body?: CallBody;
  /**
   * File to which a binary answer is saved, replacing one that is there; `decode` then gets what was saved
   * ({@link Saved}).
   */
  readonly save?: string;
  /** Values that must not appear in the words of the service. */
  readonly secrets?: readonly string[];
  /** Meaning of a refusal's status for this call, if a run has to know it. */
  readonly refusals?: Readonly<Record<number, RefusalName>>;
  /** `false`: it changes no record of the organization, and may be sent outside a run. */
  readonly needsLease?: false;
  /** Number of records that a changing call carries, for the log; 1 if it is not given. */
  readonly items?: number;
  /**
   * Decodes the envelope's result; `clean` removes secrets from the service's words. Throws a ShapeError
   * if the result is not as the interface says.
   */
  readonly decode: (result: unknown, clean: (words: string) => string) => T;
}

export type AnyCall = Omit<Call<unknown>, 'decode'>;

/** Returns whether a call may be sent again though the outcome of an attempt is not known. */
export function isRepeatable(call: AnyCall): boolean {
  return call.repeatable ?? call.method === 'GET';
}

/** Returns whether a call changes something, for the log and for the fence. */
export function isChanging(call: AnyCall): boolean {
  return call.method !== 'GET';
}

/** One attempt and its outcome, for the log: without query, body or token. */
export interface CallReport {
  /** Method and path as the interface writes them. */
  readonly call: string;
  readonly path: string;
  readonly changing: boolean;
  readonly items: number;
  /** Number of the attempt; 1 for the first. */
  readonly attempt: number;
  readonly ms: number;
  /** `failed`: the service said nothing about the call; a change that is not retried is then ambiguous. */
  readonly outcome: 'done' | 'refused' | 'failed';
  /** Status in the envelope, if it is a refusal. */
  readonly status: number | null;
  /** Pause in ms before the next attempt; `null`: this was the last one. */
  readonly retryInMs: number | null;
  /** Why it was not done, as a sentence. */
  readonly reason: string | null;
}

export type CallObserver = (report: CallReport) => void;

/** One operation of the interface with its variable parts filled in. */
export interface Endpoint {
  /** Method and path as the interface writes them; the name of the operation in logs. */
  readonly call: string;
  readonly method: Method;
  /** Encoded path below the base URL, without query. */
  readonly path: string;
  /** Whose token it needs: `application` is that of `service.appToken`; `any` if it is not given. */
  readonly identity?: Identity;
  /**
   * Whether an attempt whose outcome is not known may be sent again, and one in flight be cut off by a stop;
   * true for GET and false for the others if it is not given.
   */
  readonly repeatable?: boolean;
}

/** What of an operation's row a call needs. */
type Called = Pick<Operation, 'method' | 'path'> & Partial<Pick<Operation, 'identity' | 'repeatable'>>;

/**
 * Fills in the variable parts of an operation's path. Each part becomes one segment, even if it contains a
 * slash; `.` and `..` do not lead up either.
 */
export function endpoint<O extends Called>(
  { method, path, identity, repeatable }: O,
  parts: Readonly<Record<PartsOf<O['path']>, string>>,
): Endpoint {
  const values: Readonly<Record<string, string>> = parts;
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeSegment(values[name] ?? ''));
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

/** Organization of the service that the calls are about. */
export interface Scope {
  readonly domainId: string;
  readonly orgCode: string;
}

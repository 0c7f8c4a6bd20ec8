import type { Readings } from '../options/readings.ts';
import type { PushRecord } from '../world/records.ts';
import type { WireValue } from '../world/wire-value.ts';
import type { LongIds, World } from '../world/world.ts';

/** What every operation works with. */
export interface Service {
  readonly world: World;
  readonly ids: LongIds;
  readonly readings: Readings;
  /** Whether what the interface does not have is ignored instead of refused. */
  readonly lenient: boolean;
  readonly domainId: string;
  readonly orgCode: string;
  /** The application that the calls come from. */
  readonly applicationId: string;
  /** Tells of a message that was pushed. */
  readonly pushed: (push: PushRecord) => void;
  /** Returns the time in milliseconds. */
  readonly now: () => number;
}

/** The file of a form. */
export interface FormFile {
  readonly part: string;
  readonly name: string;
  readonly type: string;
  readonly bytes: Buffer;
}

/** A multipart form (interface: Media). */
export interface Form {
  readonly fields: Readonly<Record<string, string>>;
  readonly files: readonly FormFile[];
}

/** One call, taken apart. */
export interface Request {
  /** The variable parts of the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: WireValue | undefined;
  readonly form?: Form | undefined;
}

/** An answer that is bytes instead of an envelope (interface: Media). */
export class Download {
  readonly bytes: Buffer;
  readonly headers: Readonly<Record<string, string>>;

  constructor(bytes: Buffer, headers: Readonly<Record<string, string>>) {
    this.bytes = bytes;
    this.headers = headers;
  }
}

/** Returns the `result` of the envelope or what is downloaded, or throws Refused. */
export type Operation = (service: Service, request: Request) => WireValue | Download;

export type RefusalKind = 'token' | 'invalid' | 'place' | 'missing' | 'conflict';

/** A call that the service answers with a non-zero `status` (interface: Errors). */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly kind: RefusalKind;
  readonly status: number;

  constructor(kind: RefusalKind, status: number, text: string) {
    super(text);
    this.kind = kind;
    this.status = status;
  }
}

/*
 * Documented are 10011, 202012, 208507 and 208502. The 99xxxx are the sandbox's own: the interface does
 * not show the codes of other invalid input, so a client that depends on one of them is wrong.
 */

export function tokenNotFound(): Refused {
  return new Refused('token', 10011, 'token not found.');
}

export function invalid(text: string): Refused {
  return new Refused('invalid', 990400, text);
}

/** Returns the refusal of a call whose organization code or domain is not the sandbox's. */
export function wrongPlace(text: string): Refused {
  return new Refused('place', 990403, text);
}

export function conflict(text: string): Refused {
  return new Refused('conflict', 990409, text);
}

export function stillHasEmployees(): Refused {
  return new Refused('conflict', 208507, 'organization still has employees');
}

export function noOrganization(): Refused {
  return new Refused('missing', 208502, 'no matching organization');
}

export function noEmployee(): Refused {
  return new Refused('missing', 202012, 'no matching employee');
}

/** Returns the refusal of a call for something that does not exist, and for which no code is documented. */
export function noMatching(what: 'media' | 'template' | 'schedule' | 'user'): Refused {
  return new Refused('missing', 990404, `no matching ${what}`);
}

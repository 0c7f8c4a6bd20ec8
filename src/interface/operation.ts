import type { Field, Fields, ListField, RecordField } from './field.ts';

/** Who may call: with any token, or only an application (interface: Authentication, 3). */
export type Identity = 'any' | 'application';

export type Method = 'GET' | 'POST' | 'DELETE';

/** What an operation carries besides its path and query. */
type Body =
  | { readonly kind: 'none' }
  | { readonly kind: 'json'; readonly of: RecordField | ListField }
  /** multipart/form-data with one file under `part`; the form may also have `fields`. */
  | { readonly kind: 'form'; readonly part: string; readonly fields: Fields };

/** What comes back: the `result` of an envelope, or bytes with a content type of their own. */
type OperationAnswer = { readonly kind: 'json'; readonly of: Field | null } | { readonly kind: 'bytes' };

/** One operation of the interface. `null` as the shape of an answer: "not shown". */
export interface Operation {
  /** Section and name as the document writes them. */
  readonly section: Section;
  readonly title: string;
  readonly method: Method;
  /** Path below the base URL; variable parts in braces, as the document writes them. */
  readonly path: `/${string}`;
  /** Path of the older version (interface: Versioning, 2). */
  readonly older?: `/${string}`;
  /** Query parameters besides `access_token`, which every operation takes. */
  readonly query: Fields;
  /** Two query parameters, and which values of the second go with one of the first, in lower case. */
  readonly supported?: {
    readonly of: readonly [string, string];
    readonly pairs: Readonly<Record<string, readonly string[]>>;
  };
  readonly body: Body;
  readonly answer: OperationAnswer;
  /** Codes of the interface's table of errors, besides 10011, which every operation may answer. */
  readonly errors: readonly number[];
  readonly identity: Identity;
  /** Whether it may be sent again if it is unknown whether it was done. */
  readonly repeatable: boolean;
  /** What it changes: `directory` is what rollcall keeps in step. */
  readonly changes: 'nothing' | 'directory' | 'other';
  /** What the document leaves open about it, and how that is handled here. */
  readonly open: readonly string[];
}

type Section =
  'Message templates' | 'Message push' | 'Employees' | 'Organizations' | 'Media' | 'Schedules' | 'Users';

export const NO_BODY = { kind: 'none' } as const satisfies Body;

/** Returns a JSON body or answer of this shape. */
export function jsonOf<const F extends RecordField | ListField>(
  of: F,
): { readonly kind: 'json'; readonly of: F } {
  return { kind: 'json', of };
}

/** An envelope whose `result` is not shown. */
export const NOT_SHOWN = { kind: 'json', of: null } as const satisfies OperationAnswer;

type Traits = Pick<Operation, 'errors' | 'identity' | 'repeatable' | 'changes' | 'open'>;

/** An operation that changes nothing and that every application may call. */
export const READS = {
  errors: [],
  identity: 'any',
  repeatable: true,
  changes: 'nothing',
  open: [],
} as const satisfies Traits;

/** An operation on organizations or employees: the ledger sees it as a manual edit. */
export const CHANGES_DIRECTORY = {
  ...READS,
  repeatable: false,
  changes: 'directory',
} as const satisfies Traits;

/** A change of something else. */
export const CHANGES_OTHER = { ...READS, repeatable: false, changes: 'other' } as const satisfies Traits;

/** Names of the variable parts of a path. */
export type PartsOf<P extends string> = P extends `${string}{${infer N}}${infer R}` ? N | PartsOf<R> : never;

/** Returns the names of the variable parts of a path, in order. */
export function partsOf(path: string): readonly string[] {
  return Array.from(path.matchAll(/\{(\w+)\}/gu), ([, name = '']) => name);
}

/** Parameters that the configuration fills in: their keys below `service`. */
export const FROM_CONFIG = { code: 'orgCode', org_code: 'orgCode', domain_id: 'domainId' } as const;

/** Parameters that are counted from the file of a form. */
export const FROM_FILE = ['file_digest', 'digest', 'file_size', 'filename'] as const;

/**
 * Two spellings of one parameter in the interface: what is given under one of them is sent under both, where the
 * operation takes both.
 */
export const TWINS: readonly (readonly [string, string])[] = [
  ['heigh', 'height'],
  ['appId', 'app_id'],
];

/** Limits of the interface (section Limits). */
export const LIMITS = {
  directPeople: 400,
  buttonRows: 5,
  buttonsPerRow: 5,
  coverBytes: 20 * 1024,
  skip: 0,
  limit: 10,
} as const;

/** Error codes of the interface (section Errors). */
export const ERROR_CODES = {
  10011: 'token not found.',
  202012: 'no matching employee',
  208507: 'organization still has employees',
  208502: 'no matching organization',
} as const;

/** Returns whether a digest reads as MD5 in hex; the interface says of a digest that it is "typically MD5". */
export function isMd5(digest: string): boolean {
  return /^[\da-f]{32}$/iu.test(digest);
}

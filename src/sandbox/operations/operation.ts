import type { Field, RecordField, MembersOf } from '../../interface/field.ts';
import { isList, isObject, type Json, type JsonObject } from '../../interface/json.ts';
import { ERROR_CODES, type PartsOf } from '../../interface/operation.ts';
import type { OperationName, OPERATIONS } from '../../interface/operations/operations.ts';
import type { Readings } from '../options/readings.ts';
import type { PushRecord } from '../world/records.ts';
import type { World } from '../world/world.ts';

/** What every operation works with. */
export interface Service {
  readonly world: World;
  readonly newId: () => string;
  readonly readings: Readings;
  /** Whether what the interface does not have is ignored instead of refused. */
  readonly lenient: boolean;
  readonly domainId: string;
  readonly orgCode: string;
  /** The application that the calls come from. */
  readonly applicationId: string;
  /** Reports a message that was pushed. */
  readonly pushed: (push: PushRecord) => void;
  /** Returns the time in milliseconds. */
  readonly now: () => number;
}

/** The file of a form. */
export interface FormFile {
  readonly name: string;
  readonly type: string;
  readonly bytes: Buffer;
}

/** A body after its check. The items of an import are checked one by one. */
type Body<B> = B extends { readonly kind: 'json'; readonly of: infer F }
  ? F extends { readonly kind: 'list' }
    ? readonly Json[]
    : MembersOf<F>
  : undefined;

type TextValue<F> = F extends { readonly kind: 'flag' }
  ? boolean
  : F extends { readonly kind: 'integer' | 'time' | 'float' }
    ? number
    : string;
type TextValues<F> = {
  readonly [N in keyof F]: F[N] extends { readonly required: true } | { readonly default: unknown }
    ? TextValue<F[N]>
    : TextValue<F[N]> | undefined;
};

/** Values of the query, and of the form's fields: of a name that both have, either. */
type QueryOf<R> = R extends { readonly query: infer Q; readonly body: { readonly fields: infer F } }
  ? TextValues<Omit<Q, keyof F> & F>
  : R extends { readonly query: infer Q }
    ? TextValues<Q>
    : never;

type Rows = typeof OPERATIONS;

/** A call that its row allows, with the values of its query and form in their types. */
export interface Request<N extends OperationName> {
  readonly params: Readonly<Record<PartsOf<Rows[N]['path']>, string>>;
  readonly query: QueryOf<Rows[N]>;
  readonly body: Body<Rows[N]['body']>;
  readonly file: Rows[N]['body'] extends { readonly kind: 'form' } ? FormFile : undefined;
}

/** An answer that is bytes instead of an envelope (interface: Media). */
export interface Download {
  readonly bytes: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * The work of operations: each returns what is downloaded, or the `result` of the envelope, from which the fields are
 * taken that its row has; or throws Refused.
 */
export type Work<N extends OperationName> = {
  readonly [K in N]: (
    service: Service,
    request: Request<K>,
  ) => Rows[K]['answer'] extends { readonly kind: 'bytes' } ? Download : Json;
};

/** Returns a record, and its service, under the names of the interface: `parentId` becomes `parent_id`. */
export function wireOf({ domainId, orgCode }: Service, record: object): JsonObject {
  const members = Object.entries(record) as [string, Json][];
  const named = members.map(([name, value]) => [
    name.replaceAll(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`),
    value,
  ]);
  return { domain_id: domainId, org_code: orgCode, ...Object.fromEntries(named) };
}

/** Returns those members of a record, and of what is in it, that its row has. */
export function asRow(values: JsonObject, { fields }: RecordField): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, within(values[name], field)]),
  );
}

function within(value: Json | undefined, field: Field): Json | undefined {
  if (field.kind === 'list' && isList(value)) return value.map((one) => within(one, field.of) ?? null);
  return field.kind === 'record' && isObject(value) ? asRow(value, field) : value;
}

/**
 * Why a call is refused: the status of the answer (interface: Errors), and that of HTTP with `errors=http4xx`. The
 * 99xxxx are the sandbox's own: the interface does not show the codes of other invalid input, so a client that depends
 * on one of them is wrong.
 */
const REFUSALS = {
  token: { status: 10_011, http: 401 },
  invalid: { status: 990_400, http: 400 },
  place: { status: 990_403, http: 403 },
  missing: { status: 990_404, http: 404 },
  conflict: { status: 990_409, http: 409 },
  noEmployee: { status: 202_012, http: 404 },
  noOrganization: { status: 208_502, http: 404 },
  hasEmployees: { status: 208_507, http: 409 },
} as const;

/** A call that the service answers with a non-zero `status` (interface: Errors). */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly status: number;
  readonly http: number;

  constructor(reason: keyof typeof REFUSALS, text?: string) {
    const { status, http } = REFUSALS[reason];
    super(text ?? (status in ERROR_CODES ? ERROR_CODES[status as keyof typeof ERROR_CODES] : reason));
    this.status = status;
    this.http = http;
  }
}

export function invalid(text: string): Refused {
  return new Refused('invalid', text);
}

import type { ServiceSettings } from '../domain/settings.ts';
import { OPERATIONS, type OperationName } from '../interface/operations/operations.ts';
import { checkMeaning } from '../interface/requests/check-meaning.ts';
import { checkRequest } from '../interface/requests/check-request.ts';
import { parseJson } from '../interface/requests/parse-json.ts';
import type { Problem } from '../interface/requests/check-fields.ts';
import { FROM_CONFIG, isMd5, partsOf, TWINS, type Operation } from '../interface/operation.ts';
import { endpoint, type Call, type Scope } from './calls/call.ts';
import { Client, type ClientDeps } from './calls/client.ts';
import type { CallBody } from './files/body.ts';
import { factsOf } from './files/file-to-send.ts';
import { isUnknownPath } from './resources/employees.ts';
import { secretsIn } from './wire/encode-body.ts';

/** Any operation of the interface, by its name. */
export interface Caller {
  /**
   * Returns what is wrong about a request; nothing was sent then. Otherwise sends it and returns the `result` of the
   * envelope, in which integers of 16 digits and more are text, or what was saved of bytes. Throws what
   * {@link Client.call} throws, and a JsonSyntaxError if the body is no JSON.
   */
  call(
    request: AnyRequest,
    signal: AbortSignal,
  ): Promise<
    { readonly problems: readonly Problem[] } | { readonly problems: readonly []; readonly result: unknown }
  >;
  close(): Promise<void>;
}

interface CallerDeps extends Omit<ClientDeps, 'onToken'> {
  /** Called with each token that is read and each secret that a body holds, so that they can be hidden. */
  readonly onSecret?: (secret: string) => void;
}

/** Creates a caller over HTTP. Nothing is sent before the first call; `close` ends its connections. */
export function createCaller(settings: ServiceSettings, deps: CallerDeps): Caller {
  const { onSecret = () => undefined } = deps;
  const client = new Client(settings, { ...deps, onToken: onSecret });
  return {
    async call(request, signal) {
      const prepared = await prepare(request, settings);
      if (!('call' in prepared)) return prepared;
      const { call, older } = prepared;
      call.secrets?.forEach(onSecret);
      const reply = await client.tryCall(call, signal);
      if (reply.ok) return { problems: [], result: reply.value };
      if (older !== null && isUnknownPath(reply))
        return { problems: [], result: await client.call(older, signal) };
      throw reply.refusal;
    },
    close: () => client.close(),
  };
}

/** A request for any operation, as a user gives it. */
interface AnyRequest {
  readonly name: OperationName;
  /** Parts of the path, the query and the form, by the interface's names. */
  readonly params: Params;
  /** Body as JSON; `null`: none. */
  readonly json: string | null;
  /** Path of the file of a form; `null`: none. */
  readonly file: string | null;
  /** Where to save an answer that is no JSON; `null`: nowhere. */
  readonly out: string | null;
}

type AnySettings = Pick<ServiceSettings, 'orgCode' | 'domainId'>;

/** A request that was checked: what is wrong about it, or the call. */
type Prepared =
  | { readonly problems: readonly Problem[] }
  | {
      readonly problems: readonly [];
      readonly call: Call<unknown>;
      /** The same in the older version of the interface, if that has another path (Versioning, 2). */
      readonly older: Call<unknown> | null;
    };

/**
 * Checks a request against its row and fills in what the configuration and the file say. Throws a FileError about the
 * file of a form, a JsonSyntaxError if the body is no JSON.
 */
async function prepare(request: AnyRequest, settings: AnySettings): Promise<Prepared> {
  const row: Operation = OPERATIONS[request.name];
  const facts = row.body.kind === 'form' && request.file !== null ? await factsOf(request.file) : {};
  const arranged = arrange(row, { ...facts, ...request.params }, settings);
  const body = request.json === null ? undefined : parseJson(request.json);
  const checked = { ...arranged, body, orgCode: settings.orgCode };
  const problems = [
    ...checkRequest(row, checked),
    ...checkMeaning(request.name, checked),
    ...missingFile(row, request),
    ...contradictions(row, facts, request.params),
  ];
  if (problems.length > 0) return { problems };
  const call = callOf(row, arranged, request, secretsIn(body));
  const older =
    row.older === undefined ? null : { ...call, ...endpoint({ ...row, path: row.older }, arranged.parts) };
  return { problems: [], call, older };
}

function missingFile({ body, answer }: Operation, { file, out }: AnyRequest): readonly Problem[] {
  return [
    ...(body.kind === 'form' && file === null ? [{ place: 'body', text: 'is required: a file' }] : []),
    ...(answer.kind === 'bytes' && out === null
      ? [{ place: 'answer', text: 'is no JSON: name a file for it' }]
      : []),
  ];
}

function callOf(
  row: Operation,
  arranged: Arranged,
  request: AnyRequest,
  secrets: readonly string[],
): Call<unknown> {
  const body = bodyOf(row, arranged, request);
  return {
    ...endpoint(row, arranged.parts),
    query: arranged.query,
    ...(body === null ? {} : { body }),
    ...(row.answer.kind === 'bytes' && request.out !== null ? { save: request.out } : {}),
    secrets,
    decode: (result) => result,
  };
}

function bodyOf({ body }: Operation, { form }: Arranged, { json, file }: AnyRequest): CallBody | null {
  if (body.kind !== 'form' || file === null) return json;
  const { filename: fileName, file_type: contentType } = form;
  const named = fileName === undefined ? {} : { fileName };
  const typed = contentType === undefined ? {} : { contentType };
  return { form: { fields: form, file: { part: body.part, path: file, ...named, ...typed } } };
}

type Params = Readonly<Record<string, string>>;

/** Parameters of an operation in their places. */
interface Arranged {
  readonly parts: Params;
  readonly query: Params;
  readonly form: Params;
}

/**
 * Puts parameters where the operation wants them, in every place where the document leaves open which one it is.
 * The organization and domain of the configuration stand in for those that are not given.
 */
function arrange(row: Operation, params: Params, scope: Scope): Arranged {
  const byDefault = Object.fromEntries(Object.entries(FROM_CONFIG).map(([name, key]) => [name, scope[key]]));
  const all = withTwins({ ...byDefault, ...params });
  return {
    parts: pick(all, partsOf(row.path)),
    query: pick(all, Object.keys(row.query)),
    form: row.body.kind === 'form' ? pick(all, Object.keys(row.body.fields)) : {},
  };
}

function withTwins(params: Params): Params {
  const more = TWINS.flatMap(([one, other]) => {
    const value = params[one] ?? params[other];
    return value === undefined
      ? []
      : [[one, params[one] ?? value] as const, [other, params[other] ?? value] as const];
  });
  return { ...params, ...Object.fromEntries(more) };
}

function pick(params: Params, names: readonly string[]): Params {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = params[name];
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}

/** Parameters that are counted from the file, and what the file has in their place. */
const COUNTED: Readonly<Record<string, (fact: string) => string>> = {
  file_size: (size) => `the file has ${size} bytes`,
  file_digest: (digest) => `the MD5 of the file is ${digest}`,
  digest: (digest) => `the MD5 of the file is ${digest}`,
};

/** Returns where parameters say something else of the file than it is. */
function contradictions({ query }: Operation, facts: Params, stated: Params): readonly Problem[] {
  return Object.entries(COUNTED).flatMap(([name, textOf]) => {
    const [value = '', fact = ''] = [stated[name], facts[name]];
    if (value === '' || fact === '' || isSame(name, value, fact)) return [];
    const place = `${Object.hasOwn(query, name) ? 'query' : 'form'} ${name}`;
    return [{ place, text: `is ${value}, and ${textOf(fact)}` }];
  });
}

/**
 * A digest that looks like MD5 may be written in either case, and any other may be of another kind: the interface says
 * "typically MD5". The row reports a size that is no number.
 */
function isSame(name: string, value: string, fact: string): boolean {
  if (name !== 'file_size') return value.toLowerCase() === fact || !isMd5(value);
  return value === fact || !/^\d+$/u.test(value);
}

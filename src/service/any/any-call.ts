import type { OperationName } from '../../interface/operations.ts';
import { OPERATIONS } from '../../interface/operations.ts';
import { checkRequest } from '../../interface/requests/check-request.ts';
import { parseJson } from '../../interface/requests/parse-json.ts';
import type { Problem } from '../../interface/requests/problem.ts';
import type { Operation } from '../../interface/terms/operation.ts';
import type { ServiceSettings } from '../../domain/settings.ts';
import type { Call } from '../calls/call.ts';
import { endpoint } from '../calls/endpoint.ts';
import type { CallBody } from '../files/body.ts';
import { arrange, type Arranged, type Params } from './arrange.ts';
import { factsOf, otherFacts } from './file-facts.ts';
import { refuseEarly } from './refuse-early.ts';
import { secretsIn } from '../wire/secrets-in.ts';

/** A request for any operation, as somebody gives it. */
export interface AnyRequest {
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

export type AnySettings = Pick<ServiceSettings, 'orgCode' | 'domainId' | 'leaveVerbs'>;

/** A request that was checked: what is wrong about it, or the call. */
export type Prepared =
  | { readonly problems: readonly Problem[] }
  | {
      readonly problems: readonly [];
      readonly call: Call<unknown>;
      /** The same in the older version of the interface, where that has another path (Versioning, 2). */
      readonly older: Call<unknown> | null;
    };

/**
 * Checks a request against its row and fills in what the configuration and the file say. Throws a FileError about the
 * file of a form, a JsonSyntaxError if the body is no JSON.
 */
export async function prepare(request: AnyRequest, settings: AnySettings): Promise<Prepared> {
  const row: Operation = OPERATIONS[request.name];
  const facts = row.body.kind === 'form' && request.file !== null ? await factsOf(request.file) : {};
  const arranged = arrange(row, { ...facts, ...request.params }, settings);
  const body = request.json === null ? undefined : parseJson(request.json);
  const checked = { ...arranged, body, orgCode: settings.orgCode };
  const problems = [
    ...checkRequest(row, checked),
    ...refuseEarly(request.name, checked),
    ...missingFile(row, request),
    ...otherFacts(row, facts, request.params),
  ];
  if (problems.length > 0) return { problems };
  const around = { request, secrets: secretsIn(body) };
  const call = callOf(row, arranged, around);
  if (row.older === undefined || settings.leaveVerbs === 'disable')
    return { problems: [], call, older: null };
  const older = callOf({ ...row, path: row.older }, arranged, around);
  return settings.leaveVerbs === 'lock'
    ? { problems: [], call: older, older: null }
    : { problems: [], call, older };
}

function missingFile({ body, answer }: Operation, { file, out }: AnyRequest): readonly Problem[] {
  return [
    ...(body.kind === 'form' && file === null ? [{ place: 'body', text: 'is required: a file' }] : []),
    ...(answer.kind === 'bytes' && out === null
      ? [{ place: 'answer', text: 'is no JSON: name a file for it' }]
      : []),
  ];
}

interface Around {
  readonly request: AnyRequest;
  readonly secrets: readonly string[];
}

function callOf(row: Operation, arranged: Arranged, { request, secrets }: Around): Call<unknown> {
  const body = bodyOf(row, arranged, request);
  const parts: Readonly<Record<string, string>> = arranged.parts;
  return {
    ...endpoint(row, parts),
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

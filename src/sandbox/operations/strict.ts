import { OPERATIONS, type OperationName } from '../../interface/operations/operations.ts';
import { MESSAGE_BODIES, type MessageType } from '../../interface/operations/push.ts';
import { checkValue, IS_NULL, type Problem } from '../../interface/requests/check-fields.ts';
import { checkRequest, type CheckedRequest } from '../../interface/requests/check-request.ts';
import type { Operation } from '../../interface/operation.ts';
import { invalid } from './operation.ts';
import type { WireValue } from '../world/wire-value.ts';

/** A call as it came, before its operation has read it. */
interface RawRequest {
  /** Variable parts of the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: WireValue | undefined;
  /** Fields of a form. */
  readonly form: ReadonlyMap<string, string> | undefined;
  /** Name of the file of a form: "filename (req)" may be that or a field. */
  readonly fileName?: string | undefined;
}

/**
 * Refuses a request that the row of its operation does not allow: parameters or fields that the interface does not
 * have, values of another type, missing ones. Items of an import are left to {@link requireItem}: a wrong one is
 * refused alone.
 */
export function requireRow(row: Operation, { params, query, body, form, fileName }: RawRequest): void {
  const twice = [...new Set(query.keys())].filter((param) => query.getAll(param).length > 1);
  refuse(twice.map((param) => ({ place: `query ${param}`, text: 'is given twice' })));
  const { access_token: _, ...texts } = Object.fromEntries(query);
  const name = texts['filename'] ?? fileName;
  const request: CheckedRequest = {
    parts: params,
    // Another code than the organization's own was refused before.
    orgCode: params['code'] ?? params['org_code'],
    query: texts,
    form: {
      ...(takesName(row) && name !== undefined ? { filename: name } : {}),
      ...Object.fromEntries(form ?? []),
    },
    ...(takesItems(row) ? {} : { body }),
  };
  refuse(checkRequest(withoutItems(row), request));
}

/** Refuses an item of an import that its row does not allow. */
export function requireItem(name: OperationName, item: WireValue): void {
  const { body }: Operation = OPERATIONS[name];
  if (body.kind === 'json' && body.of.kind === 'list') refuse(checkValue(item, body.of.of, ''));
}

function takesName({ body }: Operation): boolean {
  return body.kind === 'form' && Object.hasOwn(body.fields, 'filename');
}

/** Refuses the body of a message that the rows of its type do not allow (interface: Message push). */
export function requireMessageBody(type: MessageType, body: WireValue): void {
  refuse(checkValue(body, MESSAGE_BODIES[type], 'body.body'));
}

/** Returns whether the body is a list of items, each of which is taken or refused alone. */
export function takesItems({ body }: Operation): boolean {
  return body.kind === 'json' && body.of.kind === 'list';
}

function withoutItems(row: Operation): Operation {
  return takesItems(row) ? { ...row, body: { kind: 'none' } } : row;
}

/** Refuses the first problem. What a service makes of `null` is not shown: `sync.clear: null` sends it. */
function refuse(problems: readonly Problem[]): void {
  const problem = problems.find(({ text }) => text !== IS_NULL);
  if (problem !== undefined) throw invalid(`${problem.place.replace(/^(?:body)?\./u, '')} ${problem.text}`);
}

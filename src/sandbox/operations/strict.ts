import { OPERATIONS, type OperationName } from '../../interface/operations/operations.ts';
import { MESSAGE_BODIES, type MessageType } from '../../interface/operations/push.ts';
import { checkValue, IS_NULL, IS_UNKNOWN, type Problem } from '../../interface/requests/check-fields.ts';
import { checkRequest, type CheckedRequest } from '../../interface/requests/check-request.ts';
import type { Operation } from '../../interface/operation.ts';
import { invalid, type Request } from './operation.ts';
import type { WireValue } from '../world/wire-value.ts';

/**
 * Refuses a request that the row of its operation does not allow: values of another type, missing ones and, unless
 * `lenient`, parameters or fields that the interface does not have. Items of an import are left to {@link requireItem}:
 * a wrong one is refused alone.
 */
export function requireRow(row: Operation, request: Request, lenient: boolean): void {
  const { params, query, body, form } = request;
  const twice = [...new Set(query.keys())].filter((param) => query.getAll(param).length > 1);
  refuse(
    twice.map((param) => ({ place: `query ${param}`, text: 'is given twice' })),
    lenient,
  );
  const { access_token: _, ...texts } = Object.fromEntries(query);
  const name = texts['filename'] ?? form?.files[0]?.name;
  const checked: CheckedRequest = {
    parts: params,
    // Another code than the organization's own was refused before.
    orgCode: params['code'] ?? params['org_code'],
    query: texts,
    form: { ...(takesName(row) && name !== undefined ? { filename: name } : {}), ...form?.fields },
    ...(takesItems(row) ? {} : { body }),
  };
  refuse(checkRequest(withoutItems(row), checked), lenient);
}

/** Refuses an item of an import that its row does not allow. */
export function requireItem(name: OperationName, item: WireValue, lenient: boolean): void {
  const { body }: Operation = OPERATIONS[name];
  if (body.kind === 'json' && body.of.kind === 'list') refuse(checkValue(item, body.of.of, ''), lenient);
}

function takesName({ body }: Operation): boolean {
  return body.kind === 'form' && Object.hasOwn(body.fields, 'filename');
}

/** Refuses the body of a message that the rows of its type do not allow (interface: Message push). */
export function requireMessageBody(type: MessageType, body: WireValue, lenient: boolean): void {
  refuse(checkValue(body, MESSAGE_BODIES[type], 'body.body'), lenient);
}

/** Returns whether the body is a list of items, each of which is taken or refused alone. */
export function takesItems({ body }: Operation): boolean {
  return body.kind === 'json' && body.of.kind === 'list';
}

function withoutItems(row: Operation): Operation {
  return takesItems(row) ? { ...row, body: { kind: 'none' } } : row;
}

/** Refuses the first problem. What a service makes of `null` is not shown: `sync.clear: null` sends it. */
function refuse(problems: readonly Problem[], lenient: boolean): void {
  const problem = problems.find(({ text }) => text !== IS_NULL && !(lenient && text === IS_UNKNOWN));
  if (problem !== undefined) throw invalid(`${problem.place.replace(/^(?:body)?\./u, '')} ${problem.text}`);
}

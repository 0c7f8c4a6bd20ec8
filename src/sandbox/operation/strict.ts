import { rowOf, type OperationName } from '../../interface/operations.ts';
import { checkValue } from '../../interface/requests/check-fields.ts';
import { checkRequest, type CheckedRequest } from '../../interface/requests/check-request.ts';
import type { Problem } from '../../interface/requests/problem.ts';
import type { Operation } from '../../interface/terms/operation.ts';
import { invalid } from './refused.ts';
import { isObject, type WireValue } from '../wire/wire-value.ts';

/** Older spellings of an operation's path are routes of their own here. */
const OLDER: Readonly<Record<string, OperationName>> = {
  lockEmployee: 'disableEmployee',
  unlockEmployee: 'enableEmployee',
};

/** Two operations on one path, which `ops` in the body tells apart (interface: Schedules). */
export const CHANGES_OF_SCHEDULES = ['modifySchedule', 'deleteSchedule'] as const;

function rowNameOf(route: string, body: WireValue | undefined): string {
  if (route !== 'changeSchedule') return route;
  const [modify, remove] = CHANGES_OF_SCHEDULES;
  return isObject(body) && body['ops'] === 'delete' ? remove : modify;
}

/** A call as it came, before its operation has read it. */
export interface RawRequest {
  readonly query: URLSearchParams;
  readonly body: WireValue | undefined;
  /** Fields of a form. */
  readonly form: ReadonlyMap<string, string> | undefined;
  /** Name of the file of a form: "filename (req)" may be that or a field. */
  readonly fileName?: string | undefined;
  /** Kept out of the check: what a reading takes in another type. */
  readonly except?: ReadonlySet<string>;
}

/** Returns the row of a route. */
export function rowOfRoute(name: string): Operation {
  const row = rowOf(OLDER[name] ?? name);
  if (row === undefined) throw new Error(`the interface has no operation ${name}`);
  return row;
}

/**
 * Refuses a request that the row of its operation does not allow: parameters or fields that the interface does not
 * have, values of another type, missing ones. Items of an import are left to {@link requireItem}: a wrong one is
 * refused alone.
 */
export function requireRow(name: string, { query, body, form, fileName, except }: RawRequest): void {
  const row = rowOfRoute(rowNameOf(name, body));
  const params = Object.fromEntries([...query].filter(([param]) => param !== 'access_token'));
  const request: CheckedRequest = {
    parts: {},
    query: params,
    form: {
      ...(takesName(row) && fileName !== undefined ? { filename: fileName } : {}),
      ...Object.fromEntries(form ?? []),
    },
    ...(isImport(row) ? {} : { body }),
  };
  const problems = checkRequest(withoutItems(row), request);
  refuse(problems.filter(({ place }) => !place.startsWith('path ') && except?.has(place) !== true));
}

/** Refuses an item of an import that its row does not allow. */
export function requireItem(name: OperationName, item: WireValue): void {
  const { body } = rowOfRoute(name);
  if (body.kind === 'json' && body.of.kind === 'list') refuse(checkValue(item, body.of.of, ''));
}

function takesName({ body }: Operation): boolean {
  return body.kind === 'form' && Object.hasOwn(body.fields, 'filename');
}

function isImport({ body }: Operation): boolean {
  return body.kind === 'json' && body.of.kind === 'list';
}

function withoutItems(row: Operation): Operation {
  return isImport(row) ? { ...row, body: { kind: 'none' } } : row;
}

function refuse(problems: readonly Problem[]): void {
  const [problem] = problems;
  if (problem !== undefined) throw invalid(`${problem.place.replace(/^(?:body)?\./u, '')} ${problem.text}`);
}

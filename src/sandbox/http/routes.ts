import { isObject, type Json } from '../../interface/json.ts';
import type { Operation as Row } from '../../interface/operation.ts';
import { OPERATIONS, type OperationName } from '../../interface/operations/operations.ts';
import { parseJson } from '../../interface/requests/parse-json.ts';
import { employeeWork } from '../operations/employees.ts';
import { mediaWork } from '../operations/media.ts';
import type { Download, Service, Work } from '../operations/operation.ts';
import { organizationWork } from '../operations/organizations.ts';
import { pushWork } from '../operations/push.ts';
import { isForm, type CheckedCall } from '../operations/request.ts';
import { scheduleWork } from '../operations/schedules.ts';
import { templateWork } from '../operations/templates.ts';
import { userWork } from '../operations/users.ts';

const WORK: Work<OperationName> = {
  ...templateWork,
  ...pushWork,
  ...employeeWork,
  ...organizationWork,
  ...mediaWork,
  ...scheduleWork,
  ...userWork,
};

/** Where a call has to go to reach an operation. */
export interface Route {
  /** Name of the row; the older paths of leave and reinstate have names of their own. */
  readonly name: string;
  readonly rowName: OperationName;
  readonly row: Row;
  /** Path, in which `{name}` stands for one variable part. */
  readonly path: string;
  /** Whether only the newer version of the interface has it (interface: Versioning). */
  readonly newer: boolean;
  readonly run: (service: Service, call: CheckedCall) => Json | Download;
}

/** All routes; of two that fit one path, the one with fewer variable parts in front comes first. */
export const ROUTES: readonly Route[] = Object.entries(OPERATIONS)
  .flatMap(([name, row]) => routesOf(name as OperationName, row))
  .toSorted((one, other) => (orderOf(one) < orderOf(other) ? -1 : Number(orderOf(one) > orderOf(other))));

function routesOf(name: OperationName, row: Row): readonly Route[] {
  const { path, older } = row;
  const route = {
    name,
    rowName: name,
    row,
    path,
    newer: older !== undefined,
    run: WORK[name] as Route['run'],
  };
  if (older === undefined) return [route];
  const olderName = name.replace(lastOf(path), lastOf(older));
  return [route, { ...route, name: olderName, path: older, newer: false }];
}

function lastOf(path: string): string {
  return path.split('/').at(-1) ?? '';
}

/** `{` comes behind every letter. */
function orderOf({ path }: Route): string {
  return path.replaceAll(/\{\w+\}/gu, '{');
}

export interface RouteMatch {
  readonly route: Route;
  /** Variable parts of the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
}

interface Asked {
  readonly method: string;
  /** Path as it came. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly contentType: string;
  readonly body: Buffer;
}

/** Returns the route of a call; `undefined` where none takes it. `older`: without the paths of the newer interface. */
export function findRoute(asked: Asked, older: boolean): RouteMatch | undefined {
  const steps = asked.path.split('/');
  const fitting = ROUTES.filter(
    ({ row, path, newer }) =>
      row.method === asked.method && !(older && newer) && fits(path.split('/'), steps),
  );
  const place = fitting.filter((route) => orderOf(route) === orderOf(fitting[0] ?? route));
  const route = place.find(({ row }) => isMeant(row, asked)) ?? place[0];
  if (route === undefined) return undefined;
  const parts = route.path.split('/').flatMap((step, index) => partOf(step, steps[index] ?? ''));
  return parts.some(([, value]) => value === '') ? undefined : { route, params: Object.fromEntries(parts) };
}

function fits(pattern: readonly string[], steps: readonly string[]): boolean {
  if (pattern.length !== steps.length) return false;
  return pattern.every((step, index) => step.startsWith('{') || step === steps[index]);
}

/** Returns the name and the value of a variable part; "" for a value that cannot be decoded. */
function partOf(step: string, given: string): readonly (readonly [string, string])[] {
  if (!step.startsWith('{')) return [];
  try {
    return [[step.slice(1, -1), decodeURIComponent(given)]];
  } catch {
    return [[step, '']];
  }
}

/** Returns whether a call is meant for this one of two operations: by its form, its `ops`, or a required parameter. */
function isMeant({ body, query }: Row, asked: Asked): boolean {
  if (body.kind === 'form' || isForm(asked.contentType))
    return body.kind === 'form' && isForm(asked.contentType);
  const ops = body.kind === 'json' && body.of.kind === 'record' ? body.of.fields['ops'] : undefined;
  if (ops !== undefined && 'values' in ops) return ops.values?.[0] === opsIn(asked.body);
  const required = Object.keys(query).find((name) => query[name]?.required === true);
  return required === undefined || asked.query.has(required);
}

function opsIn(body: Buffer): Json | undefined {
  try {
    const value = parseJson(body.toString());
    return isObject(value) ? value['ops'] : undefined;
  } catch {
    return undefined;
  }
}

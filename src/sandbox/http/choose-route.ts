import { isForm } from '../media/receive-form.ts';
import { parseJson } from '../../interface/requests/parse-json.ts';
import { isObject, type WireValue } from '../wire/wire-value.ts';
import type { PlainRoute, Route } from './routes.ts';

export interface FoundRoute<R = PlainRoute> {
  readonly route: R;
  readonly params: Readonly<Record<string, string>>;
}

export interface Asked {
  /** Variable parts of the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Whether to leave out the paths that the older interface does not know. */
  readonly older: boolean;
  /** Content type of the body: two operations can share method and path. */
  readonly contentType: string;
}

/** Chooses among the routes of one method and path; `undefined` where none of them takes the call. */
export function chooseRoute(
  routes: readonly Route[],
  { params, query, older, contentType }: Asked,
): FoundRoute<Route> | undefined {
  if (Object.values(params).includes('')) return undefined;
  const route = routes.find(
    (one) => !(older && one.newer) && hasQuery(one, query) && takes(one, contentType),
  );
  return route && { route, params };
}

/**
 * Returns the route that `ops` in the body names, where two operations share method and path (interface: Schedules);
 * the one that was chosen for a body without it.
 */
export function byOps<F extends FoundRoute<Route>>(found: F, routes: readonly Route[], body: string): F {
  if (found.route.ops === undefined) return found;
  const named = opsIn(body);
  const route = routes.find(({ ops }) => ops === named);
  return route === undefined ? found : { ...found, route };
}

function opsIn(body: string): WireValue | undefined {
  try {
    const value = parseJson(body);
    return isObject(value) ? value['ops'] : undefined;
  } catch {
    return undefined;
  }
}

function takes({ form }: Route, contentType: string): boolean {
  return form === undefined || form === isForm(contentType);
}

function hasQuery({ having }: Route, query: URLSearchParams): boolean {
  return having === undefined || query.has(having);
}

import { isForm } from '../media/receive-form.ts';
import { ROUTES, type PlainRoute, type Route } from './routes.ts';
import { parseWire } from '../wire/parse-wire.ts';
import { isObject, type WireValue } from '../wire/wire-value.ts';

export interface FoundRoute<R = PlainRoute> {
  readonly route: R;
  readonly params: Readonly<Record<string, string>>;
}

export interface Asked {
  readonly method: string;
  readonly url: URL;
  /** Whether to leave out the paths that the older interface does not know. */
  readonly older: boolean;
  /** Content type of the body: two operations can share method and path. */
  readonly contentType: string;
}

/** Finds the route of a call; `undefined` for an unknown path or a method that it does not have. */
export function findRoute({ method, url, older, contentType }: Asked): FoundRoute<Route> | undefined {
  for (const route of ROUTES) {
    const known = route.method === method && !(older && route.newer);
    const fits = known && hasQuery(route, url) && takes(route, contentType);
    const params = fits ? matchPath(route.path, url.pathname) : undefined;
    if (params !== undefined) return { route, params };
  }
  return undefined;
}

/**
 * Returns the route that `ops` in the body names, where two operations share method and path (interface: Schedules);
 * the one that was found for a body without it.
 */
export function byOps<F extends FoundRoute<Route>>(found: F, body: string): F {
  const { method, path, ops } = found.route;
  if (ops === undefined) return found;
  const named = opsIn(body);
  const route = ROUTES.find((one) => one.method === method && one.path === path && one.ops === named);
  return route === undefined ? found : { ...found, route };
}

function opsIn(body: string): WireValue | undefined {
  try {
    const value = parseWire(body);
    return isObject(value) ? value['ops'] : undefined;
  } catch {
    return undefined;
  }
}

function takes({ form }: Route, contentType: string): boolean {
  return form === undefined || form === isForm(contentType);
}

function hasQuery(route: Route, url: URL): boolean {
  return route.having === undefined || url.searchParams.has(route.having);
}

function matchPath(pattern: string, pathname: string): Readonly<Record<string, string>> | undefined {
  const wanted = pattern.split('/');
  const given = pathname.split('/');
  if (wanted.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const value = given[index] ?? '';
    const variable = part.startsWith('{') ? decode(value) : '';
    if (variable !== '') params[part.slice(1, -1)] = variable;
    else if (part !== value) return undefined;
  }
  return params;
}

/** Decodes a part of a path; returns nothing for an invalid percent-encoding. */
function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return '';
  }
}

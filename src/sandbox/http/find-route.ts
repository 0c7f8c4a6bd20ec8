import { ROUTES, type Route } from './routes.ts';

export interface FoundRoute {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

export interface Asked {
  readonly method: string;
  readonly url: URL;
  /** Whether to leave out the paths that the older interface does not know. */
  readonly older: boolean;
}

/** Finds the route of a call; `undefined` for an unknown path or a method that it does not have. */
export function findRoute({ method, url, older }: Asked): FoundRoute | undefined {
  for (const route of ROUTES) {
    const fits = route.method === method && !(older && route.newer) && hasQuery(route, url);
    const params = fits ? matchPath(route.path, url.pathname) : undefined;
    if (params !== undefined) return { route, params };
  }
  return undefined;
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
    const variable = part.startsWith(':') ? decode(value) : '';
    if (variable !== '') params[part.slice(1)] = variable;
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

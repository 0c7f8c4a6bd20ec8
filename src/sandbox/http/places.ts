import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ROUTES, type Route } from './routes.ts';

/** Answers a request. */
export type Take = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Adds each place of the interface, which is a method and a path; `taking` makes what answers there, from its routes. */
export function addPlaces(app: FastifyInstance, taking: (routes: readonly Route[]) => Take): void {
  for (const [place, routes] of routesByPlace()) {
    const [method = '', path = ''] = place.split(' ');
    const url = path.replaceAll(/\{(\w+)\}/gu, ':$1');
    const handler = taking(routes);
    // Fastify fails for a content type that is none, which is for the operation to refuse.
    app.route({ method, url, handler, errorHandler: (_, request, reply) => void handler(request, reply) });
  }
}

function routesByPlace(): ReadonlyMap<string, readonly Route[]> {
  const found = new Map<string, Route[]>();
  for (const route of ROUTES) {
    const place = `${route.method} ${route.path}`;
    found.set(place, [...(found.get(place) ?? []), route]);
  }
  return found;
}

import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { Resources as Kinds, Types } from 'scimmy';
import { SCIMMYRouters } from 'scimmy-routers';

interface Resource {
  readonly id: string;
  readonly displayName: string;
}

interface ScimmyUser extends Resource {
  readonly userName: string;
  readonly active: boolean;
}

interface ScimmyGroup extends Resource {
  readonly members: { value: string; type: string }[];
}

interface Resources {
  readonly users: readonly ScimmyUser[];
  readonly groups: readonly ScimmyGroup[];
}

export interface Scimmy {
  readonly url: string;
  readonly token: string;
  /** Has these resources from now on, and forgets what was asked. */
  show(resources: Resources): void;
  /** Path and query of each request. */
  readonly asked: readonly string[];
  stop(): Promise<void>;
}

const TOKEN = 'scimmy-token';

/**
 * Starts a SCIM server that is not ours. SCIMMY keeps the kinds of resources in the process, so there is one server at a
 * time. It is on Express 4: with Express 5 it ignores `count` and `startIndex`.
 */
export async function startScimmy(): Promise<Scimmy> {
  const asked: string[] = [];
  let has: Resources = { users: [], groups: [] };
  const app = express();
  // The routers are made for the kinds that are declared before them.
  Kinds.declare(Kinds.User).egress((wanted) => found(wanted, has.users));
  Kinds.declare(Kinds.Group).egress((wanted) => found(wanted, has.groups));
  app.use((request, _response, next) => {
    asked.push(request.originalUrl);
    next();
  });
  app.use('/scim/v2', new SCIMMYRouters({ type: 'bearer', handler: authenticated }));
  const http = app.listen(0, '127.0.0.1');
  await once(http, 'listening');
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/scim/v2`,
    token: TOKEN,
    asked,
    show(resources) {
      has = resources;
      asked.length = 0;
    },
    async stop() {
      http.closeAllConnections();
      http.close();
      await once(http, 'close');
    },
  };
}

function authenticated(request: express.Request): string {
  if (request.header('authorization') !== `Bearer ${TOKEN}`) throw new Error('no such token');
  return 'rollcall';
}

interface Wanted {
  readonly id?: string | undefined;
  readonly filter?: Types.Filter | undefined;
}

function found<T extends Resource>(wanted: Wanted, all: readonly T[]): T | T[] {
  if (wanted.id === undefined) return wanted.filter?.match([...all]) ?? [...all];
  const one = all.find(({ id }) => id === wanted.id);
  if (one === undefined) throw new Types.Error(404, '', 'no such resource');
  return one;
}

import { afterAll, beforeAll } from 'vitest';

interface Stoppable {
  stop(): Promise<void>;
}

/** A server that runs from before the first test of a file or suite until after its last one; none is there before. */
export function throughout<S extends Stoppable>(
  start: () => Promise<S>,
  prepare: (server: S) => unknown = () => undefined,
): S {
  let server: S | undefined;
  beforeAll(async () => {
    server = await start();
    await prepare(server);
  });
  afterAll(async () => server?.stop());
  return new Proxy({} as S, {
    get: (_, name) => {
      if (server === undefined) throw new Error('the server runs in tests alone');
      return Reflect.get(server, name);
    },
  });
}

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A webhook that takes everything until it is closed, or the test ends. */
export interface Receiver {
  readonly url: string;
  /** Bodies that were posted. */
  readonly got: readonly unknown[];
  readonly close: () => void;
}

export async function receiver(): Promise<Receiver> {
  const got: unknown[] = [];
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    got.push(JSON.parse(Buffer.concat((await request.toArray()) as Buffer[]).toString()));
    response.end();
  };
  const server = createServer((request, response) => void take(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = (): void => {
    server.close();
  };
  onTestFinished(close);
  return { got, close, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

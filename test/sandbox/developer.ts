import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

interface Came {
  readonly query: URLSearchParams;
  readonly body: string;
}

/** Opens a developer's address that keeps what comes. */
export async function developer(
  status = 200,
): Promise<{ readonly came: readonly Came[]; readonly url: string }> {
  const came: Came[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      came.push({ query: new URL(request.url ?? '', 'http://x').searchParams, body });
      response.writeHead(status).end('{"status":0,"message":"ok"}');
      return undefined;
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { came, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback?keep=1` };
}

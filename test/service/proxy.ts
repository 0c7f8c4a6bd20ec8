import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import { connect, type Socket } from 'node:net';
import { started, type Listening } from './file-server.ts';

export interface Proxy extends Listening {
  /** Targets of CONNECT, with the credentials that came along. */
  readonly asked: { readonly target: string; readonly authorization: string | undefined }[];
}

interface ProxyOptions {
  /** Credentials that it wants, as `user:password`. */
  readonly credentials?: string;
  /** Status of every answer in place of a tunnel. */
  readonly status?: number;
  /** `drop` closes the connection, `silent` answers nothing. */
  readonly manner?: 'drop' | 'silent';
  readonly tls?: ServerOptions;
}

/** A real proxy: it opens tunnels (CONNECT) to this machine, whatever host is asked for. */
export async function startProxy(options: ProxyOptions = {}): Promise<Proxy> {
  const asked: Proxy['asked'] = [];
  const server = options.tls === undefined ? createServer() : createTlsServer(options.tls);
  server.on('connect', (request: IncomingMessage, client: Socket) => {
    const target = request.url ?? '';
    const authorization = request.headers['proxy-authorization'];
    asked.push({ target, authorization });
    client.on('error', () => undefined);
    if (options.manner === 'drop') return client.destroy();
    if (options.manner === 'silent') return undefined;
    const status = options.status ?? (isWelcome(authorization, options.credentials) ? 200 : 407);
    if (status !== 200) return client.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`);
    const onward = connect(Number(target.split(':').at(-1)), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      client.pipe(onward).pipe(client);
    });
    onward.on('error', () => client.destroy());
    return client.on('close', () => onward.destroy());
  });
  return Object.assign(await started(server), { asked });
}

function isWelcome(authorization: string | undefined, credentials: string | undefined): boolean {
  if (credentials === undefined) return true;
  return authorization === `Basic ${Buffer.from(credentials).toString('base64')}`;
}

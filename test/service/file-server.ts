import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:net';
import { systemClock } from '../../src/lib/clock.ts';
import { endpoint, type Call, type CallReport } from '../../src/service/calls/call.ts';
import { Client } from '../../src/service/calls/client.ts';
import type { Method } from '../../src/interface/operation.ts';
import type { Saved } from '../../src/service/files/file-sink.ts';
import { FakeClock } from '../doubles/fake-clock.ts';
import { scratchFolder } from '../servers/scratch.ts';
import { closing, settingsFor, type SettingsPatch } from './odd-server.ts';

export const { signal } = new AbortController();

/** One request with its body, byte by byte. */
export interface Heard {
  readonly request: IncomingMessage;
  readonly url: URL;
  readonly body: Buffer;
}

export type Says = (response: ServerResponse, heard: Heard) => unknown;

export interface Listening {
  readonly port: number;
  readonly heard: Heard[];
  close(): Promise<void>;
}

/** A server that reads each request to its end and gives these answers, the last one again and again. */
export function listen(says: readonly Says[], tls: ServerOptions | null = null): Promise<Listening> {
  const heard: Heard[] = [];
  const answer: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on('error', () => undefined);
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const one = { request, url: new URL(request.url ?? '/', 'http://x'), body: Buffer.concat(chunks) };
      heard.push(one);
      says[Math.min(heard.length, says.length) - 1]?.(response, one);
    });
  };
  return started(tls === null ? createServer(answer) : createTlsServer(tls, answer), heard);
}

export async function started(server: Server, heard: Heard[] = []): Promise<Listening> {
  const sockets = new Set<{ destroy(): unknown }>();
  server.on('connection', (socket) => sockets.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  };
  return { port: (server.address() as AddressInfo).port, heard, close };
}

export const says = {
  ok:
    (result: unknown = null): Says =>
    (response) =>
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ status: 0, result })),
  no:
    (status: number, message: string): Says =>
    (response) =>
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ status, message })),
  http:
    (status: number, body = ''): Says =>
    (response) =>
      response.writeHead(status).end(body),
  file:
    (bytes: Uint8Array, headers: Readonly<Record<string, string>> = {}): Says =>
    (response) =>
      response
        .writeHead(200, { 'content-type': 'image/png', 'content-length': bytes.length, ...headers })
        .end(bytes),
} as const;

/** A client of that base URL; its clock jumps, and its reports are kept. */
export function clientOf(baseUrl: string, patch: SettingsPatch = {}, isReal = false) {
  const reports: CallReport[] = [];
  const tokens: string[] = [];
  const client = new Client(settingsFor(baseUrl, patch), {
    clock: isReal ? systemClock : new FakeClock({ auto: true }),
    onCall: (report) => reports.push(report),
    onToken: (token) => tokens.push(token),
  });
  return { client, reports, tokens };
}

/** Returns how a test opens a client of a server that gives these answers; both are closed when it has ended. */
export function talks(open = closing()) {
  return async (script: readonly Says[], patch: SettingsPatch = {}, isReal = false) => {
    const server = await listen(script);
    const made = clientOf(`http://127.0.0.1:${server.port}`, patch, isReal);
    open.push(made.client, server);
    return { ...made, heard: server.heard, port: server.port };
  };
}

/** A call whose result is taken as it is. */
export function anyCall(operation: `${Method} /${string}`, more: Partial<Call<unknown>> = {}): Call<unknown> {
  const [method, template] = operation.split(' ') as [Method, `/${string}`];
  return { ...endpoint({ method, path: template }, {}), decode: (result) => result, ...more };
}

export function download(save: string): Call<Saved> {
  return {
    ...endpoint({ method: 'GET', path: '/v1/medias/7' }, {}),
    save,
    decode: (result) => result as Saved,
  };
}

export function tempFolder(): string {
  return scratchFolder('net');
}

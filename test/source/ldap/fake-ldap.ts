import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';

import { BerReader } from 'ldapts';

import { MessageReader } from '../../../src/source/ldap/wire/ber.ts';
import { entryMessage, referenceMessage, resultOf } from './wire/messages.ts';

/** One answer to a search: entries, then the result with its cookie. */
export interface FakePage {
  readonly dns: readonly string[];
  readonly attributes?: Readonly<Record<string, readonly (string | Buffer)[]>>;
  readonly cookie: string;
  /** Result code; 0: success. */
  readonly code?: number;
  /** Where the result refers to. */
  readonly referral?: string;
  /** The connection ends instead of the result. */
  readonly hangUp?: true;
  /** The result never comes. */
  readonly silent?: true;
  /** The result comes without the control of paged results. */
  readonly bare?: true;
  /** Addresses to which it refers. */
  readonly references?: readonly string[];
}

export interface FakeLdap {
  readonly url: string;
  /** Cookies as the client sent them. */
  readonly cookies: readonly string[];
  stop(): void;
}

/** Answers a search, as it likes. */
export type OnSearch = (socket: Socket, id: number, request: Buffer) => void;

/** A server that takes every bind. */
export async function serveSearches(onSearch: OnSearch): Promise<{ readonly url: string; stop(): void }> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    const requests = new MessageReader((bytes, start, end) => {
      const request = bytes.subarray(start, end);
      const reader = new BerReader(request);
      reader.readSequence();
      const id = reader.readInt() ?? 0;
      const operation = reader.readSequence();
      if (operation === 0x60) socket.write(resultOf(id, { operation: 0x61 }));
      if (operation === 0x63) onSearch(socket, id, request);
    });
    socket.on('data', (data) => requests.push(data));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `ldap://127.0.0.1:${port}`, stop: () => void server.close() };
}

/** A server that answers searches with the given pages in turn: what no real server does on demand. */
export async function startFakeLdap(
  pages: readonly FakePage[],
  root: NonNullable<FakePage['attributes']> = {},
): Promise<FakeLdap> {
  const cookies: string[] = [];
  const left = [...pages];
  const served = await serveSearches((socket, id, request) => {
    if (isOfRoot(request)) return answerRoot(socket, id, root);
    cookies.push(sentCookie(request));
    answerPage(socket, id, left.shift() ?? { dns: [], cookie: '' });
  });
  return { ...served, cookies };
}

function isOfRoot(request: Buffer): boolean {
  const reader = new BerReader(request);
  reader.readSequence();
  reader.readInt();
  reader.readSequence();
  return reader.readString() === '';
}

/** Its root entry, which does not say where the schema is. */
function answerRoot(socket: Socket, id: number, root: NonNullable<FakePage['attributes']>): void {
  if (Object.keys(root).length > 0) socket.write(entryOf(id, '', root));
  socket.write(resultOf(id));
}

function answerPage(socket: Socket, id: number, page: FakePage): void {
  for (const dn of page.dns) socket.write(entryOf(id, dn, page.attributes ?? {}));
  for (const uri of page.references ?? []) socket.write(referenceMessage([uri], id));
  if (page.hangUp === true) return void socket.destroy();
  const { code, referral, bare, cookie } = page;
  if (page.silent !== true)
    socket.write(resultOf(id, { code, referral, cookie: bare === true ? null : Buffer.from(cookie) }));
}

/** The last octet string of the request: the cookie inside the control's value. */
function sentCookie(data: Buffer): string {
  return /c[0-9]$/.exec(data.toString('latin1'))?.[0] ?? '';
}

function entryOf(id: number, dn: string, attributes: NonNullable<FakePage['attributes']>): Buffer {
  const given = Object.entries(attributes).map(([type, values]) => ({
    type,
    values: values.map((value) => Buffer.from(value as string)),
  }));
  return entryMessage({ dn, attributes: given }, id);
}

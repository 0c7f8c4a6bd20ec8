import { createServer, type Socket } from 'node:net';

import { BerReader, BerWriter } from 'ldapts';

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
  /** Addresses to which it refers; `HOST` stands for its own. */
  readonly references?: readonly string[];
}

export interface FakeLdap {
  readonly url: string;
  /** Cookies as the client sent them. */
  readonly cookies: readonly string[];
  /** Number of binds, each with its password in clear text. */
  binds(): number;
  stop(): void;
}

/** A server that answers searches with the given pages in turn: what no real server does on demand. */
export async function startFakeLdap(
  pages: readonly FakePage[],
  root: FakePage['attributes'] = {},
  { host, port: wanted } = { host: '127.0.0.1', port: 0 },
): Promise<FakeLdap> {
  const cookies: string[] = [];
  const left = [...pages];
  const state = { left, cookies, binds: 0, root };
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (data) => answer(socket, data, state));
  }).listen(wanted, host);
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  return {
    url: `ldap://${host}:${port}`,
    cookies,
    binds: () => state.binds,
    stop: () => void server.close(),
  };
}

interface State {
  readonly left: FakePage[];
  readonly cookies: string[];
  binds: number;
  readonly root: NonNullable<FakePage['attributes']>;
}

const BIND = 0x60;
const SEARCH = 0x63;

function answer(socket: Socket, data: Buffer, state: State): void {
  const reader = new BerReader(data);
  reader.readSequence();
  const id = reader.readInt() ?? 0;
  const operation = reader.readSequence();
  if (operation === BIND) {
    state.binds += 1;
    socket.write(message(id, (writer) => result(writer, 0x61, 0)));
  }
  if (operation !== SEARCH) return;
  if (reader.readString() === '') return answerRoot(socket, id, state.root);
  state.cookies.push(sentCookie(data));
  answerPage(socket, id, state.left.shift() ?? { dns: [], cookie: '' });
}

/** Its root entry, which does not say where the schema is. */
function answerRoot(socket: Socket, id: number, root: State['root']): void {
  if (Object.keys(root).length > 0) socket.write(message(id, (writer) => entry(writer, '', root)));
  socket.write(message(id, (writer) => result(writer, 0x65, 0)));
}

function answerPage(socket: Socket, id: number, page: FakePage): void {
  for (const dn of page.dns) socket.write(message(id, (writer) => entry(writer, dn, page.attributes ?? {})));
  const own = `ldap://127.0.0.1:${socket.localPort}`;
  for (const uri of page.references ?? [])
    socket.write(message(id, (writer) => reference(writer, uri.replace('HOST', own))));
  if (page.hangUp === true) socket.destroy();
  else if (page.silent !== true) socket.write(message(id, (writer) => searchDone(writer, page)));
}

/** The last octet string of the request: the cookie inside the control's value. */
function sentCookie(data: Buffer): string {
  return /c[0-9]$/.exec(data.toString('latin1'))?.[0] ?? '';
}

function message(id: number, write: (writer: BerWriter) => void): Buffer {
  const writer = new BerWriter();
  writer.startSequence();
  writer.writeInt(id);
  write(writer);
  writer.endSequence();
  return writer.buffer;
}

function result(writer: BerWriter, operation: number, code: number, referral?: string): void {
  writer.startSequence(operation);
  writer.writeEnumeration(code);
  writer.writeString('');
  writer.writeString('');
  if (referral !== undefined) {
    writer.startSequence(0xa3);
    writer.writeString(referral);
    writer.endSequence();
  }
  writer.endSequence();
}

function entry(writer: BerWriter, dn: string, attributes: NonNullable<FakePage['attributes']>): void {
  writer.startSequence(0x64);
  writer.writeString(dn);
  writer.startSequence();
  for (const [name, values] of Object.entries(attributes)) {
    writer.startSequence();
    writer.writeString(name);
    writer.startSequence(0x31);
    for (const value of values) writer.writeBuffer(Buffer.from(value as string), 0x04);
    writer.endSequence();
    writer.endSequence();
  }
  writer.endSequence();
  writer.endSequence();
}

function reference(writer: BerWriter, uri: string): void {
  writer.startSequence(0x73);
  writer.writeString(uri);
  writer.endSequence();
}

function searchDone(writer: BerWriter, page: FakePage): void {
  result(writer, 0x65, page.code ?? 0, page.referral);
  if (page.bare === true) return;
  const value = new BerWriter();
  value.startSequence();
  value.writeInt(0);
  value.writeString(page.cookie);
  value.endSequence();
  writer.startSequence(0xa0);
  writer.startSequence();
  writer.writeString('1.2.840.113556.1.4.319');
  writer.writeBuffer(value.buffer, 0x04);
  writer.endSequence();
  writer.endSequence();
}

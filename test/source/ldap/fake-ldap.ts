import { createServer, type Socket } from 'node:net';

import { BerReader, BerWriter } from 'ldapts';

/** One answer to a search: entries, then the result with its cookie. */
export interface FakePage {
  readonly dns: readonly string[];
  readonly attributes?: Readonly<Record<string, readonly (string | Buffer)[]>>;
  readonly cookie: string;
  /** Result code; 0: success. */
  readonly code?: number;
  /** The connection ends instead of the result. */
  readonly hangUp?: true;
  /** The result never comes. */
  readonly silent?: true;
}

export interface FakeLdap {
  readonly url: string;
  /** Cookies as the client sent them. */
  readonly cookies: readonly string[];
  stop(): void;
}

/** A server that answers searches with the given pages in turn: what no real server does on demand. */
export async function startFakeLdap(pages: readonly FakePage[]): Promise<FakeLdap> {
  const cookies: string[] = [];
  const left = [...pages];
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (data) => answer(socket, data, { left, cookies }));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  return { url: `ldap://127.0.0.1:${port}`, cookies, stop: () => void server.close() };
}

const BIND = 0x60;
const SEARCH = 0x63;

function answer(
  socket: Socket,
  data: Buffer,
  state: { readonly left: FakePage[]; readonly cookies: string[] },
): void {
  const reader = new BerReader(data);
  reader.readSequence();
  const id = reader.readInt() ?? 0;
  const operation = reader.readSequence();
  if (operation === BIND) socket.write(message(id, (writer) => result(writer, 0x61, 0)));
  if (operation !== SEARCH) return;
  // Its root entry, which says where the schema is: this server hides it.
  if (reader.readString() === '') return void socket.write(message(id, (writer) => result(writer, 0x65, 0)));
  state.cookies.push(sentCookie(data));
  const page = state.left.shift() ?? { dns: [], cookie: '' };
  for (const dn of page.dns) socket.write(message(id, (writer) => entry(writer, dn, page.attributes ?? {})));
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

function result(writer: BerWriter, operation: number, code: number): void {
  writer.startSequence(operation);
  writer.writeEnumeration(code);
  writer.writeString('');
  writer.writeString('');
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

function searchDone(writer: BerWriter, page: FakePage): void {
  result(writer, 0x65, page.code ?? 0);
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

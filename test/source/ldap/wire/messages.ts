import * as fc from 'fast-check';
import { BerWriter, MessageParser, SearchEntry, SearchReference, SearchResponse } from 'ldapts';

import { MessageReader } from '../../../../src/source/ldap/wire/ber.ts';
import type { Attribute, Entry, RawEntry } from '../../../../src/source/ldap/wire/entry.ts';
import { parseMessage, type Message } from '../../../../src/source/ldap/wire/message.ts';

export type GivenEntry = Entry;

/** Values as directories have them: text, bytes that are none, nothing, and long ones for each length of a length. */
const value: fc.Arbitrary<Buffer> = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 20 }).map((text) => Buffer.from(text)),
  fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes)),
  fc.constantFrom('', '\uFEFFmarked', '\uFEFF').map((text) => Buffer.from(text)),
  fc.constantFrom(127, 128, 255, 256).map((size) => Buffer.alloc(size, 0x61)),
);

const type = fc
  .tuple(
    fc.stringMatching(/^[a-zA-Z][a-zA-Z0-9-]{0,12}$/u),
    fc.constantFrom('', '', '', ';lang-de', ';binary', ';x-a;x-b'),
  )
  .map(([name, options]) => name + options);

export const entries: fc.Arbitrary<GivenEntry> = fc.record({
  dn: fc.string({ unit: 'grapheme', maxLength: 60 }),
  attributes: fc.uniqueArray(fc.record({ type, values: fc.array(value, { maxLength: 5 }) }), {
    maxLength: 30,
    selector: (attribute) => attribute.type.toLowerCase(),
  }),
});

export function message(id: number, write: (writer: BerWriter) => void): Buffer {
  const writer = new BerWriter();
  writer.startSequence();
  writer.writeInt(id);
  write(writer);
  writer.endSequence();
  return writer.buffer;
}

export function entryMessage({ dn, attributes }: GivenEntry, id = 7): Buffer {
  return message(id, (writer) => {
    writer.startSequence(0x64);
    writer.writeString(dn);
    writer.startSequence();
    for (const { type: name, values } of attributes) {
      writer.startSequence();
      writer.writeString(name);
      writer.startSequence(0x31);
      for (const bytes of values) writer.writeBuffer(bytes, 0x04);
      writer.endSequence();
      writer.endSequence();
    }
    writer.endSequence();
    writer.endSequence();
  });
}

/** Returns an element whose length takes four bytes. */
export function tlv(tag: number, ...parts: readonly Buffer[]): Buffer {
  const head = Buffer.from([tag, 0x84, 0, 0, 0, 0]);
  head.writeUInt32BE(Buffer.concat(parts).length, 2);
  return Buffer.concat([head, ...parts]);
}

export interface GivenResult {
  /** Default: that of a search. */
  readonly operation?: number;
  readonly code?: number | undefined;
  readonly text?: string;
  /** Where it refers to. */
  readonly referral?: string | undefined;
  /** Of paged results; `null`: without their control. */
  readonly cookie?: Buffer | null;
}

export function resultOf(id: number, given: GivenResult = {}): Buffer {
  const { operation = 0x65, code = 0, text = '', referral, cookie = null } = given;
  return message(id, (writer) => {
    writer.startSequence(operation);
    writer.writeEnumeration(code);
    writer.writeString('');
    writer.writeString(text);
    if (referral !== undefined) {
      writer.startSequence(0xa3);
      writer.writeString(referral);
      writer.endSequence();
    }
    writer.endSequence();
    if (cookie === null) return;
    const control = new BerWriter();
    control.startSequence();
    control.writeInt(0);
    control.writeBuffer(cookie, 0x04);
    control.endSequence();
    writer.startSequence(0xa0);
    writer.startSequence();
    writer.writeString('1.2.840.113556.1.4.319');
    writer.writeBuffer(control.buffer, 0x04);
    writer.endSequence();
    writer.endSequence();
  });
}

export function referenceMessage(uris: readonly string[], id = 7): Buffer {
  return message(id, (writer) => {
    writer.startSequence(0x73);
    for (const uri of uris) writer.writeString(uri);
    writer.endSequence();
  });
}

/** Returns bytes in pieces of these sizes in turn. */
export function pieces(bytes: Buffer, sizes: readonly number[]): readonly Buffer[] {
  const all: Buffer[] = [];
  for (let [at, turn] = [0, 0]; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? bytes.length;
    all.push(bytes.subarray(at, at + size));
    at += size;
  }
  return all;
}

/** Returns what our reader makes of an answer that comes in pieces. */
export function read(chunks: readonly Buffer[]): readonly Message[] {
  const messages: Message[] = [];
  const reader = new MessageReader((...place) => messages.push(parseMessage(...place)));
  for (const chunk of chunks) reader.push(chunk);
  return messages;
}

export function readEntry(given: GivenEntry): RawEntry {
  const [first] = read([entryMessage(given)]);
  if (first?.kind !== 'entry') throw new Error('no entry came');
  return first.entry;
}

/** What matters of an entry. */
export const valuesOf = (dn: string, attributes: readonly Attribute[]): object => ({
  dn,
  attributes: attributes.map(({ type: name, values }) => [
    name,
    values.map((bytes) => bytes.toString('hex')),
  ]),
});

/** Returns what ldapts makes of the same. */
export function readByLdapts(chunks: readonly Buffer[]): readonly object[] {
  const messages: object[] = [];
  const parser = new MessageParser();
  parser.on('message', (one) => {
    if (one instanceof SearchEntry)
      messages.push(
        valuesOf(
          one.name,
          one.attributes.map((each) => ({ type: each.type, values: each.parsedBuffers })),
        ),
      );
    if (one instanceof SearchReference) messages.push({ uris: one.uris });
    if (one instanceof SearchResponse) messages.push({ code: one.status, text: one.errorMessage });
  });
  parser.on('error', (error) => {
    throw error;
  });
  for (const chunk of chunks) parser.read(chunk, new Map());
  return messages;
}

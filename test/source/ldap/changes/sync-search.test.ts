import { assert, property, uint8Array } from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';

import { FullReadNeededError, SourceError } from '../../../../src/domain/errors.ts';
import { syncSearch } from '../../../../src/source/ldap/changes/syncrepl.ts';
import { ProtocolError } from '../../../../src/source/ldap/wire/ber.ts';
import { LdapConnection } from '../../../../src/source/ldap/wire/connection.ts';
import {
  parseDirsync,
  parseSyncDone,
  parseSyncInfo,
  parseSyncState,
} from '../../../../src/source/ldap/wire/controls.ts';
import { never } from '../../source-contract.ts';
import { serveSearches } from '../fake-ldap.ts';
import { tlv } from '../wire/messages.ts';

const text = (value: string | Buffer): Buffer => tlv(0x04, Buffer.from(value));
const byte = (tag: number, value: number): Buffer => tlv(tag, Buffer.from([value]));
const controls = (...all: readonly (readonly [type: string, value: Buffer])[]): Buffer =>
  tlv(0xa0, ...all.map(([type, value]) => tlv(0x30, text(type), text(value))));

const SYNC = '1.3.6.1.4.1.4203.1.9.1';
const uuid = (last: number): Buffer => Buffer.from([...Array.from({ length: 15 }, () => 0), last]);
const keyOf = (last: number): string => `00000000-0000-0000-0000-0000000000${String(last).padStart(2, '0')}`;

const entry = (last: number, state = 1): Buffer =>
  Buffer.concat([
    tlv(0x64, text(`cn=${last},dc=x`), tlv(0x30, tlv(0x30, text('cn'), tlv(0x31, text('a'))))),
    controls([`${SYNC}.2`, tlv(0x30, byte(0x0a, state), text(uuid(last)))]),
  ]);
const ids = (areGone: boolean, ...all: readonly number[]): Buffer =>
  info(tlv(0xa3, byte(0x01, areGone ? 0xff : 0), tlv(0x31, ...all.map((one) => text(uuid(one))))));
const info = (value: Buffer, name = `${SYNC}.4`): Buffer =>
  tlv(0x79, tlv(0x80, Buffer.from(name)), tlv(0x81, value));
const result = (code: number): Buffer =>
  tlv(0x65, tlv(0x0a, Buffer.from([code >> 8, code & 0xff])), text(''), text('said'));
const ended = (value: Buffer): Buffer => Buffer.concat([result(0), controls([`${SYNC}.3`, value])]);
const done = (deletes: boolean): Buffer => ended(tlv(0x30, byte(0x01, deletes ? 0xff : 0)));

/** A server that answers a search with these operations, and then hangs up where nothing ends it. */
async function ask(...operations: readonly Buffer[]): Promise<ReadonlySet<string>> {
  const server = await serveSearches((socket, id) => {
    for (const one of operations) socket.write(tlv(0x30, byte(0x02, id), one));
    if (operations.at(-1)?.[0] !== 0x65) socket.end();
  });
  const connection = await LdapConnection.open({ url: server.url, tls: { insecure: false } }, never);
  onTestFinished(async () => {
    await connection.close();
    server.stop();
  });
  return syncSearch(connection, { base: 'dc=x', scope: 'sub' }, 'rid=000,csn=x');
}

describe('an answer to what changed', () => {
  test('has what is new, changed or gone', async () => {
    const touched = await ask(entry(1), ids(true, 2, 3), entry(4), entry(4, 3), entry(5, 2), done(true));
    expect([...touched].toSorted()).toEqual([1, 2, 3, 4, 5].map(keyOf));
  });

  test.each([
    ['it breaks off', [entry(1)]],
    ['it breaks off within a list of ids', [ids(true, 1).subarray(0, 20)]],
    ['nothing says that this was a synchronization', [entry(1), result(0)]],
    ['an entry has no state', [tlv(0x64, text('cn=1'), tlv(0x30)), done(true)]],
    ['it tells something else', [info(Buffer.from('x'), '1.2.3'), done(true)]],
    ['an id is no UUID', [info(tlv(0xa3, tlv(0x31, text('short')))), done(true)]],
    ['bytes are left', [info(Buffer.concat([tlv(0xa3, tlv(0x31)), Buffer.of(0)])), done(true)]],
    ['what it tells is of no known kind', [info(tlv(0xa4, tlv(0x31))), done(true)]],
    ['a truth value has two bytes', [info(tlv(0xa3, tlv(0x01, Buffer.alloc(2)), tlv(0x31))), done(true)]],
    ['the state is not known', [entry(1, 4), done(true)]],
    ['the end is in another order', [ended(tlv(0x30, byte(0x01, 1), text('c')))]],
    ['a part is elsewhere', [tlv(0x73, text('ldap://elsewhere/dc=x')), done(true)]],
    ['the server is busy', [result(51)]],
  ])('is no answer where %s', async (_, operations) => {
    const failure = await ask(...operations).catch((error: unknown) => error);
    expect([failure instanceof SourceError, failure instanceof FullReadNeededError]).toEqual([true, false]);
  });

  test.each([
    ['the cookie is too old', [result(4096)]],
    ['there is more than a search without pages may have', [entry(1), result(4)]],
    ['the server does not know the operation', [result(12)]],
    ['it comes in two phases', [info(tlv(0xa2)), done(true)]],
    ['nothing tells who is gone', [entry(4), done(false)]],
    ['those who are there are listed', [ids(false, 1, 2), done(true)]],
    ['one who is there is named', [entry(3, 0), done(true)]],
  ])('asks for a full read where %s', async (_, operations) => {
    await expect(ask(...operations)).rejects.toThrow(FullReadNeededError);
  });
});

test('what a server tells beside an answer is a value or refused, whatever bytes come', () => {
  const outcome = (parse: (value: Buffer) => unknown, bytes: Uint8Array): unknown => {
    try {
      return void parse(Buffer.from(bytes));
    } catch (error) {
      return error instanceof ProtocolError ? undefined : error;
    }
  };
  assert(
    property(uint8Array({ maxLength: 60 }), (bytes) => {
      for (const parse of [parseSyncInfo, parseSyncState, parseSyncDone, parseDirsync])
        expect(outcome(parse, bytes)).toBeUndefined();
    }),
  );
});

import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, onTestFinished, test } from 'vitest';

import { StoppedError } from '../../../../src/domain/errors.ts';
import { LdapConnection, type Search } from '../../../../src/source/ldap/wire/connection.ts';
import { problem } from '../../problem.ts';
import { serveSearches, type OnSearch } from '../fake-ldap.ts';
import { entryMessage, message, referenceMessage, resultOf } from './messages.ts';

async function connectTo(
  onSearch: OnSearch,
  { stop = new AbortController(), seconds = 1 } = {},
): Promise<LdapConnection> {
  const server = await serveSearches(onSearch);
  onTestFinished(() => server.stop());
  const connection = await LdapConnection.open(
    { url: server.url, tls: { insecure: false }, seconds },
    stop.signal,
  );
  onTestFinished(() => connection.close());
  return connection;
}

function notice(name: string): Buffer {
  return message(0, (writer) => {
    writer.startSequence(0x78);
    writer.writeEnumeration(52);
    writer.writeString('');
    writer.writeString('going down for the night');
    writer.writeString(name, 0x8a);
    writer.endSequence();
  });
}

const searchOn = (connection: LdapConnection): Search =>
  connection.search({ base: 'dc=example', attributes: [], doing: 'searching' });

const entry = (dn: string, id: number, bytes = 10): Buffer =>
  entryMessage({ dn, attributes: [{ type: 'photo', values: [Buffer.alloc(bytes)] }] }, id);

const DISCONNECTION = '1.3.6.1.4.1.1466.20036';

describe('the answer to a search', () => {
  test('comes as one part with what was found, referred to and told', async () => {
    const connection = await connectTo((socket, id) => {
      socket.write(Buffer.concat([entry('cn=a', id), referenceMessage(['ldap://b'], id), entry('cn=c', id)]));
      socket.write(resultOf(id, { code: 4, text: 'enough', cookie: Buffer.from('more') }));
    });
    const { entries, references, result } = await searchOn(connection).take();
    expect(entries.map(({ dn }) => dn)).toEqual(['cn=a', 'cn=c']);
    expect(references).toEqual([['ldap://b']]);
    expect(result).toMatchObject({ code: 4, text: 'enough' });
  });

  test.each<[string, string, OnSearch]>([
    ['the server says that it ends', 'ldap-busy', (socket) => socket.end(notice(DISCONNECTION))],
    ['garbage comes', 'ldap-protocol', (socket) => socket.write('HTTP/1.1 400 Bad Request\r\n')],
    ['another search is answered', 'ldap-protocol', (socket, id) => socket.write(entry('cn=b', id + 1))],
    [
      'something else is answered',
      'ldap-protocol',
      (socket, id) => socket.write(resultOf(id, { operation: 0x61 })),
    ],
    ['the connection breaks', 'ldap-unreachable', (socket) => socket.resetAndDestroy()],
    ['a message stays cut', 'ldap-silent', (socket, id) => socket.write(entry('cn=b', id).subarray(0, 20))],
  ])('is incomplete where %s', async (_, code, onSearch) => {
    const connection = await connectTo((socket, id, request) => {
      socket.write(entry('cn=a', id));
      onSearch(socket, id, request);
    });
    await expect(searchOn(connection).take()).rejects.toThrow(problem(code));
    expect(connection.isAlive).toBe(false);
    await expect(searchOn(connection).take()).rejects.toThrow(problem(code));
  });

  test('does not mind a notice of which nobody knows what it means', async () => {
    const connection = await connectTo((socket, id) => {
      socket.write(Buffer.concat([notice('1.2.3'), resultOf(id)]));
    });
    expect((await searchOn(connection).take()).result).toMatchObject({ code: 0 });
  });

  test('stops with the read', async () => {
    const stop = new AbortController();
    const connection = await connectTo(() => stop.abort(), { stop });
    await expect(searchOn(connection).take()).rejects.toThrow(StoppedError);
  });

  test('that was whole before the connection was lost is taken', async () => {
    const connection = await connectTo((socket, id) => socket.end(resultOf(id)));
    const search = searchOn(connection);
    while (connection.isAlive) await sleep(5);
    expect((await search.take()).result).toMatchObject({ code: 0 });
  });

  test('that nobody wants any more leaves the connection to the next one', async () => {
    const connection = await connectTo((socket, id) => {
      setTimeout(() => socket.write(Buffer.concat([entry('cn=a', id), resultOf(id)])), 20);
    });
    searchOn(connection).drop();
    const { entries } = await searchOn(connection).take();
    expect(entries).toHaveLength(1);
  });

  test('waits at the server while nobody takes it, and no time is counted', async () => {
    let sent = 0;
    const onSearch: OnSearch = (socket, id) => {
      const one = entry('cn=a', id, 1_000_000);
      const more = (): void => {
        for (; sent < 100; sent += 1) if (!socket.write(one)) return void socket.once('drain', next);
        socket.write(resultOf(id));
      };
      const next = (): void => {
        sent += 1;
        more();
      };
      more();
    };
    const connection = await connectTo(onSearch, { seconds: 2 });
    const search = searchOn(connection);
    await sleep(3_000);
    expect(sent).toBeLessThan(60);
    const counts: number[] = [];
    for (let part = await search.take(); ; part = await search.take()) {
      counts.push(part.entries.length);
      if (part.result !== null) break;
    }
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(100);
    expect(Math.max(...counts)).toBeLessThan(20);
  });
});

import { setTimeout as sleep } from 'node:timers/promises';

import { PresenceFilter, SearchRequest } from 'ldapts';
import { describe, expect, onTestFinished, test } from 'vitest';

import { SourceError, StoppedError } from '../../../../src/domain/errors.ts';
import { LdapConnection, type Search } from '../../../../src/source/ldap/wire/ldap-connection.ts';
import { serveSearches, type OnSearch } from '../fake-ldap.ts';
import { entryMessage, message, referenceMessage, resultMessage } from './messages.ts';

async function connectTo(
  onSearch: OnSearch,
  { stop = new AbortController(), timeoutSeconds = 1 } = {},
): Promise<LdapConnection> {
  const server = await serveSearches(onSearch);
  onTestFinished(() => server.stop());
  const settings = { url: server.url, startTls: false, tls: { insecure: false }, timeoutSeconds };
  const connection = await LdapConnection.open(settings, stop.signal);
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

function searchOn(connection: LdapConnection): Search {
  const filter = new PresenceFilter({ attribute: 'objectClass' });
  const request = new SearchRequest({ messageId: -1, baseDN: 'dc=example', filter });
  return connection.search(request, { server: 'the LDAP server', path: 'source', doing: 'searching' });
}

const entry = (dn: string, id: number, bytes = 10): Buffer =>
  entryMessage({ dn, attributes: [{ type: 'photo', values: [Buffer.alloc(bytes)] }] }, id);

const DISCONNECTION = '1.3.6.1.4.1.1466.20036';

describe('the answer to a search', () => {
  test('comes as one part with what was found, referred to and told', async () => {
    const connection = await connectTo((socket, id) => {
      socket.write(Buffer.concat([entry('cn=a', id), referenceMessage(['ldap://b'], id), entry('cn=c', id)]));
      socket.write(resultMessage(4, 'enough', Buffer.from('more'), id));
    });
    const { entries, references, result } = await searchOn(connection).take();
    expect(entries.map(({ dn }) => dn)).toEqual(['cn=a', 'cn=c']);
    expect(references).toEqual([['ldap://b']]);
    expect(result).toMatchObject({ code: 4, text: 'enough' });
  });

  test.each<[string, OnSearch, RegExp]>([
    [
      'the server says that it ends',
      (socket) => socket.end(notice(DISCONNECTION)),
      /the server ended the connection: unavailable.*\(going down for the night\); the read is incomplete/u,
    ],
    [
      'garbage comes',
      (socket) => socket.write('HTTP/1.1 400 Bad Request\r\n'),
      /no LDAP that answers: it has 0x48 where 0x30 belongs; the read is incomplete.*; look at/u,
    ],
    [
      'another search is answered',
      (socket, id) => socket.write(entry('cn=b', id + 1)),
      /it answers \d+, which was not asked; the read is incomplete/u,
    ],
    ['the connection ends', (socket) => socket.end(), /closed the connection; the read is incomplete/u],
    ['the connection breaks', (socket) => socket.resetAndDestroy(), /connection.*; the read is incomplete/u],
    [
      'a message stays cut',
      (socket, id) => socket.write(entry('cn=b', id).subarray(0, 20)),
      /no answer in time/u,
    ],
  ])('is incomplete where %s', async (_, onSearch, words) => {
    const connection = await connectTo((socket, id, request) => {
      socket.write(entry('cn=a', id));
      onSearch(socket, id, request);
    });
    const taken = searchOn(connection).take();
    await expect(taken).rejects.toThrow(SourceError);
    await expect(taken).rejects.toThrow(words);
    expect(connection.isAlive).toBe(false);
    await expect(searchOn(connection).take()).rejects.toThrow(words);
  });

  test('does not mind a notice of which nobody knows what it means', async () => {
    const connection = await connectTo((socket, id) => {
      socket.write(Buffer.concat([notice('1.2.3'), resultMessage(0, '', null, id)]));
    });
    expect((await searchOn(connection).take()).result).toMatchObject({ code: 0 });
  });

  test('stops with the read', async () => {
    const stop = new AbortController();
    const connection = await connectTo(() => stop.abort(), { stop });
    await expect(searchOn(connection).take()).rejects.toThrow(StoppedError);
  });

  test('that was whole before the connection was lost is taken', async () => {
    const connection = await connectTo((socket, id) => socket.end(resultMessage(0, '', null, id)));
    const search = searchOn(connection);
    while (connection.isAlive) await sleep(5);
    expect((await search.take()).result).toMatchObject({ code: 0 });
  });

  test('that nobody wants any more leaves the connection to the next one', async () => {
    const connection = await connectTo((socket, id) => {
      setTimeout(() => socket.write(Buffer.concat([entry('cn=a', id), resultMessage(0, '', null, id)])), 20);
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
        socket.write(resultMessage(0, '', null, id));
      };
      const next = (): void => {
        sent += 1;
        more();
      };
      more();
    };
    const connection = await connectTo(onSearch, { timeoutSeconds: 8 });
    const search = searchOn(connection);
    await sleep(10_000);
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

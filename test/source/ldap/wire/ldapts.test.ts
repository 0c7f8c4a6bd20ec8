import { connect, type Socket } from 'node:net';
import { Client } from 'ldapts';
import { expect, onTestFinished, test } from 'vitest';
import { serveSearches } from '../fake-ldap.ts';

// What `LdapConnection` and `Answers` use of ldapts beside its interface. If one of these fails, ldapts has changed: mend
// those two files before taking the new version.

test('ldapts counts its messages with the method that numbers our searches', () => {
  const client = new Client({ url: 'ldap://127.0.0.1:1' });
  const next: unknown = Reflect.get(client, '_nextMessageId');
  if (typeof next !== 'function') throw new Error('ldapts has no _nextMessageId any more');
  const first = Number(next.call(client));
  expect(next.call(client)).toBe(first + 1);
  expect(Reflect.get(client, 'messageId')).toBe(first + 1);
});

test('ldapts reads answers with one listener of its socket, and does without it once it is bound', async () => {
  const server = await serveSearches(() => undefined);
  const sockets: Socket[] = [];
  const client = new Client({
    url: server.url,
    createConnection: ((...args: Parameters<typeof connect>) => {
      const socket = connect(...args);
      sockets.push(socket);
      return socket;
    }) as typeof connect,
  });
  onTestFinished(() => {
    sockets[0]?.destroy();
    server.stop();
  });
  await client.bind('cn=x', 'y');
  expect(sockets.map((socket) => socket.listenerCount('data'))).toEqual([1]);
  sockets[0]?.removeAllListeners('data');
  expect(client.isConnected).toBe(true);
});

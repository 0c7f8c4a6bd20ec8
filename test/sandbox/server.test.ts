import { describe, expect, test } from 'vitest';
import { open, read } from './wire-client.ts';

test('a call that fails is answered once, in an envelope', async () => {
  const wire = await open();
  wire.sandbox.onCall = () => {
    throw new Error('on purpose');
  };
  const reply = await read(await wire.raw('GET', wire.org));
  expect([reply.http, reply.status, reply.message]).toEqual([500, 500, 'the sandbox failed: on purpose']);
  expect(wire.sandbox.callCounts).toEqual({ organizationInfo: 1 });
});

describe('the socket', () => {
  test('a dropped call breaks its own connection alone', async () => {
    const wire = await open();
    wire.sandbox.setFaults('rate=1,kinds=dropBefore,max=1');
    const sent = Array.from({ length: 5 }, () => wire.raw('GET', wire.org).then(({ status }) => status));
    const ends = await Promise.allSettled(sent);
    expect(ends.filter(({ status }) => status === 'rejected')).toHaveLength(1);
    expect(ends.filter((end) => end.status === 'fulfilled' && end.value === 200)).toHaveLength(4);
  });
});

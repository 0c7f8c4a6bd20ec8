import { describe, expect, test } from 'vitest';
import { ask, open, read, type Wire } from './wire-client.ts';

const withToken = ({ sandbox }: Wire, path: string): string => `${path}?access_token=${sandbox.token}`;

describe('what no library in between answers', () => {
  test.each(['nonsense', 'a/b/c;;', 'text/plain'])(
    'a body of the type "%s" is refused by its operation',
    async (type) => {
      const wire = await open();
      const sent = { method: 'POST', path: withToken(wire, wire.org), headers: { 'Content-Type': type } };
      const { http, text: told } = await ask(wire, { ...sent, body: '{}' });
      expect([http, JSON.parse(told)]).toEqual([
        200,
        { status: 990400, message: 'Content-Type is not application/json' },
      ]);
      expect(wire.sandbox.callCounts).toEqual({ createOrganization: 1 });
    },
  );
});

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

import { describe, expect, test } from 'vitest';
import type { OauthClient } from '../../../src/domain/source-settings.ts';
import { startGlewlwyd } from '../../servers/glewlwyd.ts';
import { hasServer } from '../../servers/install.ts';
import { throughout } from '../../servers/throughout.ts';
import { scimSource } from '../open-one.ts';
import { problem } from '../problem.ts';
import { readAll, type ReadResult } from '../source-contract.ts';
import { startScim } from './scim-server.ts';
import { scimSettings, users } from './scim-world.ts';

describe.runIf(hasServer('glewlwyd'))('a client of a real identity provider', () => {
  const provider = throughout(startGlewlwyd);
  const scim = throughout(async () => {
    const server = await startScim({ Groups: [], Users: users(25) });
    return { ...server, asked: server.asked, stop: async () => server.close() };
  });

  async function read(more: Partial<OauthClient> = {}): Promise<ReadResult> {
    const { tokenUrl, client, scope } = provider;
    const token = { tokenUrl, clientId: client.id, clientSecret: client.secret, scope, ...more };
    const { people, ...rest } = scimSettings(scim.url);
    const rules = { ...people.rules, fields: { name: 'displayName' }, positions: [{ unit: 'groups' }] };
    return readAll(scimSource({ ...rest, people: { ...people, rules }, token }));
  }

  test('it reads with a token that the provider gave', async () => {
    expect((await read()).people).toHaveLength(25);
    const tokens = [...new Set(scim.asked.map(({ token }) => token))];
    expect(tokens).toHaveLength(1);
    expect(await provider.knows(tokens[0]!)).toBe(true);
    expect(await provider.knows(`${tokens[0]}x`)).toBe(false);
  });

  test.each<Partial<OauthClient>>([{ clientSecret: 'wrong' }, { clientId: 'nobody' }, { scope: 'none' }])(
    'it gets none with %o',
    async (wrong) => {
      await expect(read(wrong)).rejects.toThrow(problem('no-token'));
    },
  );
});
